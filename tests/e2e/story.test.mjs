// The main job in a real browser against the real server: a fault is reported, dispatched, repaired, refused once, and closed.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const { faults, look, person, stranger } = stage();

const form = (page) => page.locator('.ant-drawer-open').last();
const send = (page, name) =>
  form(page).locator('.ant-drawer-footer').getByRole('button', { name, exact: true });
const timeline = (page) => page.locator('.x-timeline-title').allTextContents();

async function becomes(page, word) {
  await state(page).filter({ hasText: word }).waitFor();
}

/** Any picture will do; the page's own is at hand. */
async function photograph(page, scope) {
  const picture = await page.screenshot();
  const file = { name: 'fault.png', mimeType: 'image/png', buffer: picture };
  await scope.locator('input[type=file]').first().setInputFiles(file);
  await scope.locator('.x-photo .ant-image').first().waitFor();
}

/** A recording of a second or more, as the browser's microphone gives it. */
async function speak(page) {
  await page.getByRole('button', { name: '录音' }).click();
  await page
    .getByRole('timer')
    .filter({ hasText: /^0:0[1-9] / })
    .waitFor();
  await look(page, 'report-recording');
  await page.getByRole('button', { name: '停止', exact: true }).click();
  await page.getByLabel('播放录音').waitFor();
}

/** Played to its end, with sound in it. */
async function listen(page) {
  const seconds = await page.getByLabel('播放录音').evaluate(async (audio) => {
    const ended = new Promise((resolve, reject) => {
      audio.onended = resolve;
      audio.onerror = () => reject(audio.error);
    });
    await audio.play();
    await ended;
    return audio.currentTime;
  });
  assert.ok(seconds >= 1, `${seconds} s were played`);
  assert.match(await page.locator('.x-voice').textContent(), /^0:0[1-9]$/);
}

/** A file of the order, saved under its name with what was in it. */
async function save(page, { name, buffer }) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.x-file a', { hasText: name }).click(),
  ]);
  assert.equal(download.suggestedFilename(), name);
  assert.deepEqual(await readFile(await download.path()), buffer);
}

/** A choice from a list that opens below its field. */
async function choose(page, scope, label, text) {
  await scope.getByLabel(label).click();
  const list = page.locator('.ant-select-dropdown:visible');
  await list.locator('.ant-select-item-option').filter({ hasText: text }).first().click();
  // It leaves slowly, and lies over the fields below it until then.
  await list.waitFor({ state: 'hidden' });
}

/** The machine comes before its components. */
async function pick(page, code) {
  const field = page.getByLabel('设备', { exact: true });
  await field.waitFor();
  if (await field.evaluate((element) => element.tagName === 'BUTTON')) {
    // On a phone the choice is a sheet of its own.
    await field.click();
    const sheet = page.locator('.ant-drawer-content-wrapper:visible, .ant-drawer-section:visible').last();
    await sheet.locator('input').first().fill(code);
    await sheet.getByRole('button').filter({ hasText: code }).first().click();
    await sheet.waitFor({ state: 'hidden' });
    return;
  }
  await field.fill(code);
  await page.locator('.ant-select-tree-title').filter({ hasText: code }).first().click();
}

async function finish(page, solution) {
  await bar(page, '完工').click();
  await choose(page, form(page), '故障原因', '');
  // After a failed check the words of the last round are still chosen.
  await form(page).locator('.x-word input').first().check();
  await form(page).getByLabel('维修措施').fill(solution);
}

const LOG = { name: '振动记录.csv', mimeType: 'text/csv', buffer: Buffer.from('时间,振动\n08:00,4.5\n') };
const MACHINE = 'JJ-CNC-002';
const WHAT = '刀塔换刀时有异响，偶尔不到位';

