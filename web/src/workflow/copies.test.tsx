import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import { CopyForm } from './CopyForm';
import CopyList from './CopyList';

const copy = {
  id: '5',
  title: 'Leave 1',
  note: 'For your information',
  nodeName: '',
  senderName: 'Qin',
  starterName: 'Qin',
  category: 'flow_1',
  categoryName: 'Leave',
  processDefinitionName: 'Leave',
  processInstanceId: '71',
  businessTable: 'leave',
  businessId: '81',
  businessNo: 'QJ1',
  status: 1,
  statusName: 'Running',
  createTime: '2026-11-21 08:00:00',
  readTime: '',
};

let log: Asked[];

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
  log = serve({
    'GET /blade-flow/work/copy-list': () => ({ records: [copy], total: 1, size: 10, current: 1, pages: 1 }),
    'GET /blade-system/dict-biz/dictionary': () => [{ dictKey: '1', dictValue: 'Leave', remark: 'leave' }],
    'GET /blade-user/select': () => ({
      records: [{ id: '9', code: 'du.w', name: 'Du Wei', selectable: true }],
      total: 1,
      size: 50,
      current: 1,
      pages: 1,
    }),
    'POST /blade-flow/work/read-copies': () => null,
    'POST /blade-flow/work/send-copy': () => ({ processInstanceId: '71', told: 1 }),
  });
});

const asked = (call: string) => log.filter(({ path }) => path.endsWith(`/${call}`));

test('an unread copy is marked, and opening it notes that it was read', async () => {
  const { router } = draw(<CopyList />);
  const row = (await screen.findByText('Leave 1')).closest('tr') as HTMLElement;
  expect(within(row).getByText('Unread')).toBeTruthy();
  expect(within(row).getByText('For your information')).toBeTruthy();
  await userEvent.click(within(row).getByText('Leave 1'));
  expect(asked('read-copies').map(({ params }) => params)).toEqual([{ processInstanceIds: '71' }]);
  expect(router.state.location.pathname).toBe('/work/process/leave/detail/71/81');
});

test('a copy goes to the people chosen, and to nobody while none is', async () => {
  draw(<CopyForm processInstanceId="71" title="Leave 1" onClose={() => undefined} />);
  const send = await screen.findByRole('button', { name: 'Send a copy' });
  await userEvent.click(send);
  expect(await screen.findByText('Please select recipients')).toBeTruthy();
  expect(asked('send-copy')).toEqual([]);
  await userEvent.click(screen.getByLabelText('Recipients'));
  await userEvent.click(await screen.findByText('Du Wei'));
  await userEvent.type(screen.getByLabelText('Note'), ' please read ');
  await userEvent.click(send);
  expect(asked('send-copy').map(({ body }) => body)).toEqual([
    { processInstanceId: '71', userIds: '9', note: 'please read' },
  ]);
});
