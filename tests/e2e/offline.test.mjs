// A route is walked on a phone without a network for as long as it takes: what was fetched is there, what was entered is
// sent once, in order, whatever happens to the browser meanwhile.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fillSignIn, findings, PHONE, settled } from './harness.mjs';
import { network, phone, png } from './phone.mjs';
import { bar, stage } from './stage.mjs';

const MANAGER = 'qian.w';
const POINTS = 12;
const { call, faults, look, person, server } = stage();
const complaints = [];
let net;
let device;
let page;

after(async () => {
  if (process.env.SHOTS)
    await page?.screenshot({ path: `${process.env.SHOTS}/offline-end.png` }).catch(() => {});
  await device?.kill();
  await device?.remove();
  await net?.off().catch(() => undefined);
});

/** A moment of the plant as the wire writes it. */
function wire(minutes) {
  const at = new Date(Date.now() + minutes * 60_000 + 8 * 3_600_000);
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

/** A task of these people on a new route with so many points, each with these items. */
async function taskOf(code, points, items, { people = [MANAGER], ...more } = {}) {
  const [model] = (await call(MANAGER, 'yuzhu-equip/inspectgroup/list?groupCode=XL-DL3')).records;
  const route = await call(MANAGER, 'yuzhu-equip/inspectgroup/submit', {
    groupCode: code,
    groupName: `路线${code}`,
    deptId: model.deptId,
    leaderId: model.leaderId,
    orderMode: 1,
    needScan: 0,
    allowSupplement: 1,
  });
  const [machine] = await call(MANAGER, 'yuzhu-equip/inspectmachine/getList?keyword=循环水泵');
  for (let place = 1; place <= points; place += 1)
    await call(MANAGER, 'yuzhu-equip/inspectpoint/save', {
      groupId: route.id,
      machineId: machine.id,
      pointCode: `${code}-${place}`,
      pointName: `测点${place}`,
      sort: place,
      scanMode: 0,
      stopCheck: 0,
      items,
      ...more,
    });
  const found = await Promise.all(people.map((one) => call(MANAGER, `blade-user/select?keyword=${one}`)));
  const { id } = await call(MANAGER, 'yuzhu-equip/inspectorder/submit', {
    groupId: route.id,
    planStart: wire(-60),
    planEnd: wire(180),
    userIds: found.map(({ records }) => records[0].id).join(),
  });
  return id;
}

const taskNow = (id) => call(MANAGER, `yuzhu-equip/inspectorder/task?id=${id}`);

const NUMBER = { itemName: '出口压力', valueType: 1, unit: 'MPa', decimals: 2, lower: 0, upper: 10 };
const pressureAt = (place) => (place / 2 + 0.13).toFixed(2);

async function fillPoint(page, place) {
  await page.getByRole('heading', { name: `测点${place}`, exact: true }).waitFor();
  await page.getByLabel('出口压力', { exact: true }).fill(pressureAt(place));
  const file = {
    name: `${place}.png`,
    mimeType: 'image/png',
    buffer: png(2400, 1200, [place * 20, 90, 160]),
  };
  await page.locator('.x-walk-foot input[type=file]').last().setInputFiles(file);
  await page.locator('.x-photo .ant-image').first().waitFor();
}

const submit = (page) => page.locator('.x-walk-bar .ant-btn-primary').click();
const waiting = (page, count) => page.locator('.x-unsent-bar', { hasText: `${count}条结果待发送` }).waitFor();

test('a shift without a network: 12 points with photos, the browser closed, opened, and killed while it sends', async () => {
  const id = await taskOf('OFF', POINTS, [NUMBER], { photoRequired: 1 });
  net = await network(server().base);
  device = await phone(complaints);
  page = await device.start();
  await page.goto(`${net.base}/login`);
  await fillSignIn(page, MANAGER);
  await page.keyboard.press('Escape');
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/wel/index');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.goto(`${net.base}/inspect/order`);
  const entry = () => page.locator('.x-now-list > li', { hasText: '路线OFF' });
  await entry()
    .getByText(/^可离线巡检，/)
    .waitFor();
  await look(page, 'offline-ready');
  await device.close();

  // The network is gone before the browser is opened again.
  await net.off();
  page = await device.start();
  await page.goto(`${net.base}/`);
  await page.getByText('网络已断开').waitFor();
  await page.goto(`${net.base}/inspect/order`);
  await page.getByText(/^离线，显示的是/).waitFor();
  await look(page, 'offline-list');
  await entry().getByRole('button').click();
  await page.getByText(/^离线，显示的是/).waitFor();
  await bar(page, '开始巡检').click();
  await fillPoint(page, 1);
  await look(page, 'offline-point');
  await submit(page);
  await waiting(page, 2);
  for (let place = 2; place <= 6; place += 1) {
    await fillPoint(page, place);
    await submit(page);
  }
  await waiting(page, 7);
  await look(page, 'offline-waiting');
  // What was typed and not submitted is there again after the browser was closed.
  await fillPoint(page, 7);
  await device.close();
  page = await device.start();
  await page.goto(`${net.base}/inspect/order/${id}`);
  await page.getByRole('heading', { name: '测点7', exact: true }).waitFor();
  assert.equal(await page.getByLabel('出口压力', { exact: true }).inputValue(), pressureAt(7));
  await page.locator('.x-photo .ant-image').first().waitFor();
  await submit(page);
  for (let place = 8; place <= POINTS; place += 1) {
    await fillPoint(page, place);
    await submit(page);
  }
  await waiting(page, POINTS + 1);
  await page.locator('.x-unsent-bar').click();
  await page.locator('.x-unsent > li').nth(POINTS).waitFor();
  await look(page, 'offline-drawer');
  await page.keyboard.press('Escape');
  assert.deepEqual((await taskNow(id)).order.pointDone, 0);

  // The network is back, and slow; in the middle of it the browser is killed.
  net.slow(250);
  await net.on();
  for (let done = 0; done < 3; ) done = (await taskNow(id)).order.pointDone;
  await device.kill();
  const { pointDone } = (await taskNow(id)).order;
  assert.ok(pointDone >= 3 && pointDone < POINTS, `${pointDone} points were sent when it was killed`);
  net.slow(0);
  page = await device.start();
  await page.goto(`${net.base}/inspect/order/${id}`);
  await page.locator('.x-doc-title').waitFor();
  await page.locator('.x-unsent-bar').waitFor({ state: 'detached' });
  await page.locator('.x-doc-title').getByText('已完成').waitFor();
  await look(page, 'offline-done');

  const { order, details } = await taskNow(id);
  assert.deepEqual(
    [order.status, order.pointDone, order.pointTotal, order.itemDone],
    [3, POINTS, POINTS, POINTS],
  );
  assert.deepEqual(
    details.map(({ status, images, items }) => [
      status,
      images.length,
      items.map(({ record }) => record.value),
    ]),
    details.map((_, index) => [2, 1, [pressureAt(index + 1)]]),
  );
  const photos = await Promise.all(
    details.map(async ({ images }) => (await fetch(server().base + images[0])).headers.get('content-type')),
  );
  assert.deepEqual([...new Set(photos)], ['image/jpeg']);
  const { total } = await call(MANAGER, `yuzhu-equip/inspectorderrecord/list?orderId=${id}&size=1`);
  assert.equal(total, POINTS);
  // All that came of it is on the server, and nothing is left here.
  const left = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const name = JSON.parse(localStorage.getItem('xunwei.session'));
        const asked = indexedDB.open(`xunwei.${name.tenantId}/${name.userId}`);
        asked.onsuccess = () => {
          const read = asked.result.transaction(['unsent', 'photos']);
          const counts = ['unsent', 'photos'].map((store) => read.objectStore(store).count());
          read.oncomplete = () => resolve(counts.map(({ result }) => result));
        };
      }),
  );
  assert.deepEqual(left, [0, 0]);
  assert.deepEqual(complaints, []);
});

