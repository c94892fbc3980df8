// A maintenance standard with its cycle and assets is added; its first order is moved in the calendar by the keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const MANAGER = 'qian.w';
const { call, faults, look, person } = stage();
const NEW = { configType: 2, triggerType: 3, cycleValue: 6, cycleUnit: 3, runInterval: 2000 };

test('the standards say their cycles, and one shows what is due', async () => {
  const [machine] = (await call(MANAGER, 'yuzhu-equip/inspectmachine/list?machineCode=JJ-CNC-002')).records;
  await call(MANAGER, 'yuzhu-equip/inspectConfig/save', {
    ...NEW,
    configCode: 'BY-TEST',
    configName: '磨合保养',
    items: [{ itemName: '油位' }],
    machines: [{ machineId: machine.id, firstDueDate: '2099-01-01' }],
  });
  const page = await person(MANAGER, DESK);
  await page.goto('/maintain/config?keyword=磨合');
  await settled(page);
  const row = page.locator('tbody tr', { hasText: '磨合保养' });
  await row.getByText('每6个月或每2000小时（先到为准）').waitFor();
  assert.deepEqual(await findings(page), []);
  await look(page, 'upkeep-standards');
  await row.getByText('磨合保养').click();
  await page.getByText('2099-01-01').first().waitFor();
  assert.deepEqual(await findings(page), []);
  await look(page, 'upkeep-standard');
  await page.goto('/maintain/config/new');
  await settled(page);
  await page.getByText('先到为准', { exact: true }).click();
  await page.getByText('日期和读数哪个先到就按哪个；完成后两者都重新计算。').waitFor();
  assert.equal(await page.getByLabel('周期起算').count(), 0);
  assert.deepEqual(await findings(page), []);
  await look(page, 'upkeep-form');
});

test('an order is planned for the next day with the arrow key', async () => {
  const page = await person(MANAGER, DESK);
  await page.goto('/maintain/calendar?view=month');
  await settled(page);
  const chip = page.locator('.x-upkeep-chip[draggable="true"]:not([data-state="overdue"])').first();
  await chip.waitFor();
  const number = /BY\d+/.exec(await chip.getAttribute('aria-label'))[0];
  const [before] = (await call(MANAGER, `yuzhu-equip/maintainorder/list?orderNo=${number}`)).records;
  await look(page, 'upkeep-calendar');
  await chip.focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[role="status"]', { hasText: '已移到' }).waitFor({ state: 'attached' });
  await settled(page);
  const [after] = (await call(MANAGER, `yuzhu-equip/maintainorder/list?orderNo=${number}`)).records;
  assert.notEqual(after.planStart, before.planStart);
  assert.equal(after.dueDate, before.dueDate);
  assert.deepEqual(await findings(page), []);
  await page.getByRole('button', { name: '均衡建议' }).click();
  await page.getByText('确认后才会移动').waitFor();
  await settled(page);
  await look(page, 'upkeep-balance');
  assert.deepEqual(faults, []);
});

test('who only reads moves nothing', async () => {
  const page = await person('he.z', DESK);
  await page.goto('/maintain/calendar');
  await settled(page);
  await page.getByText('改计划日期由设备主管操作', { exact: false }).waitFor();
  assert.equal(await page.locator('.x-upkeep-chip[draggable="true"]').count(), 0);
  assert.equal(await page.getByRole('button', { name: '均衡建议' }).count(), 0);
});

test('each figure of the first page opens as many rows as it counts, on a desk and on a phone', async () => {
  for (const [who, size, names] of [
    [MANAGER, DESK, ['超时的维修工单', '7天内到期的保养单', '新的报修', '需要补货的备件']],
    ['zhu.m', PHONE, ['需要补货的备件']],
  ]) {
    const page = await person(who, size);
    for (const name of names) {
      await page.goto('/wel/index');
      const row = page.locator('.x-matter').filter({ has: page.getByText(name, { exact: true }) });
      await row.waitFor();
      assert.deepEqual(await findings(page), [], name);
      const count = await row.locator('.x-matter-count').innerText();
      await row.click();
      await page
        .locator('.x-head .x-head-count')
        .getByText(new RegExp(`^\\D*${count}\\D*$`))
        .waitFor();
    }
  }
  assert.deepEqual(faults, []);
});
