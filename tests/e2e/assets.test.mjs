// The history card of an asset: at the desk its meter is read and it is put out of use, on the phone its meter is read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const { faults, person, call, look } = stage();

async function asset(code) {
  const { records } = await call('qian.w', `yuzhu-equip/inspectmachine/list?machineCode=${code}`);
  return records[0];
}

const total = async ({ id }) => (await call('qian.w', `yuzhu-equip/inspectmachine/detail?id=${id}`)).runHours;

test('at the desk a reading that cannot be is refused, a right one counts, and the asset is put out of use', async () => {
  const pump = await asset('DL-WP-001');
  // The refusal is one that the browser complains about.
  const page = await person('qian.w', DESK, 'zh-CN', { complaints: [] });
  await page.goto(`/equip/machine/${pump.id}`);
  await page.getByRole('img', { name: /累计运行/ }).waitFor();
  await page.getByText(/无故障，已运行|次故障/).waitFor();
  await look(page, 'asset-1');
  await page.getByRole('button', { name: '抄表' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('读数', { exact: true }).fill('12');
  await drawer.getByRole('button', { name: '保存' }).click();
  await drawer.getByText(/^读数不能小于上次读数.*如已更换计数器请勾选“换表”$/).waitFor();
  assert.equal(await total(pump), pump.runHours);
  await drawer.getByLabel('换表').click();
  await drawer.getByLabel('新表起始读数').fill('10');
  await drawer.getByRole('button', { name: '保存' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.getByText('换表', { exact: true }).waitFor();
  assert.equal(await total(pump), Math.round((pump.runHours + 2) * 10) / 10);

  await page.getByRole('button', { name: '变更状态' }).click();
  await drawer.getByText('停用', { exact: true }).click();
  await drawer.getByRole('button', { name: '确定变更' }).click();
  await drawer.getByText('请输入变更原因').waitFor();
  await drawer.getByLabel('变更原因').fill('等待大修');
  await drawer.getByRole('button', { name: '确定变更' }).click();
  await page.getByText('已变更1台设备的状态。').waitFor();
  await page.getByText(/钱伟 · 等待大修/).waitFor();
  assert.equal((await asset('DL-WP-001')).runStateName, '停用');
  await settled(page);
  assert.deepEqual(await findings(page), []);
  await look(page, 'asset-2');
});

test('on the phone an operator reads a meter in English', async () => {
  const lathe = await asset('JJ-CNC-002');
  const page = await person('qin.y', PHONE, 'en-US');
  await page.goto(`/equip/machine/${lathe.id}`);
  await page.getByRole('button', { name: 'Enter reading' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(/last reading/).waitFor();
  await drawer.getByLabel('Reading', { exact: true }).fill(String(lathe.runHours + 1.5));
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.getByText('+1.5').waitFor();
  assert.equal(await total(lathe), lathe.runHours + 1.5);
  // Whoever reads meters keeps no assets.
  assert.equal(await page.getByRole('button', { name: 'Change status' }).count(), 0);
  assert.deepEqual(await findings(page), []);
  await look(page, 'asset-3');
  assert.deepEqual(faults, []);
});
