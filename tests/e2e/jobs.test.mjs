// The main job of each role, done by somebody who has that role alone: what a screen offers succeeds. Where another file
// has it, it is not done again here:
//
//   platform administrator   another company is read             tests/contract/test_wall.py, no work of a plant
//   company administrator    jobs, users, required fields        stoppages, sheets, plates
//   equipment manager        standards, plan, calendar           upkeep, rounds, tasks; an order by hand: here
//   workshop head            checks maintenance                  here
//   shift leader             schedule, checks maintenance        shifts, checkers
//   inspector                walks a route                       here; plates and camera: scans
//   repair leader            dispatches                          story, taps; looks at maintenance: checkers
//   technician               repairs; maintenance                story, taps; here
//   storekeeper              issues and counts parts             spares
//   operator                 reports, checks a repair            story, taps, plates
//   management, read only    figures and their records           here; the calendar: upkeep
//   contractor               repairs what is assigned            here
//   process designer, HR     models; leave                       tailored, checkers; story
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const { call, faults, look, person } = stage();
const [MAINTENANCE, REPAIRS] = ['yuzhu-equip/maintainorder', 'yuzhu-equip/repairorder'];
const MACHINE = 'JJ-CNC-003';

const form = (page) => page.locator('.ant-drawer-open').last();
const send = (page, name) =>
  form(page).locator('.ant-drawer-footer').getByRole('button', { name, exact: true });
const becomes = (page, word) => state(page).filter({ hasText: word }).waitFor();
const opened = (page, path) => page.goto(path).then(() => settled(page));
const machine = async () =>
  (await call('qian.w', `yuzhu-equip/inspectmachine/list?machineCode=${MACHINE}`)).records[0].id;
/** What the bar at the bottom offers. */
const offered = async (page) =>
  (await page.locator('.x-sticky-bar').getByRole('button').allInnerTexts()).map((text) =>
    text.replace(/\s/g, ''),
  );

/** Draws a line in the box, as a finger does. */
async function sign(page) {
  const box = page.locator('.x-sign canvas');
  await box.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await box.boundingBox();
  await page.mouse.move(x + width / 4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 4);
  await page.mouse.move(x + (width * 3) / 4, y + height / 2);
  await page.mouse.up();
  await page.locator('.x-sign .ant-image').waitFor();
}

test('the manager makes an order, a technician does it on the phone, the head of the workshop checks it', async () => {
  await call('qian.w', 'yuzhu-equip/inspectConfig/save', {
    configType: 2,
    configCode: 'BY-JOBS',
    configName: '导轨保养',
    triggerType: 1,
    cycleValue: 6,
    cycleUnit: 3,
    needSign: 1,
    safety: '停机、断电、上锁挂牌',
    items: [
      { itemName: '导轨清洁', valueType: 2 },
      { itemName: '液压压力', valueType: 1, unit: 'MPa', decimals: 1, upper: 5, abnormalAction: 2 },
    ],
    machines: [{ machineId: await machine(), firstDueDate: '2099-01-01' }],
  });
  const manager = await person('qian.w', DESK);
  await opened(manager, '/maintain/new');
  await manager.getByLabel('设备', { exact: true }).fill(MACHINE);
  await manager.locator('.ant-select-tree-title').filter({ hasText: MACHINE }).first().click();
  await manager.getByLabel('保养标准').click();
  await manager.locator('.ant-select-item-option').filter({ hasText: '导轨保养' }).click();
  await settled(manager);
  await look(manager, 'jobs-new');
  await manager.getByRole('button', { name: '新建', exact: true }).click();
  await manager.waitForURL(/\/maintain\/order\/\d+$/);
  await becomes(manager, '待执行');
  const order = new URL(manager.url()).pathname;
  const number = await manager.locator('.x-doc-number').textContent();

  const technician = await person('jiang.p', PHONE);
  await technician.goto('/work/claim');
  await technician.locator('.x-card').filter({ hasText: number }).locator('.x-card-open').click();
  await bar(technician, '开始保养').click();
  await send(technician, '开始保养').click();
  await form(technician).getByText('请确认安全措施').waitFor();
  await form(technician).getByRole('checkbox').check();
  await send(technician, '开始保养').click();
  await becomes(technician, '执行中');
  await bar(technician, '提交保养').click();
  await form(technician).getByRole('button', { name: '其余全部正常' }).click();
  await form(technician).getByText('已填1项，共2项').waitFor();
  await send(technician, '提交保养').click();
  await form(technician).getByText('项目「液压压力」未填写结果').first().waitFor();
  await form(technician).getByLabel('液压压力', { exact: true }).fill('6.5');
  await form(technician).getByText('判定：异常').waitFor();
  await form(technician).getByLabel('液压压力 处理说明').fill('溢流阀卡滞，已报修');
  await sign(technician);
  await look(technician, 'jobs-work');
  assert.deepEqual(await findings(technician), []);
  await send(technician, '提交保养').click();
  await becomes(technician, '待验收');
  // What was abnormal is a work order by now.
  const repair = technician.locator('.x-check').filter({ hasText: '液压压力' }).getByRole('link');
  assert.match(await repair.innerText(), /^WX\d+$/);
  assert.equal(await bar(technician, '验收').count(), 0);
  // A signature is shown whole, not cut to a square.
  const fit = (image) => getComputedStyle(image).objectFit;
  assert.equal(await technician.locator('.x-signature img').evaluate(fit), 'contain');
  await look(technician, 'jobs-submitted');
  await repair.click();
  await becomes(technician, '待派单');

  const head = await person('sun.j', DESK);
  await opened(head, order);
  await look(head, 'jobs-check');
  await bar(head, '验收').click();
  await form(head).locator('.x-choice').filter({ hasText: '保养单完成' }).click();
  await send(head, '验收').click();
  await becomes(head, '已完成');
  assert.deepEqual(await offered(head), ['抄送']);
  assert.deepEqual(faults, []);
});

