// How many taps the usual jobs take, counted in the page. Typing and the choice of a file are no taps: fields are filled without one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, settled } from './harness.mjs';
import { stage, state } from './stage.mjs';

const { call, faults, look, person } = stage();

/** Counts what a finger or a mouse presses; the clicks that a browser adds by itself, such as a label's, are none. */
function counting() {
  let taps = Number(sessionStorage.getItem('taps') ?? 0);
  addEventListener(
    'pointerdown',
    ({ isTrusted }) => {
      if (isTrusted) sessionStorage.setItem('taps', String(++taps));
    },
    true,
  );
}

/** The person at the start of a job: nothing has been tapped yet. */
async function ready(account, viewport, start = '/wel/index') {
  const page = await person(account, viewport);
  await page.context().addInitScript(counting);
  await page.goto(start);
  await settled(page);
  await begin(page);
  return page;
}

const begin = (page) => page.evaluate(() => sessionStorage.setItem('taps', '0')).then(() => page.reload());

async function taken(here, page, job, most) {
  const taps = await page.evaluate(() => Number(sessionStorage.getItem('taps')));
  assert.ok(taps > 0, `${job}: no tap was counted`);
  assert.ok(taps <= most, `${job}: ${taps} taps, at most ${most} are wanted`);
  here.diagnostic(`${job}: ${taps}`);
}

const button = (scope, name) => scope.getByRole('button', { name, exact: true });
const form = (page) => page.locator('.ant-drawer-open').last();

/** A leave of the operator for which the person is asked, by its number. */
async function leaveFor(approver, day) {
  const [definition] = (await call('qin.y', 'blade-flow/work/start-list?name=leave')).records;
  const people = await call('qin.y', `blade-user/select?keyword=${encodeURIComponent(approver)}`);
  const { leaveNo } = await call('qin.y', 'blade-desk/process/leave/start-process', {
    processDefinitionId: definition.id,
    taskUser: (people.records ?? people)[0].id,
    type: 1,
    startTime: `${day} 08:00:00`,
    endTime: `${day} 17:00:00`,
    reason: '家中有事',
  });
  return leaveNo;
}

/** The order of the whole file: reported, dispatched, accepted. */
let order;

test('from the home page of a phone a fault is reported with a photo in five taps', async (here) => {
  const page = await ready('qin.y', PHONE);
  await page.getByRole('button', { name: '我要报修' }).click();
  await page.getByLabel('设备', { exact: true }).waitFor();
  await page.getByRole('group', { name: '我的设备' }).locator('.x-word').first().click();
  await page.locator('.x-word').filter({ hasText: '异响' }).click();
  await page.getByLabel('故障描述').fill('主轴启动时有异响，停机后消失');
  await page
    .locator('.x-form-page input[type=file]')
    .first()
    .setInputFiles({ name: 'fault.png', mimeType: 'image/png', buffer: await page.screenshot() });
  await page.locator('.x-photo .ant-image').first().waitFor();
  await page.getByRole('button', { name: '提交报修' }).click();
  await page.waitForURL(/\/repair\/order\/\d+$/);
  await state(page).filter({ hasText: '待派单' }).waitFor();
  await taken(here, page, 'report', 5);
  order = await page.locator('.x-doc-number').textContent();
});

test('from the inbox an order is dispatched to the proposed person in three clicks', async (here) => {
  const page = await ready('wei.b', DESK, '/work/todo');
  const row = page.getByRole('row').filter({ hasText: order });
  await button(row, '派单').click();
  // Somebody is proposed already.
  await form(page).getByText('系统建议').waitFor();
  await look(page, 'taps-dispatch');
  await form(page).locator('.ant-drawer-footer').getByRole('button', { name: '派单', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  await taken(here, page, 'dispatch', 3);
});

test('from the home page of a phone an order is accepted in two taps', async (here) => {
  const found = await call('wei.b', `yuzhu-equip/repairorder/list?orderNo=${order}`);
  const [{ id, status, repairUserName }] = found.records;
  assert.equal(status, 2);
  // Whoever was proposed need not be this test's repairer.
  if (repairUserName !== '蒋平') {
    const { lockVersion } = await call('wei.b', `yuzhu-equip/repairorder/detail?id=${id}`);
    const people = await call('wei.b', 'yuzhu-equip/user/machineUsers');
    const { userId } = people.find(({ userName }) => userName === '蒋平');
    await call('wei.b', 'yuzhu-equip/repairorder/update', {
      id,
      lockVersion,
      action: 'dispatch',
      repairUserId: userId,
    });
  }
  const page = await ready('jiang.p', PHONE);
  const entry = page.locator('.x-home-task').filter({ hasText: '异响' }).first();
  await look(page, 'taps-accept');
  await button(entry, '接单').click();
  await page.getByText('已接单：').waitFor();
  await taken(here, page, 'accept', 2);
  assert.equal((await call('wei.b', `yuzhu-equip/repairorder/detail?id=${id}`)).status, 3);
});

test('from the inbox a leave is approved in one click, with an opinion in two', async (here) => {
  const [plain, worded] = [await leaveFor('钱伟', '2027-03-01'), await leaveFor('钱伟', '2027-03-02')];
  const page = await ready('qian.w', DESK, '/work/todo');
  const row = (number) => page.getByRole('row').filter({ hasText: number });
  await button(row(plain), '同意').click();
  await row(plain).waitFor({ state: 'detached' });
  await taken(here, page, 'approve', 1);
  await begin(page);
  await button(row(worded), '办理').click();
  await page.getByLabel('处理意见').fill('同意，请交接好工作');
  await look(page, 'taps-opinion');
  await button(page, '同意').click();
  await page.waitForURL('**/work/todo');
  await taken(here, page, 'approve with an opinion', 2);
  const done = await call('qian.w', 'blade-flow/work/done-list');
  const told = [plain, worded].map((number) => done.records.find(({ businessNo }) => businessNo === number));
  assert.deepEqual(
    told.map(({ outcomeName, comment }) => [outcomeName, comment]),
    [
      ['同意', ''],
      ['同意', '同意，请交接好工作'],
    ],
  );
});

test('from the home page of a phone a day of leave is asked for in six taps', async (here) => {
  const page = await ready('you.r', PHONE);
  await page.getByRole('button', { name: '发起流程' }).click();
  await page.getByRole('button', { name: '请假', exact: true }).click();
  await page.locator('.ant-radio-button-wrapper').filter({ hasText: '年假' }).click();
  await page.locator('.x-word').filter({ hasText: '后天' }).click();
  await page.getByText('共1天。').waitFor();
  await page.getByLabel('请假事由').fill('探亲');
  await look(page, 'taps-leave');
  await page.getByRole('button', { name: '提交申请' }).click();
  await page.waitForURL(/\/work\/process\/leave\/detail\//);
  await state(page).filter({ hasText: '审批中' }).waitFor();
  await taken(here, page, 'leave', 6);
});

test('no page complained', () => assert.deepEqual(faults, []));
