// What will cross its limit is listed, seen in its trend, reported with a text that is there already, and set aside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const MANAGER = 'qian.w';
const { call, faults, look, person } = stage();

async function choose(page, name) {
  await page.locator('tbody tr', { hasText: '排烟温度' }).getByRole('button').last().click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  await settled(page);
}

test('a boiler that gets dirty is forecast, reported and set aside', async () => {
  const [row] = (await call(MANAGER, 'yuzhu-equip/inspectforecast/list')).records;
  assert.equal(row.itemName, '排烟温度');
  const page = await person(MANAGER, DESK);
  await page.goto('/inspect/forecast');
  await settled(page);
  await page.getByText('预警上限160℃').first().waitFor();
  assert.deepEqual(await findings(page), []);
  await look(page, 'forecast-list');
  await choose(page, '查看趋势');
  await page.getByText(/^按目前趋势，约\d+月\d+日达到预警上限160℃/).waitFor();
  assert.equal(await page.locator('.x-trend-ray').count(), 1);
  assert.deepEqual(await findings(page), []);
  await look(page, 'forecast-trend');
  await page.goto('/inspect/forecast');
  await settled(page);
  await choose(page, '报修');
  const text = await page.getByLabel('故障描述').inputValue();
  assert.match(text, /^排烟温度按目前趋势，约\d+月\d+日达到预警上限160℃（.+）。$/);
  await page.goto('/inspect/forecast');
  await settled(page);
  await choose(page, '搁置');
  await page.getByRole('button', { name: '搁置', exact: true }).click();
  await page.getByText('请输入搁置原因').waitFor();
  await page.getByLabel('搁置原因').fill('下周清灰');
  await page.getByRole('button', { name: '搁置', exact: true }).click();
  await page.locator('tbody tr', { hasText: '排烟温度' }).waitFor({ state: 'detached' });
  const [aside] = (await call(MANAGER, 'yuzhu-equip/inspectforecast/list?status=2')).records;
  assert.deepEqual([aside.id, aside.dismissReason], [row.id, '下周清灰']);
  assert.deepEqual(faults, []);
});
