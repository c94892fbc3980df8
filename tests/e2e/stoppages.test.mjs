// Stoppages are recorded for several assets, ended and withdrawn, and seen in the calendar; a job is run once and its run read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const MANAGER = 'qian.w';
const ADMIN = 'zhao.m';
const LOG = 'yuzhu-equip/inspectrestlog';
const { call, faults, look, person } = stage();

const drawer = (page) => page.locator('.ant-drawer-open').last();

test('a stoppage of two assets is recorded, ended and withdrawn', async () => {
  const page = await person(MANAGER, DESK);
  await page.goto('/equip/stoppage');
  await settled(page);
  await look(page, 'stoppages-desk');
  assert.deepEqual(await findings(page), []);
  await page.getByRole('button', { name: '登记停机' }).first().click();
  const form = drawer(page);
  await form.getByLabel('设备', { exact: true }).click();
  for (const code of ['JJ-CNC-001', 'JJ-CNC-002']) {
    await form.getByLabel('设备', { exact: true }).fill(code);
    await page.locator('.ant-select-tree-title', { hasText: code }).first().click();
  }
  await page.keyboard.press('Escape');
  await form.getByLabel('停机类型').click();
  await page.locator('.ant-select-item-option', { hasText: '待料待单' }).click();
  await form.getByLabel('原因说明').fill('等待毛坯');
  await look(page, 'stoppage-form');
  await form.getByRole('button', { name: '登记', exact: true }).click();
  await page.getByText('已登记2条停机记录。').waitFor();
  const rows = async () => (await call(MANAGER, `${LOG}/list?restStatus=2&source=1`)).records;
  assert.deepEqual(
    (await rows()).map((row) => row.restTypeName),
    ['待料待单', '待料待单'],
  );
  const row = page.locator('tr', { hasText: '停机中' }).filter({ hasText: '待料待单' });
  await row.first().getByRole('button', { name: '结束停机' }).click();
  await drawer(page).getByRole('button', { name: '结束停机' }).click();
  await page.locator('.ant-message').getByText('停机已结束').waitFor();
  assert.equal((await rows()).length, 1);
  await settled(page);
  await row.first().getByRole('button', { name: '撤销' }).click();
  await drawer(page).getByRole('button', { name: '撤销' }).click();
  await drawer(page).getByText('请输入撤销原因').waitFor();
  await drawer(page).getByLabel('撤销原因').fill('登记有误');
  await drawer(page).getByRole('button', { name: '撤销' }).click();
  await page.getByText('停机记录已撤销').waitFor();
  assert.deepEqual(await rows(), []);
});

test('the calendar shows them at the desk and on the phone, in both languages', async () => {
  for (const [viewport, language, name] of [
    [DESK, 'zh-CN', 'desk-zh'],
    [DESK, 'en-US', 'desk-en'],
    [PHONE, 'zh-CN', 'phone-zh'],
    [PHONE, 'en-US', 'phone-en'],
  ]) {
    const page = await person(MANAGER, viewport, language);
    await page.goto('/equip/stoptable?onlyStopped=1');
    await page.locator('td .x-stop').first().waitFor();
    await settled(page);
    await look(page, `stoptable-${name}`);
    assert.deepEqual(await findings(page), [], name);
    await page.goto('/equip/stoppage');
    await settled(page);
    await look(page, `stoppages-${name}`);
    assert.deepEqual(await findings(page), [], name);
    await page.close();
  }
});

test('a job of the business is run once, and its run is read', async () => {
  const page = await person(ADMIN, DESK);
  await page.goto('/monitor/job');
  await settled(page);
  await look(page, 'jobs-desk');
  assert.deepEqual(await findings(page), []);
  const row = page.locator('tr', { hasText: '刷新停机状态' });
  await row.getByRole('button', { name: '执行一次' }).click();
  await page.locator('.ant-modal').getByRole('button', { name: '执行一次' }).click();
  await page.getByText('已提交执行，结果见执行记录。').waitFor();
  await row.getByRole('button', { name: '执行记录' }).click();
  await page.getByRole('heading', { name: '刷新停机状态的执行记录' }).waitFor();
  await page.locator('tr', { hasText: '手动' }).first().click();
  await drawer(page).getByText('100001 handled=').waitFor();
  await look(page, 'run-desk');
  const phone = await person(ADMIN, PHONE, 'en-US');
  await phone.goto('/monitor/job');
  await settled(phone);
  await look(phone, 'jobs-phone-en');
  assert.deepEqual(await findings(phone), []);
});

test('nothing complained', () => assert.deepEqual(faults, []));

test('the KPI report is filtered, a figure opens its records, and it goes out as a workbook and as a PDF', async () => {
  const page = await person(MANAGER, DESK);
  const month = (await call(MANAGER, 'yuzhu-equip/kpi/report?groupBy=month&size=20')).records.find(
    (row) => row.failures > 0,
  );
  const [year, number] = month.key.split('-').map(Number);
  await page.goto(`/wel/kpi?year=${year}&month=${number}&descs=failures`);
  await settled(page);
  const first = (await call(MANAGER, `yuzhu-equip/kpi/report?year=${year}&month=${number}&descs=failures`))
    .records[0];
  await page.getByPlaceholder('名称或编号').fill(first.code);
  await page.waitForURL(/keyword=/);
  await settled(page);
  await page
    .locator('tbody tr', { hasText: first.code })
    .getByRole('button', { name: '故障次数的明细' })
    .click();
  await drawer(page).getByText(`共${first.failures}条`).waitFor();
  assert.equal(await drawer(page).locator('.x-report-records > li').count(), first.failures);
  await page.keyboard.press('Escape');
  await settled(page);
  assert.deepEqual(await findings(page), []);
  for (const [button, ending] of [
    ['导出Excel', '.xlsx'],
    ['导出PDF', '.pdf'],
  ]) {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    assert.ok(file.suggestedFilename().endsWith(ending), file.suggestedFilename());
  }
});
