// Spare parts: a technician requests them on a work order, the storekeeper issues them by scanning, a count finds a difference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const { faults, person, call } = stage();
const REPAIR = 'yuzhu-equip/repairorder';

/** An order that the technician works on; the demo plant's own depend on the time of day. Returns its id. */
async function underRepair() {
  const machines = await call('qin.y', 'yuzhu-equip/inspectmachine/getList?nodeType=4');
  const report = {
    machineId: machines.at(-1).id,
    description: '指示灯不亮',
    urgency: 3,
    isStop: 0,
    force: 1,
  };
  const { id } = await call('qin.y', `${REPAIR}/save`, report);
  const people = await call('wei.b', 'yuzhu-equip/user/machineUsers');
  const { userId } = people.find(({ userName }) => userName === '沈凯');
  for (const [account, action, values] of [
    ['wei.b', 'dispatch', { repairUserId: userId }],
    ['shen.k', 'accept', {}],
  ]) {
    const { lockVersion } = await call(account, `${REPAIR}/detail?id=${id}`);
    await call(account, `${REPAIR}/update`, { id, lockVersion, action, ...values });
  }
  return id;
}

const scan = async (page, code) => {
  const box = page.getByRole('textbox', { name: '扫描条码' });
  await box.fill(code);
  await box.press('Enter');
};

test('a technician requests parts, the storekeeper issues them on a phone, and the order knows their cost', async () => {
  const order = await underRepair();
  const technician = await person('shen.k');
  await technician.goto(`/repair/order/${order}`);
  await settled(technician);
  await technician.getByRole('button', { name: '申请备件' }).click();
  await scan(technician, 'BJ-QT-LB');
  await technician.getByText('指示灯AD16-22').last().waitFor();
  await technician.getByRole('dialog').getByRole('button', { name: '申请备件' }).click();
  await technician.getByRole('dialog').waitFor({ state: 'hidden' });
  await technician.getByText('指示灯AD16-22').first().waitFor();

  const { records } = await call('zhu.m', `yuzhu-equip/spareuselog/list?orderId=${order}`);
  const store = await person('zhu.m', PHONE);
  await store.goto(`/spare/request?show=${records[0].id}`);
  await store.getByRole('button', { name: '出库', exact: true }).first().click();
  const form = store.getByRole('dialog').last();
  await form.getByRole('spinbutton').fill('0');
  await scan(store, 'BJ-QT-LB');
  await form.getByRole('button', { name: '出库', exact: true }).click();
  await store.getByText('已出库').first().waitFor();

  await technician.reload();
  await technician.getByText('已出库').first().waitFor();
  assert.deepEqual(faults, []);
});

test('a count is seen before it is posted, and posts its differences at once', async () => {
  const store = await person('zhu.m');
  await store.goto('/spare/count');
  await scan(store, 'BJ-YB-RDO');
  await store.getByRole('spinbutton', { name: /热电偶K型/ }).fill('5');
  await scan(store, 'nothing');
  await store.getByText('没有条码或编号为「nothing」的备件').waitFor();
  await store.getByRole('button', { name: '预览差异' }).click();
  await store.getByRole('textbox', { name: '盘点说明' }).fill('抽盘');
  await store.getByRole('button', { name: '盘点入账' }).click();
  await store.getByText('还没有盘点的备件').waitFor();
  await store.goto('/spare/flow');
  await store.getByText('热电偶K型').first().waitFor();
  assert.deepEqual(faults, []);
});
