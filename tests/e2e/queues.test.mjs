// The queues' verbs as people click them: who holds a task afterwards finds it, whoever does not is not shown it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneStep } from './drawings.mjs';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const STARTER = 'qin.y';
/** Both may take the step. */
const HOLDER = 'jiang.p';
const MATE = 'shen.k';

let definition;

async function prepare({ deploy }) {
  const xml = oneStep('queues', '外出登记', 'Going out', { candidates: 'role:repairer' });
  definition = await deploy('queues', xml);
}

const { call, faults, look, person } = stage({ prepare });

const started = () => call(STARTER, 'blade-flow/work/start-process', { processDefinitionId: definition });

const row = (page, number) => page.locator('tbody .x-row, .x-card').filter({ hasText: number });
const drawer = (page) => page.locator('.ant-drawer-open').last();
const head = (page, name) => page.locator('.x-task').getByRole('button', { name, exact: true });

/** Opens the queue and waits until it shows the task, or is complete without it. */
async function shows(page, queue, number, there = true) {
  await page.goto(`/work/${queue}`);
  if (there) await row(page, number).waitFor();
  else {
    await settled(page);
    assert.equal(await row(page, number).count(), 0, `${queue} does not show ${number}`);
  }
}

/** Waits until the task's page has given way to the list, and the list no longer shows the task. */
async function left(page, number) {
  await page.waitForURL('**/work/todo');
  // The address changes first, then the page, and the list shows what it knew until it is told anew.
  await page.locator('.x-task').waitFor({ state: 'detached' });
  await settled(page);
  await row(page, number).waitFor({ state: 'detached' });
}

/** What can be done with a row: in sight, or behind the button for more. */
async function choose(page, number, name) {
  const line = row(page, number);
  const inSight = line.getByRole('button', { name, exact: true });
  if ((await inSight.count()) > 0) {
    await inSight.click();
    return;
  }
  await line.locator('.x-row-actions button, .x-card-more').last().click();
  await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name, exact: true }).click();
}

/** Fills in whom it goes to, and why, and sends it; the form is gone when it was taken. */
async function hand(page, { to, words, labels = ['接收人', '原因'], button }) {
  const form = drawer(page);
  if (to) {
    await form.getByLabel(labels[0]).fill(to);
    const list = page.locator('.ant-select-dropdown:visible');
    await list.locator('.ant-select-item-option').filter({ hasText: to }).click();
    await list.waitFor({ state: 'hidden' });
  }
  if (words) await form.getByLabel(labels[1]).fill(words);
  await form.locator('.ant-drawer-footer').getByRole('button', { name: button, exact: true }).click();
  await form.waitFor({ state: 'detached' });
}

test('a task is taken, given back, asked of somebody and handed back', async () => {
  const { businessNo: number, processInstanceId: id } = await started();
  const holder = await person(HOLDER);
  const mate = await person(MATE);

  await shows(mate, 'claim', number);
  await shows(holder, 'claim', number);
  await choose(holder, number, '领取');
  await row(holder, number).waitFor({ state: 'detached' });
  await shows(holder, 'todo', number);
  await shows(mate, 'claim', number, false);

  await row(holder, number).click();
  await head(holder, '退回待领取').click();
  await head(holder, '领取').waitFor();
  await shows(mate, 'claim', number);

  await shows(holder, 'claim', number);
  await row(holder, number).click();
  await head(holder, '领取').click();
  await head(holder, '委派').click();
  await look(holder, 'queue-delegate');
  await hand(holder, { to: '沈凯', words: '请看一下时间', button: '委派' });
  await left(holder, number);
  assert.deepEqual(faults, [], 'the page that is left asks for nothing more');
  await shows(mate, 'todo', number);

  // Whoever asked for a look stays the owner, and sees where it is.
  await holder.goto(`/work/process/own/detail/${id}/${id}`);
  await state(holder).filter({ hasText: '进行中' }).waitFor();
  await holder.locator('.x-timeline').getByText('请看一下时间').waitFor();
  await holder.getByRole('tab', { name: '流程图' }).click();
  await holder.locator('.x-diagram-who').filter({ hasText: '沈凯' }).waitFor();
  await look(holder, 'queue-owner');

  await row(mate, number).click();
  await mate.locator('.x-task').getByText('由蒋平委派，办理后交回').waitFor();
  await head(mate, '办完交回').click();
  await hand(mate, { words: '时间可以', labels: ['接收人', '处理意见'], button: '办完交回' });
  await left(mate, number);
  await shows(holder, 'todo', number);
  await row(holder, number).click();
  await holder.locator('.x-task').getByText('受托人意见：沈凯：时间可以').waitFor();
  await look(holder, 'queue-handed-back');
  assert.deepEqual(faults, []);
});

