// A check standard is written, a route is laid with points in their order, and a limit is changed on the phone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { bar, stage } from './stage.mjs';

const MANAGER = 'qian.w';
const { call, faults, look, person } = stage();

const items = (page) => page.locator('.x-item');
const scale = (page) => page.locator('.x-item-body .x-scale');
const drawer = (page) => page.locator('.ant-drawer-open').last();
test('a standard with a coloured scale, then a route with points put in order by keys', async () => {
  const page = await person(MANAGER, DESK);
  await page.goto('/inspect/config/new');
  await settled(page);
  await page.getByLabel('标准编号').fill('E2E-1');
  await page.getByLabel('标准名称').fill('冷却水泵点检');
  await items(page).first().locator('.x-item-title').click();
  const form = page.locator('.x-item-body');
  await form.getByLabel('检查项', { exact: true }).fill('出口压力');
  await form.getByText('数值', { exact: true }).click();
  await form.getByLabel('单位').fill('MPa');
  await form.getByLabel('小数位').fill('2');
  for (const [name, value] of [
    ['下限', '0.28'],
    ['预警下限', '0.30'],
    ['预警上限', '0.45'],
    ['上限', '0.40'],
  ])
    await form.getByLabel(name, { exact: true }).fill(value);
  await form.getByText('检查项「出口压力」的上下限顺序不正确').waitFor();
  assert.equal(await scale(page).count(), 0);
  await form.getByLabel('上限', { exact: true }).fill('0.50');
  assert.match(await scale(page).getAttribute('aria-label'), /^低于0\.28 MPa为异常，.*高于0\.50 MPa为异常$/);
  assert.equal(await scale(page).locator('.x-scale-zone').count(), 5);
  await page.getByRole('button', { name: '添加检查项' }).click();
  await bar(page, '保存').click();
  await page.getByText('有1个检查项需要修改，已标出').waitFor();
  await page.locator('.x-item-body').getByLabel('检查项', { exact: true }).fill('机械密封');
  assert.deepEqual(await findings(page), []);
  await look(page, 'rounds-standard');
  await bar(page, '保存').click();
  await page.waitForURL('**/inspect/config');
  const [standard] = (await call(MANAGER, 'yuzhu-equip/inspectConfig/list?configCode=E2E-1')).records;
  assert.deepEqual([standard.itemCount, standard.versionNo], [2, 1]);

  const [model] = (await call(MANAGER, 'yuzhu-equip/inspectgroup/list?groupCode=XL-DL3')).records;
  const made = await call(MANAGER, 'yuzhu-equip/inspectgroup/submit', {
    groupCode: 'E2E-R',
    groupName: '水泵巡检',
    deptId: model.deptId,
    leaderId: model.leaderId,
  });
  const machines = await call(MANAGER, 'yuzhu-equip/inspectmachine/getList?keyword=循环水泵');
  for (const [place, machine] of machines.entries())
    await call(MANAGER, 'yuzhu-equip/inspectpoint/save', {
      groupId: made.id,
      machineId: machine.id,
      pointCode: `E2E-P${place}`,
      pointName: `测点${place}`,
      configIds: standard.id,
    });
  await page.goto(`/inspect/group/${made.id}`);
  await settled(page);
  assert.deepEqual(await page.locator('.x-point strong').allTextContents(), ['1. 测点0', '2. 测点1']);
  assert.equal(await page.locator('.x-point .x-scale').count(), 2);
  await page.getByRole('button', { name: '移动检查项「测点1」' }).press('ArrowUp');
  await page.getByText('「测点1」已移到第1位').waitFor();
  await page.waitForResponse((answer) => answer.url().endsWith('/inspectpoint/sort') && answer.ok());
  const codes = (await call(MANAGER, `yuzhu-equip/inspectpoint/getList?groupId=${made.id}`)).map(
    (row) => row.pointCode,
  );
  assert.deepEqual(codes, ['E2E-P1', 'E2E-P0']);
  // And back by the mouse.
  const [first, second] = await page.locator('.x-point .x-item-handle').all();
  const [from, to] = [await first.boundingBox(), await second.boundingBox()];
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, to.y + 160, { steps: 8 });
  await page.mouse.up();
  await page.waitForResponse((answer) => answer.url().endsWith('/inspectpoint/sort') && answer.ok());
  assert.deepEqual(await page.locator('.x-point strong').allTextContents(), ['1. 测点0', '2. 测点1']);
  assert.deepEqual(await findings(page), []);
  await look(page, 'rounds-route');
});

test('on the phone a limit is changed in English, and the earlier version can still be read', async () => {
  const page = await person(MANAGER, PHONE, 'en-US');
  const [standard] = (await call(MANAGER, 'yuzhu-equip/inspectConfig/list?configCode=BZ-KY')).records;
  await page.goto(`/inspect/config/${standard.id}/edit`);
  await settled(page);
  await items(page).first().locator('.x-item-title').click();
  await page.getByLabel('Upper limit', { exact: true }).fill('0.85');
  assert.match(await scale(page).getAttribute('aria-label'), /Abnormal above 0\.85 MPa$/);
  assert.deepEqual(await findings(page), []);
  await look(page, 'rounds-phone');
  await bar(page, 'Save').click();
  await page.waitForURL('**/inspect/config');
  await page.goto(`/inspect/config?show=${standard.id}`);
  const shown = drawer(page);
  await shown.getByLabel('Version to show').click();
  await page.locator('.ant-select-item', { hasText: 'Version 1' }).click();
  await shown.getByText('These are the check items of version 1, which is no longer in use.').waitFor();
  await shown
    .getByRole('img', { name: /Abnormal above 0\.80 MPa$/ })
    .first()
    .waitFor();
  assert.deepEqual(faults, []);
});