test('a fault goes from the report on a phone through both doors to a closed order', async () => {
  const operator = await person('qin.y', PHONE);
  await operator.goto('/wel/index');
  await operator.getByRole('button', { name: '我要报修' }).click();
  await pick(operator, MACHINE);
  await operator.getByLabel('故障描述').fill(WHAT);
  await operator.locator('.x-word').filter({ hasText: '异响' }).click();
  await operator.locator('.x-choice').filter({ hasText: '紧急' }).click();
  await operator.getByRole('switch').click();
  await photograph(operator, operator.locator('.x-form-page'));
  await speak(operator);
  await operator.getByLabel('上传附件').setInputFiles(LOG);
  await operator.locator('.x-file a', { hasText: LOG.name }).waitFor();
  await look(operator, 'report-voice');
  await operator.getByRole('button', { name: '提交报修' }).click();
  await operator.waitForURL(/\/repair\/order\/\d+$/);
  await becomes(operator, '待派单');
  const order = new URL(operator.url()).pathname;
  const number = await operator.locator('.x-doc-number').textContent();
  const title = await operator.locator('.x-doc-title h1').textContent();
  assert.equal(await operator.locator('.x-photo .ant-image').count(), 1);
  assert.equal(await operator.locator('audio').count(), 1);

  // The leader finds it in the queue, takes it, and sends somebody.
  const leader = await person('wei.b');
  await leader.goto('/work/claim');
  await leader.getByRole('row').filter({ hasText: number }).getByRole('button', { name: '领取' }).click();
  await leader.getByRole('row').filter({ hasText: number }).waitFor({ state: 'detached' });
  await leader.goto('/work/todo');
  await leader.getByRole('row').filter({ hasText: number }).getByText(number).click();
  await leader.waitForURL(/\/work\/process\/repair\/handle\//);
  await bar(leader, '派单').click();
  await choose(leader, form(leader), '维修人员', '蒋平');
  await form(leader).getByLabel('处理意见').fill('下午生产要用，尽快');
  await send(leader, '派单').click();
  await becomes(leader, '待接单');
  await leader.locator('.x-task').getByText('办理：派单').waitFor();

  // The repairer, on a phone, finds it on the first page.
  const repairer = await person('jiang.p', PHONE);
  await repairer.goto('/wel/index');
  await repairer
    .locator('.x-section')
    .filter({ hasText: '待我处理' })
    .locator('a', { hasText: title })
    .click();
  await listen(repairer);
  await save(repairer, LOG);
  await look(repairer, 'order-voice');
  await bar(repairer, '接单').click();
  await send(repairer, '接单').click();
  await becomes(repairer, '维修中');

  // Finishing asks for a work line, which can be written right there.
  await repairer.goto(order);
  await finish(repairer, '更换刀塔定位销并调整间隙');
  await form(repairer).getByRole('button', { name: '添加工时' }).click();
  await form(repairer).getByLabel('说明').fill('拆检刀塔');
  await send(repairer, '保存').click();
  await repairer.locator('.ant-drawer-open .x-line').filter({ hasText: '拆检刀塔' }).waitFor();
  await photograph(repairer, form(repairer));
  await send(repairer, '完工').click();
  await becomes(repairer, '待验收');

  // The reporter fails it once, through the queue.
  await operator.goto('/work/claim');
  await operator.locator('.x-card-open').filter({ hasText: title }).click();
  await bar(operator, '验收').click();
  await form(operator).locator('.x-choice').filter({ hasText: '不通过' }).click();
  await send(operator, '验收').click();
  await form(operator).getByText('请填写不通过原因').waitFor();
  await form(operator).getByLabel('不通过原因').fill('换刀还是有异响');
  await send(operator, '验收').click();
  await becomes(operator, '维修中');

  await repairer.goto(order);
  await repairer.getByText('返修1次').waitFor();
  await finish(repairer, '更换刀塔轴承');
  await send(repairer, '完工').click();
  await becomes(repairer, '待验收');

  await operator.goto(order);
  await bar(operator, '验收').click();
  await form(operator).locator('.x-choice').filter({ hasText: '设备已正常' }).click();
  await send(operator, '验收').click();
  await becomes(operator, '已完成');
  const offered = await operator.locator('.x-sticky-bar').getByRole('button').allInnerTexts();
  assert.deepEqual(
    offered.map((text) => text.replace(/\s/g, '')),
    ['抄送'],
    'a closed order can only be shown to others',
  );

  // The story as the leader reads it: one line an act, with the words left behind.
  await leader.goto(order);
  await settled(leader);
  const acts = ['报修', '领取任务', '派单', '接单', '填写工时', '完工', '验收：不通过', '完工', '验收：通过'];
  assert.deepEqual(await timeline(leader), acts);
  const notes = await leader.locator('.x-timeline-note').allTextContents();
  assert.deepEqual(notes, ['下午生产要用，尽快', '换刀还是有异响']);
  assert.equal(await leader.locator('.x-before-after .x-photo').count(), 2);

  await leader.getByRole('tab', { name: '流程图' }).click();
  await leader.locator('[data-element-id=repair]').waitFor();
  assert.equal(await leader.locator('.x-diagram-times').first().textContent(), '×2');
  assert.equal(await leader.getByRole('region', { name: '流程图“设备维修”，当前：已结束' }).count(), 1);
  assert.equal(await leader.locator('.bjs-powered-by').isVisible(), true);
  assert.deepEqual(faults, []);
});

test('a leave goes from the application over the head of the department to HR', async () => {
  const applicant = await person('zhu.m', PHONE);
  await applicant.goto('/work/start');
  await applicant.getByText('请假', { exact: true }).first().click();
  await applicant.getByText('年假', { exact: true }).click();
  await applicant.locator('.x-word').filter({ hasText: '后天' }).click();
  await applicant.locator('.x-word').filter({ hasText: '5天' }).click();
  await applicant.getByText('共5天', { exact: false }).waitFor();
  await applicant.getByLabel('请假事由').fill('回老家看望父母');
  await applicant.getByRole('button', { name: '提交申请' }).click();
  await becomes(applicant, '审批中');

  const approve = async (account, queue, words) => {
    const page = await person(account);
    await page.goto(`/work/${queue}`);
    await page.getByText('朱敏 · 年假 5天').first().click();
    await page.getByText('回老家看望父母').waitFor();
    await page.getByLabel('处理意见').fill(words);
    await page.getByRole('button', { name: '同意', exact: true }).click();
    await page.waitForURL('**/work/todo');
  };
  await applicant.getByText('同意后由人事（杜薇）审批').waitFor();
  await approve('qian.w', 'todo', '同意，库房由他人代管');
  await applicant.reload();
  await applicant.getByText('等待人事审批').waitFor();
  await approve('du.w', 'claim', '已登记');
  await applicant.reload();
  await becomes(applicant, '已通过');
  assert.deepEqual(await timeline(applicant), ['申请请假', '同意', '同意']);

  // Human resources find it in the list of all.
  const hr = await person('du.w');
  await hr.goto('/desk/leave?type=3');
  await hr.getByRole('row').filter({ hasText: '朱敏' }).first().click();
  await becomes(hr, '已通过');
  await hr.getByText('回老家看望父母').waitFor();
});

test('a second report of the same fault shows the open one first', async () => {
  const operator = await person('qin.y', PHONE);
  const report = async () => {
    await operator.goto('/repair/report');
    await pick(operator, 'JJ-CNC-003');
    await operator.getByLabel('故障描述').fill('主轴不转');
    await operator.locator('.x-word').filter({ hasText: '异响' }).click();
    await operator.getByRole('button', { name: '提交报修' }).click();
  };
  await report();
  await operator.waitForURL(/\/repair\/order\/\d+$/);
  const first = operator.url();
  await report();
  const dialog = operator.getByRole('dialog').filter({ hasText: '可能重复报修' });
  await dialog.getByRole('button', { name: '不是同一故障，继续报修' }).click();
  await operator.waitForURL(/\/repair\/order\/\d+$/);
  assert.notEqual(operator.url(), first);
  assert.deepEqual(faults, []);
});

test('whoever is second reads who was first, and is shown the order as it is now', async () => {
  const first = await person('qian.w');
  // The refusal it is about is a complaint of the browser too.
  const late = await person('wei.b', DESK, 'zh-CN', { complaints: [] });
  await first.goto('/repair/order?status=1&descs=reportTime');
  await first.locator('tbody .x-row').first().click();
  await first.waitForURL(/\/repair\/order\/\d+$/);
  await late.goto(first.url());
  for (const page of [first, late]) {
    await bar(page, '派单').click();
    await choose(page, form(page), '维修人员', page === first ? '蒋平' : '沈凯');
  }
  await send(first, '派单').click();
  await becomes(first, '待接单');
  await send(late, '派单').click();
  await form(late)
    .getByText(/「派单」已由钱伟于.+处理，请刷新/)
    .waitFor();
  await form(late).getByRole('button', { name: '刷新' }).click();
  await becomes(late, '待接单');
  await late.locator('.x-doc-holder').getByText('接单：蒋平').waitFor();
  assert.deepEqual(faults, []);
});

test('the first pages speak English and have no serious fault of accessibility', async () => {
  const visitor = await stranger({ language: 'en-US' });
  await visitor.goto('/login');
  await visitor.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.deepEqual(await findings(visitor), [], 'sign-in');

  for (const viewport of [DESK, PHONE]) {
    const reader = await person('wei.b', viewport, 'en-US');
    await reader.goto('/wel/index');
    await reader.getByRole('heading', { name: 'My tasks' }).waitFor();
    assert.deepEqual(await findings(reader), [], 'home');
    await reader.goto('/repair/order');
    await reader.getByRole('heading', { name: 'Work orders' }).waitFor();
    assert.deepEqual(await findings(reader), [], 'list');
    await reader.locator('tbody .x-row, .x-card-open').first().click();
    await reader.getByRole('heading', { name: 'History' }).waitFor();
    assert.deepEqual(await findings(reader), [], 'document');
    const overflow = await reader.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.equal(overflow, 0);
  }
  assert.deepEqual(faults, []);
});
