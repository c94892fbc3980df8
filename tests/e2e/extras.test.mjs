// Extra fields: declared by the keeper, then asked for in the form of an asset and in a report, shown, filtered and sorted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const KEEPER = 'qian.w';
const OPERATOR = 'qin.y';
const MACHINES = 'yuzhu-equip/inspectmachine';

const { call, faults, look, person } = stage();

test('the keeper declares a field, fills it in at an asset, and filters by it', async () => {
  const page = await person(KEEPER, DESK);
  await page.goto('/system/extfield');
  await settled(page);
  assert.deepEqual(await findings(page), []);
  await look(page, 'extras-list');
  await page.getByRole('button', { name: '新增' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('适用对象').click();
  await page.locator('.ant-select-item-option', { hasText: '设备' }).click();
  await form.getByLabel('标识').fill('oil');
  await form.getByLabel('名称', { exact: true }).fill('用油牌号');
  await form.getByLabel('英文名称').fill('Oil grade');
  await form.getByLabel('类型').click();
  await page.locator('.ant-select-item-option', { hasText: '单选' }).click();
  for (const [row, [value, zh, en]] of [
    ['46', '46号抗磨液压油', 'AW 46'],
    ['68', '68号抗磨液压油', 'AW 68'],
  ].entries()) {
    await form.getByRole('button', { name: '添加一行' }).click();
    await form.getByLabel('选项值').nth(row).fill(value);
    await form.getByLabel('选项名称').nth(row).fill(zh);
    await form.locator('.x-details').getByLabel('英文名称').nth(row).fill(en);
  }
  await look(page, 'extras-form');
  await form.getByRole('button', { name: '保存' }).click();
  await page.getByRole('cell', { name: '用油牌号' }).waitFor();

  await page.goto('/equip/machine?machineCode_like=JJ-CNC-001');
  await settled(page);
  await page
    .locator('tbody tr.ant-table-row')
    .first()
    .getByRole('button', { name: /编辑|操作|更多/ })
    .first()
    .click();
  const edit = page.getByRole('menuitem', { name: '编辑' });
  if (await edit.count()) await edit.click();
  const asset = page.getByRole('dialog');
  await asset.getByLabel('用油牌号').scrollIntoViewIfNeeded();
  await asset.getByLabel('用油牌号').click();
  await page.locator('.ant-select-item-option', { hasText: '68号' }).click();
  await look(page, 'extras-asset-form');
  await asset.getByRole('button', { name: '保存' }).click();
  await asset.waitFor({ state: 'hidden' });
  const [machine] = (await call(KEEPER, `${MACHINES}/list?machineCode=JJ-CNC-001`)).records;
  assert.equal(machine.ext.oil, '68');

  await page.goto('/equip/machine?ext.oil=68&descs=ext.contract_no');
  await settled(page);
  assert.equal(await page.locator('tbody tr.ant-table-row').count(), 1);
  await page.getByText('用油牌号: 68号抗磨液压油').waitFor();
  await look(page, 'extras-filtered');
  await page.goto(`/equip/machine/${machine.id}`);
  await page.getByText('68号抗磨液压油').first().waitFor();
  await settled(page);
  assert.deepEqual(await findings(page), []);
  await look(page, 'extras-asset');
});

test('on the phone a report asks for them in English, and the order shows them', async () => {
  const page = await person(OPERATOR, PHONE, 'en-US');
  const [machine] = (await call(KEEPER, `${MACHINES}/list?machineCode=JJ-CNC-002`)).records;
  await page.goto(`/repair/report?machineId=${machine.id}`);
  await settled(page);
  await page.getByLabel('Description').fill('Coolant leaks at the door');
  await page.getByLabel('Impact').click();
  await page.locator('.ant-select-item-option', { hasText: 'The whole line' }).click();
  await look(page, 'extras-report-phone');
  await page.getByRole('button', { name: 'Report fault' }).click();
  await page.waitForURL(/repair\/order\/\d+/);
  await settled(page);
  const order = await call(KEEPER, `yuzhu-equip/repairorder/detail?id=${page.url().split('/').at(-1)}`);
  assert.deepEqual(order.ext, { impact: 'line' });
  const desk = await person(KEEPER, DESK, 'en-US');
  await desk.goto(`/repair/order/${order.id}`);
  await desk.getByText('The whole line').waitFor();
  await settled(desk);
  await look(desk, 'extras-order');
  await desk.goto('/system/extfield');
  await settled(desk);
  await look(desk, 'extras-list-en');
  for (const path of ['/system/extfield', '/repair/order?view=all&ext.impact=line', '/equip/machine']) {
    await page.goto(path);
    await settled(page);
  }
  assert.deepEqual(faults, []);
});
