import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { repairorder } from '@/api/cases/repairorder';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import { CaseList } from '@/workflow/cases/CaseList';
import type { CaseScreen } from '@/workflow/cases/screen';
import repair from './repairorder.case';

const RepairOrders = () => <CaseList of={repairorder} screen={repair as CaseScreen} />;

const pageOf = (records: object[]) => ({ records, total: records.length, size: 50, current: 1, pages: 1 });

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('orders are looked for by the class of their machine, a sealed one too, by who reported them, and by month', async () => {
  const log = serve({
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/menu/routes': () => [],
    'GET /blade-system/dict-biz/dictionary': () => [],
    'GET /yuzhu-equip/inspectmachine/getTreeList': () => [],
    'GET /yuzhu-equip/repairteam/select': () => pageOf([]),
    'GET /blade-system/dept/tree': () => [],
    'GET /blade-user/select': ({ params }) =>
      pageOf(params.ids === '8' ? [{ id: '8', code: 'qin.y', name: 'Qin Yue', path: '', enabled: 0 }] : []),
    'GET /yuzhu-equip/inspecttype/tree': () => [
      { id: '73', title: 'Planers', disabled: true, defaultImportance: 2 },
    ],
    'GET /yuzhu-equip/repairorder/list': () => ({ records: [], total: 0, size: 10, current: 1, pages: 0 }),
  });
  const { router } = draw(<RepairOrders />, '/?reportUserId=8&year=2026&month=11');
  await screen.findByText('Requester: Qin Yue', { selector: '.x-chip span' });
  await userEvent.click(screen.getByRole('button', { name: /More filters/ }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Asset type' }));
  await userEvent.click(await screen.findByText('Planers'));
  await waitFor(() =>
    expect(router.state.location.search).toBe('?reportUserId=8&year=2026&month=11&typeId=73'),
  );
  await waitFor(() => {
    const last = log.filter((asked) => asked.path === '/yuzhu-equip/repairorder/list').at(-1);
    expect(last?.params).toEqual({
      reportUserId: '8',
      year: '2026',
      month: '11',
      typeId: '73',
      status: '1,2,3,4,5',
      current: '1',
      size: '10',
    });
  });
});

const quiet = {
  'GET /blade-system/menu/buttons': () => [],
  'GET /blade-system/menu/routes': () => [],
  'GET /blade-system/dict-biz/dictionary': () => [],
  'GET /yuzhu-equip/inspectmachine/getTreeList': () => [],
  'GET /yuzhu-equip/inspecttype/tree': () => [],
  'GET /yuzhu-equip/repairorder/list': () => ({ records: [], total: 0, size: 10, current: 1, pages: 0 }),
};
const asked = (log: Asked[]) =>
  log.filter(({ path }) => path === '/yuzhu-equip/repairorder/list').map(({ params }) => params.status);

test('the list begins with the open orders, all are one tap away, and who sees none reads why', async () => {
  const log = serve(quiet);
  const { router } = draw(<RepairOrders />, '/?current=2');
  await screen.findByText('No open work order');
  await userEvent.click(screen.getByRole('radio', { name: 'All' }));
  await screen.findByText('No work order within your data permissions');
  expect(router.state.location.search).toBe('?view=all');
  expect(asked(log)).toEqual(['1,2,3,4,5', undefined]);
});

const late = {
  id: '9',
  orderNo: 'WX1',
  title: 'Noise',
  machineCode: 'M1',
  machineName: 'Lathe',
  status: 1,
  statusName: 'Reported',
  urgency: 2,
  urgencyName: 'Urgent',
  isResponseLate: 1,
  isFinishLate: 0,
  isRepeat: 0,
  reworkCount: 0,
  reportTime: '2026-11-23 08:00:00',
  responseDue: '2026-11-23 08:30:00',
  waitingFor: 'Dispatch',
};

test('on a phone what is late comes first, then the priority without an icon of a state, and by when', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('<'), addEventListener() {}, removeEventListener() {} }) as never,
  );
  serve({ ...quiet, 'GET /yuzhu-equip/repairorder/list': () => pageOf([late]) });
  draw(<RepairOrders />, '/');
  const card = (await screen.findByText('Noise')).closest('li') as HTMLElement;
  const lines = [...card.querySelectorAll('.x-card-meta')].map(({ textContent }) => textContent);
  expect(lines).toEqual(['Response overdueUrgentWX1 · M1', 'Due 2026-11-23 08:30 · Dispatch']);
  expect(within(card).getByText('Urgent').querySelector('svg')).toBeNull();
  expect(within(card).getByText('Response overdue').querySelector('svg')).not.toBeNull();
  vi.restoreAllMocks();
});

test('states that are asked for stand as they are', async () => {
  const log = serve(quiet);
  draw(<RepairOrders />, '/?status=6');
  await screen.findByText('Nothing matches');
  expect(asked(log)).toEqual(['6']);
});