test('an inspector walks a task of the own to its next point on the phone', async () => {
  const [route] = (await call('qian.w', 'yuzhu-equip/inspectgroup/list?groupCode=XL-DL3')).records;
  const { id, lockVersion } = route;
  await call('qian.w', 'yuzhu-equip/inspectgroup/submit', { id, lockVersion, needScan: 0 });
  const [user] = (await call('qian.w', 'blade-user/select?keyword=wang.f')).records;
  const wire = (minutes) =>
    new Date(Date.now() + minutes * 60_000).toLocaleString('sv', { timeZone: 'Asia/Shanghai' });
  const made = await call('qian.w', 'yuzhu-equip/inspectorder/submit', {
    groupId: id,
    planStart: wire(-60),
    planEnd: wire(120),
    userIds: user.id,
  });
  const page = await person('wang.f', PHONE);
  await opened(page, `/inspect/order/${made.id}`);
  await bar(page, '开始巡检').click();
  const { details } = await call('wang.f', `yuzhu-equip/inspectorder/task?id=${made.id}`);
  const [first, second] = details;
  for (const item of first.items) {
    const row = page.locator('.x-walk-items > li').filter({ hasText: item.itemName }).first();
    const [low, high] = [item.warnLower ?? item.lower, item.warnUpper ?? item.upper];
    if (item.valueType === 1) await row.getByLabel(item.itemName, { exact: true }).fill(String(low ?? high));
    else await row.locator('.x-walk-choice button').first().click();
  }
  await page.getByRole('button', { name: '提交，下一个' }).click();
  await page.getByRole('heading', { name: second.pointName }).waitFor();
  const { order } = await call('wang.f', `yuzhu-equip/inspectorder/task?id=${made.id}`);
  assert.deepEqual([order.pointDone, order.status], [1, 2]);
  await look(page, 'jobs-inspector');
  assert.deepEqual(faults, []);
});

test('a contractor accepts and finishes the one order that is assigned, and sees no other', async () => {
  const { records: accounts } = await call('zhao.m', 'blade-user/list?account=lv.w');
  const [{ id: userId }] = accounts;
  await call('zhao.m', 'blade-user/update', { ...accounts[0], status: 1 });
  const report = {
    machineId: await machine(),
    description: '防护门轨道变形',
    urgency: 3,
    isStop: 0,
    force: 1,
  };
  const { id, orderNo } = await call('qin.y', `${REPAIRS}/save`, report);
  const { lockVersion } = await call('wei.b', `${REPAIRS}/detail?id=${id}`);
  const dispatch = { id, lockVersion, action: 'dispatch', repairUserId: userId };
  await call('wei.b', `${REPAIRS}/update`, dispatch);

  const page = await person('lv.w', PHONE);
  await opened(page, '/repair/order');
  assert.deepEqual(await page.locator('.x-card').count(), 1);
  await page.locator('.x-card').filter({ hasText: orderNo }).locator('.x-card-open').click();
  await bar(page, '接单').click();
  await send(page, '接单').click();
  await becomes(page, '维修中');
  await look(page, 'jobs-contractor');
  await bar(page, '完工').click();
  await form(page).getByLabel('故障原因').click();
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click();
  await form(page).locator('.x-word input').first().check();
  await form(page).getByLabel('维修措施').fill('校正轨道');
  await form(page).getByRole('button', { name: '添加工时' }).click();
  await form(page).getByLabel('说明').fill('现场校正');
  await send(page, '保存').click();
  await form(page).locator('.x-line').filter({ hasText: '现场校正' }).waitFor();
  await send(page, '完工').click();
  await becomes(page, '待验收');
  assert.deepEqual(faults, []);
});

test('who only reads opens the records behind a figure, and is offered no act', async () => {
  const page = await person('he.z', DESK);
  await opened(page, '/wel/dashboard');
  await look(page, 'jobs-dashboard');
  assert.equal(await page.locator('.x-status, .x-error').count(), 0);
  const report = 'yuzhu-equip/kpi/report?groupBy=month&size=20';
  const { key, failures } = (await call('he.z', report)).records.find((row) => row.failures > 0);
  await opened(page, '/wel/kpi?groupBy=month');
  await page.locator('tbody tr', { hasText: key }).getByRole('button', { name: '故障次数的明细' }).click();
  await form(page).getByText(`共${failures}条`).waitFor();
  const { records } = await call('he.z', `${MAINTENANCE}/list?status=1`);
  await opened(page, `/maintain/order/${records[0].id}`);
  await becomes(page, '待执行');
  assert.deepEqual(await offered(page), []);
  assert.deepEqual(faults, []);
});
