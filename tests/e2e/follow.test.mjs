// Who looks after processes, in a real browser and without a right to any record: every act on one process and on
// many ends as its preview said, and incidents of every kind are opened, repaired and retried.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { long } from './drawings.mjs';
import { findings, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const STARTER = 'qin.y';
const DESIGNER = 'gao.l';
const root = fileURLToPath(new URL('../..', import.meta.url));

let definition;

async function prepare({ deploy }) {
  definition = await deploy('drill', long('drill', 5));
}

const { call, data, faults, look, person } = stage({ prepare });

const started = () => call(STARTER, 'blade-flow/work/start-process', { processDefinitionId: definition });
const followed = (id) => call(DESIGNER, `blade-flow/follow/detail?processInstanceId=${id}`);
const waitsAt = async (id) =>
  (await followed(id)).waits.map(({ name, assigneeName }) => `${name} · ${assigneeName}`);

const drawer = (page) => page.locator('.ant-drawer-open').last();
const dialog = (page) => page.locator('.ant-modal').last();
const press = (within, name) => within.getByRole('button', { name, exact: true }).last().click();

async function pick(page, label, option) {
  await drawer(page).getByLabel(label).click();
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: option })
    .click();
  await page.locator('.ant-select-dropdown:visible').waitFor({ state: 'hidden' });
}

/** Fills in the reason and sends the form, which is gone then. */
async function give(page, button, reason = '补救') {
  const form = drawer(page);
  if (reason) await form.getByRole('textbox', { name: '原因' }).fill(reason);
  await press(form.locator('.ant-drawer-footer'), button);
}

/** The steps that the preview of a skip or a move names, under this heading. */
const named = (page, heading) => dialog(page).locator(`dt:text-is("${heading}") + dd`).innerText();

/** Waits until the page shows the act as the last one of the history. */
const recorded = (page, name, reason) =>
  page.locator('.x-timeline').filter({ hasText: name }).filter({ hasText: reason }).waitFor();

test('each act on one process ends as its preview said, and is recorded', async () => {
  const { processInstanceId: id } = await started();
  const page = await person(DESIGNER);
  await page.goto(`/flow/follow/${id}`);

  await bar(page, '跳过').click();
  assert.deepEqual(await findings(page), []);
  await give(page, '预览', '无人办理');
  await dialog(page).waitFor();
  const afterSkip = await named(page, '之后待办');
  assert.deepEqual(await waitsAt(id), ['步骤1 · 租户管理员'], 'a preview changes nothing');
  await press(dialog(page), '跳过');
  await recorded(page, '跳过步骤', '无人办理');
  assert.deepEqual(await waitsAt(id), [afterSkip]);
  assert.equal(afterSkip, '步骤2 · 租户管理员');

  await bar(page, '移动').click();
  await pick(page, '从 → 到', '步骤2 → 步骤3');
  await give(page, '预览', '漏了一步');
  await dialog(page).waitFor();
  const afterMove = await named(page, '之后待办');
  await press(dialog(page), '移动');
  await recorded(page, '移动流程', '漏了一步');
  assert.deepEqual(await waitsAt(id), [afterMove]);

  await bar(page, '改派').click();
  await drawer(page).getByLabel('接收人').fill('沈凯');
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: '沈凯' })
    .click();
  await give(page, '改派', '出差');
  await recorded(page, '改派任务', '出差');
  assert.deepEqual(await waitsAt(id), ['步骤3 · 沈凯']);

  await bar(page, '暂停').click();
  await give(page, '暂停', '查账');
  await state(page).filter({ hasText: '已暂停' }).waitFor();
  await recorded(page, '暂停流程', '查账');
  await page.getByText('恢复后才能继续办理').first().waitFor();
  assert.equal(await bar(page, '跳过').count(), 0, 'a suspended process is not skipped');
  await bar(page, '恢复').click();
  await press(dialog(page), '恢复');
  await state(page).filter({ hasText: '进行中' }).waitFor();

  // A suspended one is ended before it is resumed.
  await bar(page, '暂停').click();
  await give(page, '暂停', '再查');
  await state(page).filter({ hasText: '已暂停' }).waitFor();
  await bar(page, '终止').click();
  await give(page, '终止', '不用了');
  await state(page).filter({ hasText: '已终止' }).waitFor();
  await recorded(page, '终止流程', '不用了');
  await settled(page);
  assert.equal(await page.locator('.x-sticky-bar button').count(), 0, 'nothing is done with what is over');
  assert.deepEqual(faults, []);
});

