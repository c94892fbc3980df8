import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { errorLog, logError } from '@/session/errorLog';
import { beSignedIn } from '@/testing/render';
import { Refused } from '@/testing/server';
import { openAt } from './testShell';

const SEND = 'POST /blade-auth/oauth/logout';

function fault(message: string, stack: string): Error {
  const error = new Error(message);
  error.stack = stack;
  return error;
}

async function open(more: Parameters<typeof openAt>[1] = {}) {
  const view = openAt('/info/index', more);
  await userEvent.click(await screen.findByRole('button', { name: '错误日志' }));
  const dialog = await screen.findByRole('dialog', { name: '错误日志' });
  const sent = () => view.log.filter((asked) => asked.method === 'POST');
  return { ...view, dialog, within: within(dialog), sent };
}

/** Answers the question that stands on top of the log. */
async function answer(question: string, button: string) {
  const asked = (await screen.findAllByText(question)).at(-1);
  const box = within(asked?.closest('.ant-modal-confirm') as HTMLElement);
  await userEvent.click(box.getByRole('button', { name: button }));
}

const badge = async () => {
  const button = await screen.findByRole('button', { name: '错误日志' });
  return button.querySelector('.ant-badge-count');
};

beforeEach(async () => {
  sessionStorage.clear();
  await setLanguage('zh-CN');
  beSignedIn();
});

test.each([
  [0, undefined],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('with %d errors the badge says %s', async (count, text) => {
  for (let n = 0; n < count; n += 1) logError(fault(`e${n}`, ''), 'error');
  openAt('/info/index');
  const found = await badge();
  if (text === undefined) expect(found).toBeNull();
  else if (text === '99+') expect(found?.textContent).toBe('99+');
  else expect(found?.getAttribute('title')).toBe(text);
});

test('an error that comes up is counted at once', async () => {
  openAt('/info/index');
  expect(await badge()).toBeNull();
  logError(fault('one', ''), 'error');
  await waitFor(async () => expect((await badge())?.getAttribute('title')).toBe('1'));
});

test('without errors it says so and offers nothing', async () => {
  const { within: dialog } = await open();
  expect(dialog.getByText('没有错误')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: '上传服务器' })).toBeNull();
  expect(dialog.queryByRole('button', { name: '清空本地日志' })).toBeNull();
});

test('type, address, message and time in rows, newest first; the stack unfolds, of one row alone', async () => {
  logError(fault('broken', 'Error: at one'), 'page');
  logError(fault('broken', 'Error: at two'), 'error', 'a.js:1:2');
  const { dialog, within: inside } = await open();
  const heads = [...dialog.querySelectorAll('thead th')].map((head) => head.textContent).filter(Boolean);
  expect(heads).toEqual(['类型', '地址', '内容', '时间']);
  const rows = [...dialog.querySelectorAll('tr.ant-table-row')];
  const cells = rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent));
  expect(cells.map((row) => row.slice(1, 4))).toEqual([
    ['error', window.location.pathname, 'broken'],
    ['page', window.location.pathname, 'broken'],
  ]);
  expect(cells[0]?.[4]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(inside.queryByText(/at one/)).toBeNull();
  await userEvent.click(rows[0]?.querySelector('button') as HTMLElement);
  expect(dialog.querySelector('pre')?.textContent).toBe('a.js:1:2\nError: at two');
  expect(inside.queryByText(/at one/)).toBeNull();
});

test('they are sent after the question, and not before', async () => {
  logError(fault('one', 's'), 'error');
  const kept = [...errorLog.get()];
  const { within: dialog, sent } = await open({ [SEND]: () => null });
  await userEvent.click(dialog.getByRole('button', { name: '上传服务器' }));
  await answer('确定上传本地日志到服务器?', '取消');
  expect(sent()).toEqual([]);
  expect(errorLog.get()).toEqual(kept);
  await userEvent.click(dialog.getByRole('button', { name: '上传服务器' }));
  await answer('确定上传本地日志到服务器?', '确定');
  expect(await screen.findByText('发送成功!')).toBeTruthy();
  expect(sent().map((asked) => asked.body)).toEqual([{ logs: kept }]);
  expect(errorLog.get()).toEqual([]);
  expect(await dialog.findByText('没有错误')).toBeTruthy();
});

test('a refusal stands in the dialog, and they stay', async () => {
  logError(fault('one', 's'), 'error');
  const { within: dialog } = await open({
    [SEND]: () => {
      throw new Refused(500, { code: 500, msg: '服务器忙' });
    },
  });
  await userEvent.click(dialog.getByRole('button', { name: '上传服务器' }));
  await answer('确定上传本地日志到服务器?', '确定');
  expect(await dialog.findByText(/服务器忙/)).toBeTruthy();
  expect(errorLog.get()).toHaveLength(1);
});

test('they are cleared after the question, and not before; the server is not told', async () => {
  logError(fault('one', 's'), 'error');
  const { within: dialog, sent } = await open({ [SEND]: () => null });
  await userEvent.click(dialog.getByRole('button', { name: '清空本地日志' }));
  await answer('确定清空本地日志?', '取消');
  expect(errorLog.get()).toHaveLength(1);
  await userEvent.click(dialog.getByRole('button', { name: '清空本地日志' }));
  await answer('确定清空本地日志?', '确定');
  expect(await screen.findByText('清空成功!')).toBeTruthy();
  expect(errorLog.get()).toEqual([]);
  expect(sent()).toEqual([]);
  await waitFor(async () => expect(await badge()).toBeNull());
});