test('a fault is reported without a network, and a point that somebody else has done meanwhile is discarded', async () => {
  const id = await taskOf('REF', 2, [NUMBER], { people: [MANAGER, 'wang.f'] });
  await page.goto(`${net.base}/inspect/order`);
  await page
    .locator('.x-now-list > li', { hasText: '路线REF' })
    .getByText(/^可离线巡检，/)
    .waitFor();
  const [machine] = await call(MANAGER, 'yuzhu-equip/inspectmachine/getList?keyword=循环水泵');
  await page.waitForFunction(
    (wanted) =>
      new Promise((resolve) => {
        const { tenantId, userId } = JSON.parse(localStorage.getItem('xunwei.session'));
        indexedDB.open(`xunwei.${tenantId}/${userId}`).onsuccess = ({ target }) => {
          const keys = target.result.transaction('answers').objectStore('answers').getAllKeys();
          keys.onsuccess = () => resolve(keys.result.some((key) => key.endsWith(wanted)));
          target.result.close();
        };
      }),
    `inspectmachine/select?ids=${machine.id}`,
  );
  await net.off();
  await page.goto(`${net.base}/inspect/order/${id}`);
  for (const place of [1, 2]) {
    await page.getByRole('heading', { name: `测点${place}`, exact: true }).waitFor();
    await page.getByLabel('出口压力', { exact: true }).fill(pressureAt(place));
    await submit(page);
  }
  await waiting(page, 2);
  await page.goto(`${net.base}/repair/report?machineId=${machine.id}`);
  await page.getByLabel('故障描述').fill('机封漏水，地面有积水');
  const file = { name: 'leak.png', mimeType: 'image/png', buffer: png(2000, 1000, [20, 120, 90]) };
  await page.locator('.x-photos input[type=file]').last().setInputFiles(file);
  await page.locator('.x-photo .ant-image').first().waitFor();
  await look(page, 'offline-report');
  await page.getByRole('button', { name: '提交报修' }).click();
  await waiting(page, 3);
  const listed = () => call(MANAGER, 'yuzhu-equip/repairorder/list?size=100');
  const isOurs = ({ title, description }) => (description ?? title).includes('机封漏水');
  assert.equal((await listed()).records.filter(isOurs).length, 0);

  // Meanwhile a colleague has done the first point.
  const { details } = await taskNow(id);
  const [item] = details[0].items;
  await call('wang.f', 'yuzhu-equip/inspectorderdetail/submit', {
    id: details[0].id,
    clientId: 'somebody-else-1',
    clientTime: wire(0),
    records: [{ itemId: item.itemId, value: '5' }],
  });
  await net.on();
  await page.locator('.x-unsent-bar', { hasText: '2条结果待发送 · 1条未被接收' }).click();
  const rows = page.locator('.x-unsent > li');
  await rows
    .first()
    .getByText(/^该点位已由.+完成巡检/)
    .waitFor();
  await rows.nth(1).getByText('待前一点位处理后发送').waitFor();
  assert.deepEqual(await findings(page, { withFrame: true }), []);
  await look(page, 'offline-refused');
  await rows.first().getByRole('button', { name: '放弃' }).click();
  await page.locator('.ant-modal-confirm').getByRole('button', { name: '放弃' }).click();
  await page.locator('.x-unsent-bar').waitFor({ state: 'detached' });
  const { order, details: now } = await taskNow(id);
  assert.deepEqual([order.status, now.map(({ items }) => items[0].record.value)], [3, ['5', pressureAt(2)]]);
  const ours = (await listed()).records.filter(isOurs);
  assert.equal(ours.length, 1);
  const { images } = await call(MANAGER, `yuzhu-equip/repairorder/detail?id=${ours[0].id}`);
  assert.equal(images.length, 1);
  assert.deepEqual(complaints, []);
});