/** The button that is there once all are done, whatever came of them. */
const over = (page) => drawer(page).locator('.ant-drawer-footer').getByRole('button', { name: '关闭' });

/** The rows of a preview or a result: title, number, and what is said of them. */
const rows = async (page) =>
  (await drawer(page).locator('.x-results > li').allInnerTexts()).map((text) => text.replaceAll('\n', ' '));

async function chooseAll(page, ids) {
  await page.goto('/flow/follow?processDefinitionKey=drill');
  await settled(page);
  for (const id of ids) await page.locator(`tr[data-row-key="${id}"] input[type=checkbox]`).check();
}

test('each act on many processes ends as its preview said', async () => {
  const ids = [];
  for (let turn = 0; turn < 3; turn++) ids.push((await started()).processInstanceId);
  const page = await person(DESIGNER);
  const chosen = page.locator('.x-bulk');

  /** Carries it out as previewed; what the rows said before and say afterwards is the same. */
  async function many(act, fill, reason = '补救') {
    await chooseAll(page, ids);
    await chosen.getByRole('button', { name: act, exact: true }).click();
    await fill?.();
    await give(page, '预览', reason);
    await drawer(page).locator('.x-results').waitFor();
    const told = await rows(page);
    const before = await Promise.all(ids.map(waitsAt));
    await press(drawer(page), `${act}（${told.filter((text) => text.includes('可执行')).length}）`);
    await drawer(page).getByText('未成功0项').waitFor();
    await over(page).waitFor();
    assert.deepEqual(
      await rows(page),
      told.map((text) => text.replace('可执行', '已执行')),
    );
    await look(page, `follow-many-${act}`);
    await over(page).click();
    return { told, before, after: await Promise.all(ids.map(waitsAt)) };
  }

  const skipped = await many('跳过');
  assert.deepEqual(skipped.before, Array(3).fill(['步骤1 · 租户管理员']), 'a preview changes nothing');
  assert.deepEqual(skipped.after, Array(3).fill(['步骤2 · 租户管理员']));
  for (const text of skipped.told) assert.match(text, /之后：步骤2 租户管理员$/);
  const moved = await many('移动', () => pick(page, '从 → 到', '步骤2 → 步骤1'));
  assert.deepEqual(moved.after, Array(3).fill(['步骤1 · 租户管理员']));
  const reassigned = await many('改派', async () => {
    await drawer(page).getByLabel('接收人').fill('沈凯');
    await page
      .locator('.ant-select-dropdown:visible .ant-select-item-option')
      .filter({ hasText: '沈凯' })
      .click();
  });
  assert.deepEqual(reassigned.after, Array(3).fill(['步骤1 · 沈凯']));
  await many('暂停');
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await followed(id)).suspensionState)), [2, 2, 2]);
  await many('恢复', undefined, '');
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await followed(id)).suspensionState)), [1, 1, 1]);

  // One of them is ended meanwhile: it is refused, says why, and the others are done.
  await chooseAll(page, ids);
  await chosen.getByRole('button', { name: '终止', exact: true }).click();
  await give(page, '预览');
  await drawer(page).getByText('可执行3个').waitFor();
  const query = new URLSearchParams({ processInstanceId: ids[1], deleteReason: '先一步' });
  await call(DESIGNER, `blade-flow/follow/delete-process-instance?${query}`, {});
  await press(drawer(page), '终止（3）');
  await drawer(page).getByText('成功2项，未成功1项').waitFor();
  await drawer(page).getByText('该流程已结束').waitFor();
  await drawer(page).getByRole('button', { name: '重试未成功的（1）' }).waitFor();
  await look(page, 'follow-many-refused');
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await followed(id)).status)), [3, 3, 3]);
  assert.deepEqual(faults, []);
});