test('a task is transferred from the list on a phone, its process urged and withdrawn', async () => {
  const { businessNo: number } = await started();
  const holder = await person(HOLDER, PHONE);
  await shows(holder, 'claim', number);
  await choose(holder, number, '领取');
  await row(holder, number).waitFor({ state: 'detached' });
  await shows(holder, 'todo', number);
  await choose(holder, number, '转办');
  await look(holder, 'queue-transfer-phone');
  await hand(holder, { to: '沈凯', words: '下午休假', button: '转办' });
  await row(holder, number).waitFor({ state: 'detached' });
  const mate = await person(MATE, PHONE);
  await shows(mate, 'todo', number);
  assert.deepEqual(faults, [], 'transferred from the list');

  const starter = await person(STARTER, PHONE);
  await shows(starter, 'send', number);
  await choose(starter, number, '催办');
  await hand(starter, { words: '今天要用', button: '催办' });
  await starter.locator('.ant-message').getByText('已提醒办理人').waitFor();
  await settled(starter);
  // It may be done again after half an hour only: until then it is not offered.
  await row(starter, number).locator('.x-card-more').click();
  const menu = starter.locator('.ant-dropdown:visible');
  await menu.getByRole('menuitem', { name: '撤回' }).waitFor();
  assert.deepEqual(await menu.getByRole('menuitem').allTextContents(), ['撤回']);
  await menu.getByRole('menuitem', { name: '撤回' }).click();
  await hand(starter, { words: '不去了', button: '撤回' });
  await row(starter, number).getByText('已结束').waitFor();
  await look(starter, 'queue-withdrawn-phone');
  await shows(mate, 'todo', number, false);
  assert.deepEqual(faults, []);
});

test('a task is transferred from its page, in English', async () => {
  const { businessNo: number } = await started();
  const holder = await person(HOLDER, DESK, 'en-US');
  await shows(holder, 'claim', number);
  await row(holder, number).click();
  await head(holder, 'Claim').click();
  await head(holder, 'Transfer').click();
  await drawer(holder).getByText('does not return to you').waitFor();
  assert.deepEqual(await findings(holder), []);
  await look(holder, 'queue-transfer-en');
  await hand(holder, { to: '沈凯', words: 'Off duty', labels: ['Recipient', 'Reason'], button: 'Transfer' });
  await left(holder, number);
  const mate = await person(MATE);
  await shows(mate, 'todo', number);
  assert.deepEqual(faults, []);
});

test('what is suspended says so in place of the buttons that would be refused', async () => {
  const { businessNo: number } = await started();
  const change = (state, more = '') =>
    call('gao.l', `blade-flow/manager/change-state?processId=${definition}&state=${state}${more}`, {});
  const holder = await person(HOLDER);
  await shows(holder, 'claim', number);
  await row(holder, number).click();
  await head(holder, '领取').click();
  await bar(holder, '同意').waitFor();
  await change('suspend', '&withRunning=1');
  await holder.reload();
  const notice = holder.getByRole('alert').filter({ hasText: '流程「外出登记」已暂停，启用后才能继续办理' });
  await notice.waitFor();
  await settled(holder);
  assert.deepEqual(
    (await holder.locator('.x-sticky-bar').getByRole('button').allInnerTexts()).map((text) =>
      text.replace(/\s/g, ''),
    ),
    ['抄送'],
  );
  await look(holder, 'queue-suspended');
  await shows(holder, 'todo', number);
  await row(holder, number).getByText('已暂停').waitFor();
  await look(holder, 'queue-suspended-list');
  const starter = await person(STARTER, PHONE);
  await shows(starter, 'send', number);
  await row(starter, number).getByText('已暂停').waitFor();
  await row(starter, number).click();
  await starter.getByRole('alert').filter({ hasText: '已暂停' }).waitFor();
  assert.deepEqual(await findings(starter), []);
  await look(starter, 'queue-suspended-phone');
  await change('active');
  await holder.goto('/work/todo');
  await row(holder, number).click();
  await bar(holder, '同意').click();
  await holder.waitForURL('**/work/todo');
  assert.deepEqual(faults, []);
});