test('eight points with five items each: at most two taps for an item that is normal, and nothing is too small', async () => {
  const items = [
    ...['泄漏', '异响', '紧固', '清洁'].map((itemName) => ({ itemName, valueType: 2 })),
    { itemName: '出口压力', valueType: 1, unit: 'MPa', decimals: 2, lower: 0, upper: 10 },
  ];
  const id = await taskOf('TAPS', 8, items);
  const page = await person(MANAGER, PHONE);
  await page.goto(`/inspect/order/${id}`);
  await settled(page);
  await bar(page, '开始巡检').click();
  const small = async () =>
    page.locator('.x-walk-point').evaluate((walk) =>
      [...walk.querySelectorAll('button, input:not([type=file]), textarea, a, label.x-photo-add')]
        .map((one) => [one.closest('.ant-input-affix-wrapper') ?? one, one])
        .map(([box, one]) => [one.textContent || one.getAttribute('aria-label'), box.getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 0 && (height < 44 || width < 44))
        .map(([name, { width, height }]) => `${name}: ${Math.round(width)} × ${Math.round(height)}`),
    );
  let taps = 0;
  const tap = async (target) => {
    await target.click();
    taps += 1;
  };
  for (let place = 1; place <= 8; place += 1) {
    await page.getByRole('heading', { name: `测点${place}`, exact: true }).waitFor();
    const rows = page.locator('.x-walk-items > li');
    assert.equal(await rows.count(), items.length);
    assert.deepEqual(await small(), []);
    for (const row of await rows.all()) {
      const field = row.locator('input').first();
      if (await field.count()) {
        await tap(field);
        await page.keyboard.type('7.2');
      } else await tap(row.locator('.x-walk-choice button').first());
    }
    await tap(page.locator('.x-walk-bar .ant-btn-primary'));
  }
  await page.getByText('全部点位已处理。').waitFor();
  assert.ok(taps <= 2 * 8 * items.length, `${taps} taps`);
  assert.equal((await taskNow(id)).order.status, 3);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(faults, []);
});
