// A point is opened by its plate: the camera sees another plate, then the right one; a damaged one is stood in for by hand.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findings, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const { encodeQR } = await import(
  createRequire(new URL('../../web/package.json', import.meta.url)).resolve('qr')
);
const MANAGER = 'qian.w';
const folder = await mkdtemp(join(tmpdir(), 'xunwei-scan-'));
/** What the camera sees, once it is opened. */
const FILM = join(folder, 'film.y4m');
const { call, faults, look, person } = stage({ args: [`--use-file-for-fake-video-capture=${FILM}`] });

after(() => rm(folder, { recursive: true }));

/** A moment of the plant as the wire writes it. */
function wire(minutes) {
  const at = new Date(Date.now() + minutes * 60_000 + 8 * 3_600_000);
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

/** A film of one picture for the browser's camera: a plate with this code. */
async function film(text) {
  const [width, height, pixel] = [640, 480, 10];
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const light = Buffer.alloc(width * height, 200);
  const [left, top] = [(width - rows.length * pixel) >> 1, (height - rows.length * pixel) >> 1];
  for (let y = 0; y < rows.length * pixel; y += 1)
    for (let x = 0; x < rows.length * pixel; x += 1)
      if (rows[Math.floor(y / pixel)][Math.floor(x / pixel)]) light[(top + y) * width + left + x] = 30;
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, Buffer.alloc((width * height) / 2, 128)]);
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F5:1 Ip A1:1 C420jpeg\n`);
  await writeFile(FILM, Buffer.concat([head, ...Array.from({ length: 5 }, () => frame)]));
}

test('a point is opened by the camera, a damaged plate by hand', async () => {
  const [model] = (await call(MANAGER, 'yuzhu-equip/inspectgroup/list?groupCode=XL-DL3')).records;
  const route = await call(MANAGER, 'yuzhu-equip/inspectgroup/submit', {
    groupCode: 'E2E-S',
    groupName: '扫码路线',
    deptId: model.deptId,
    leaderId: model.leaderId,
  });
  const [machine] = await call(MANAGER, 'yuzhu-equip/inspectmachine/getList?keyword=循环水泵');
  const points = [];
  for (const place of [1, 2])
    points.push(
      await call(MANAGER, 'yuzhu-equip/inspectpoint/save', {
        groupId: route.id,
        machineId: machine.id,
        pointCode: `E2E-S${place}`,
        pointName: `扫码点${place}`,
        sort: place,
        stopCheck: 0,
        items: [{ itemName: '外观', valueType: 2 }],
      }),
    );
  await call(MANAGER, 'yuzhu-equip/equiptags/makePlates', {
    type: 2,
    bindIds: points.map(({ id }) => id).join(),
  });
  const tokenOf = async (point) => {
    const [tag] = (await call(MANAGER, `yuzhu-equip/equiptags/list?bindId=${point.id}&type=2`)).records;
    return (await call(MANAGER, `yuzhu-equip/equiptags/detail?id=${tag.id}`)).token;
  };
  const [{ records: people }] = await Promise.all([call(MANAGER, `blade-user/select?keyword=${MANAGER}`)]);
  const task = await call(MANAGER, 'yuzhu-equip/inspectorder/submit', {
    groupId: route.id,
    planStart: wire(-60),
    planEnd: wire(180),
    userIds: people[0].id,
  });
  // A film of the second point's plate: at the first point it is another one.
  await film(`https://plant.example.com/scan/${await tokenOf(points[1])}`);
  const page = await person(MANAGER, PHONE);
  await page.goto(`/inspect/order/${task.id}`);
  await settled(page);
  const shown = page.locator('.x-walk-point');
  await shown.getByText('请先扫描点位标牌').waitFor();
  assert.equal(await shown.getByText('外观').count(), 0);
  assert.deepEqual(await findings(page), []);
  await look(page, 'scans-gate');
  await shown.getByRole('button', { name: '扫描二维码' }).click();
  await page.getByText('扫描的标牌与点位「扫码点1」不符').waitFor();
  await page.locator('.ant-drawer-close').click();
  await shown.getByRole('button', { name: '标牌损坏，手动确认' }).click();
  const form = page.locator('.ant-drawer-open').last();
  await form.getByLabel('未扫码原因').fill('标牌被油污覆盖');
  await form.getByRole('button', { name: '确认在现场' }).click();
  await shown.getByText('手动确认：标牌被油污覆盖').waitFor();
  await shown.getByRole('button', { name: '正常', exact: true }).click();
  await shown.getByRole('button', { name: '提交，下一个' }).click();
  await page.getByRole('heading', { name: '扫码点2', exact: true }).waitFor();
  await shown.getByRole('button', { name: '扫描二维码' }).click();
  await shown.getByText(/^\d\d:\d\d已扫码$/).waitFor();
  await look(page, 'scans-open');
  await shown.getByRole('button', { name: '正常', exact: true }).click();
  await shown.getByRole('button', { name: '提交点位' }).click();
  await page.getByText('全部点位已处理。').waitFor();
  const { order, details } = await call(MANAGER, `yuzhu-equip/inspectorder/task?id=${task.id}`);
  assert.deepEqual(
    [order.status, order.isSuspect, order.suspectReasons],
    [3, 1, ['「扫码点1」未扫码，手动确认：标牌被油污覆盖']],
  );
  assert.deepEqual(
    details.map(({ scanOk, noScanReason }) => [scanOk, noScanReason]),
    [
      [0, '标牌被油污覆盖'],
      [1, ''],
    ],
  );
  assert.deepEqual(faults, []);
});
