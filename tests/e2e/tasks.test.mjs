// Tasks are previewed and made from the rules of a plan; one is walked on the phone, with its values judged as they are typed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { bar, stage } from './stage.mjs';

const MANAGER = 'qian.w';
const { call, faults, look, person } = stage();

/** A moment of the plant as the wire writes it. */
function wire(minutes) {
  const at = new Date(Date.now() + minutes * 60_000 + 8 * 3_600_000);
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

test('a rule says when, a preview says what will be made, and the same again makes nothing', async () => {
  const page = await person(MANAGER, DESK);
  await page.goto('/inspect/rule');
  await settled(page);
  await page.getByText('锅炉循环水每4小时').first().waitFor();
  await page.getByText('每周 周一').waitFor();
  assert.deepEqual(await findings(page), []);
  await look(page, 'tasks-rules');
  const [plan] = (await call(MANAGER, 'yuzhu-equip/configinfo/list?configCode=PB-SC')).records;
  const [from, to] = [wire(5 * 1440).slice(0, 10), wire(6 * 1440).slice(0, 10)];
  await page.goto(`/inspect/rule/make?plan=${plan.id}&from=${from}&to=${to}`);
  await settled(page);
  const made = page.getByRole('button', { name: /^生成\d+个任务$/ });
  const count = Number((await made.textContent()).match(/\d+/)[0]);
  assert.ok(count >= 2, String(count));
  assert.deepEqual(await findings(page), []);
  await look(page, 'tasks-make');
  await made.click();
  await page.getByText(`已生成${count}个任务，0个已存在`).waitFor();
  await page.getByRole('button', { name: '生成0个任务' }).waitFor();
  const again = await call(MANAGER, 'yuzhu-equip/configinfo/saveMakeTask', {
    id: plan.id,
    generate: { startDate: from, endDate: to, mode: 1 },
  });
  assert.deepEqual([again.created, again.skipped], [0, count]);
});

test('on the phone a point is walked, the next one skipped, and what was missing is named first', async () => {
  const [route] = (await call(MANAGER, 'yuzhu-equip/inspectgroup/list?groupCode=XL-DL3')).records;
  const [user] = (await call(MANAGER, 'blade-user/select?keyword=qian.w')).records;
  // Plates are scanned in scans.test.mjs.
  await call(MANAGER, 'yuzhu-equip/inspectgroup/submit', {
    id: route.id,
    lockVersion: route.lockVersion,
    needScan: 0,
  });
  const made = await call(MANAGER, 'yuzhu-equip/inspectorder/submit', {
    groupId: route.id,
    planStart: wire(-60),
    planEnd: wire(120),
    userIds: user.id,
  });
  const page = await person(MANAGER, PHONE);
  await page.goto('/inspect/order');
  await settled(page);
  await page.getByText('现在要做').waitFor();
  await look(page, 'tasks-now-phone');
  assert.deepEqual(await findings(page), []);
  await page.goto(`/inspect/order/${made.id}`);
  await settled(page);
  await bar(page, '开始巡检').click();
  const { details } = await call(MANAGER, `yuzhu-equip/inspectorder/task?id=${made.id}`);
  const [first, second] = details;
  const items = page.locator('.x-walk-items > li');
  await items.first().waitFor();
  assert.equal(await items.count(), first.items.length);
  await page.getByRole('button', { name: '提交，下一个' }).click();
  await page.getByText(`检查项「${first.items[0].itemName}」未填写`).waitFor();
  for (const item of first.items) {
    const row = items.filter({ hasText: item.itemName }).first();
    if (item.valueType === 1) {
      const field = row.getByLabel(item.itemName, { exact: true });
      if (item.upper !== null) {
        await field.fill(String(item.upper + 10));
        await row.getByText('判定：异常').waitFor();
      }
      const low = item.warnLower ?? item.lower;
      const high = item.warnUpper ?? item.upper;
      // What lies on a limit is within it.
      await field.fill(String(low ?? high));
      await row.getByText('判定：正常').waitFor();
    } else await row.locator('.x-walk-choice button').first().click();
  }
  for (const button of await page.locator('.x-walk-choice button, .x-walk-bar button').all()) {
    const box = await button.boundingBox();
    assert.ok(box.height >= 44, `${await button.textContent()} is ${box.height} px high`);
  }
  await look(page, 'tasks-walk-phone');
  assert.deepEqual(await findings(page), []);
  await page.getByRole('button', { name: '提交，下一个' }).click();
  await page.getByRole('heading', { name: second.pointName }).waitFor();
  await page.getByRole('button', { name: '跳过该点位' }).click();
  await page.getByLabel('跳过原因').fill('通道封闭施工');
  await page.locator('.ant-drawer-open').getByRole('button', { name: '跳过该点位' }).click();
  await page.locator('.x-walk-points').getByText('跳过').waitFor();
  const after = await call(MANAGER, `yuzhu-equip/inspectorder/task?id=${made.id}`);
  assert.deepEqual([after.order.pointDone, after.order.pointSkipped, after.order.status], [1, 1, 2]);
});

test('the trend of a number with its limits, in English', async () => {
  const [done] = (await call(MANAGER, 'yuzhu-equip/inspectorder/list?status=3&groupName=锅炉')).records;
  const page = await person(MANAGER, DESK, 'en-US');
  await page.goto('/inspect/order');
  await settled(page);
  await look(page, 'tasks-list-en');
  assert.deepEqual(await findings(page), []);
  await page.goto(`/inspect/order/${done.id}`);
  await settled(page);
  assert.deepEqual(await findings(page), []);
  await look(page, 'tasks-done-en');
  await page.getByRole('button', { name: 'Trend' }).first().click();
  await page.getByRole('img', { name: /values from .* to .*, lowest .*, highest / }).waitFor();
  await look(page, 'tasks-trend-en');
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(faults, []);
});