/** Lets processes come to incidents; by kind what the page should say, and the ids. */
async function broken() {
  const { DATABASE_URL: _, REDIS_URL: __, ...environment } = process.env;
  const seeding = spawn(`${root}.venv/bin/python`, ['-m', 'tests.e2e.incidents'], {
    cwd: root,
    env: { ...environment, DATA_DIR: data() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  seeding.stdout.on('data', (text) => {
    said += text;
  });
  const code = await new Promise((resolve) => seeding.once('close', resolve));
  assert.equal(code, 0, 'the incidents could not be made');
  return said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('incidents of every kind are opened; their data are corrected, and they are retried', async () => {
  const kinds = await broken();
  assert.equal(kinds.length, 6);
  const page = await person(DESIGNER);
  const causes = {
    limit: '流程超出运行上限',
    expression: '没有条件成立的出线',
    timer: '定时器',
    message: '消息“parts”',
  };
  for (const { code, node, ids } of kinds) {
    await page.goto(`/flow/follow/${ids[0]}`);
    await state(page).filter({ hasText: '异常' }).waitFor();
    await page.getByRole('tab', { name: '异常（1）' }).click();
    const cells = page.getByRole('tabpanel').locator('tbody tr.ant-table-row td');
    const name = { go: '办理' }[node] ?? node;
    assert.equal(await cells.nth(1).innerText(), name);
    assert.ok((await cells.nth(2).innerText()).includes(causes[code]), code);
    await page.getByRole('tab', { name: '数据' }).click();
    const values = page.getByRole('tabpanel').locator('tbody tr.ant-table-row');
    assert.equal(await values.count(), 2, 'what was filled in');
  }

  // The number of tasks over the limit is corrected; the step is then completed by the person whose it is.
  const { ids } = kinds.find(({ kind }) => kind === 'a step over a limit');
  await page.goto(`/flow/follow/${ids[0]}`);
  await page.getByRole('tab', { name: '数据' }).click();
  const times = page.getByRole('tabpanel').locator('tbody tr.ant-table-row').filter({ hasText: 'times' });
  await times.getByRole('button', { name: '更正' }).click();
  await drawer(page).getByRole('spinbutton').fill('2');
  await give(page, '预览', '多写了两个零');
  await dialog(page).getByText('由“500”改为“2”').waitFor();
  assert.equal((await followed(ids[0])).values.find(({ key }) => key === 'times').value, 500);
  await press(dialog(page), '更正');
  await times.locator('td').nth(1).getByText('2', { exact: true }).waitFor();
  assert.equal((await followed(ids[0])).values.find(({ key }) => key === 'times').value, 2);
  await bar(page, '重试').click();
  await press(dialog(page), '重试');
  await state(page).filter({ hasText: '进行中' }).waitFor();
  const [step] = (await followed(ids[0])).waits;
  await call('wei.b', 'blade-flow/work/complete-task', { taskId: step.taskId, flag: 'ok' });
  assert.deepEqual(
    (await followed(ids[0])).waits.map(({ name }) => name),
    ['会签', '会签'],
  );

  // The rest in one go: all that the filter finds is previewed, and retried one after the other.
  await page.goto('/flow/follow?state=parked');
  await settled(page);
  await page.getByRole('button', { name: '批量处理筛选结果' }).click();
  await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: '重试' }).click();
  await give(page, '预览', '');
  // The two kinds whose gateway has no way on would fail once more, and the preview says so.
  await drawer(page).getByText('可执行7个，不能执行4个').waitFor();
  await press(drawer(page), '重试（7）');
  await drawer(page).getByText('成功7项，未成功4项').waitFor();
  // The model of these has no drawing; nothing else is complained of.
  assert.deepEqual(
    faults.filter((text) => !text.includes('no diagram to display')),
    [],
  );
});

test('an order is looked after by somebody who may not read it', async () => {
  const { records } = await call(
    DESIGNER,
    'blade-flow/follow/list?processDefinitionKey=repairorder&state=running',
  );
  const { id, title, businessNo } = records[0];
  assert.equal(title, `设备维修 ${businessNo}`, 'the title quotes nothing');
  const page = await person(DESIGNER);
  await page.goto(`/flow/follow/${id}`);
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByRole('tab', { name: '数据' }).click();
  await page.getByText('您无权查看该单据').waitFor();
  assert.equal(await bar(page, '打开单据').count(), 0);
  await bar(page, '暂停').click();
  await give(page, '暂停', '查账');
  await state(page).filter({ hasText: '已暂停' }).waitFor();
  await bar(page, '恢复').click();
  await press(dialog(page), '恢复');
  await state(page).filter({ hasText: '进行中' }).waitFor();
  assert.deepEqual((await followed(id)).values, []);
});
