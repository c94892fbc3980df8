import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Case } from '@/api/case';
import { leave } from '@/api/cases/leave';
import { repairorder } from '@/api/cases/repairorder';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import { CaseList } from '@/workflow/cases/CaseList';
import { type CaseScreen, isDecision } from '@/workflow/cases/screen';
import screenOfLeave from './leave.case';

const Leaves = () => <CaseList of={leave} screen={screenOfLeave as CaseScreen} />;

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

const row = {
  id: '9',
  leaveNo: 'QJ1',
  userName: 'Qin',
  deptName: 'Shop',
  type: 1,
  typeName: 'Personal',
  startTime: '2026-03-05 08:00:00',
  endTime: '2026-03-06 12:00:00',
  days: 1.5,
  status: 3,
  statusName: 'Approved',
  waitingFor: '',
  applyTime: '2026-03-02 09:00:00',
};
const page = (records: object[]) => ({ records, total: records.length, size: 10, current: 1, pages: 1 });
const around = {
  'GET /blade-system/menu/buttons': () => [],
  'GET /blade-system/menu/routes': () => [],
  'GET /blade-desk/view/mine': () => [],
  'GET /blade-system/dept/tree': () => [],
  'GET /blade-user/select': () => page([]),
  'GET /blade-desk/leaverecord/list': () => page([row]),
};
const asked = (log: Asked[]) => log.filter(({ path }) => path === '/blade-desk/leaverecord/list');

test('the list of a case shows half days as such, its own tones and names, and leads to each record', async () => {
  serve(around);
  const { router } = draw(<Leaves />, '/desk/leave');
  const line = within(await screen.findByRole('row', { name: /QJ1/ }));
  const cells = line.getAllByRole('cell').map(({ textContent }) => textContent);
  expect(cells.slice(0, 9)).toEqual([
    'QJ1',
    'Qin',
    'Shop',
    'Personal',
    '2026-03-05 Morning',
    '2026-03-06 Morning',
    '1.5',
    'Approved',
    '-',
  ]);
  expect(line.getByText('Approved').className).toContain('x-tone-good');
  await userEvent.click(line.getByText('QJ1'));
  expect(router.state.location.pathname).toBe('/desk/leave/9');
});

test('the applicant is what is looked for first, on a phone too', async () => {
  for (const narrow of [false, true]) {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          matches: narrow && query.includes('<'),
          addEventListener() {},
          removeEventListener() {},
        }) as never,
    );
    const log = serve(around);
    const { unmount } = draw(<Leaves />, '/desk/leave');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Applicant, number' }), 'Qin');
    await waitFor(() => expect(asked(log).at(-1)?.params.keyword).toBe('Qin'));
    unmount();
    vi.restoreAllMocks();
  }
});

test('what is not finished is one tap away, and nobody asks for drafts', async () => {
  const log = serve(around);
  const { router } = draw(<Leaves />, '/desk/leave?endTime_dategt=2026-03-05&startTime_datelt=2026-03-06');
  await screen.findByRole('row', { name: /QJ1/ });
  await screen.findByText('During: 2026-03-05 – 2026-03-06', { selector: '.x-chip span' });
  await userEvent.click(screen.getByRole('radio', { name: 'Open' }));
  await waitFor(() => expect(asked(log).at(-1)?.params.status).toBe('2,4'));
  expect(
    asked(log).map(({ params }) => [params.status, params.endTime_dategt, params.startTime_datelt]),
  ).toEqual([
    [undefined, '2026-03-05', '2026-03-06'],
    ['2,4', '2026-03-05', '2026-03-06'],
  ]);
  expect(router.state.location.search).toContain('view=open');
  await userEvent.click(screen.getByRole('combobox', { name: 'Status' }));
  const offered = await screen.findAllByRole('option');
  expect(offered.map((each) => each.getAttribute('aria-label'))).not.toContain('Draft');
});

test('on a phone a card says who is away and when', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('<'), addEventListener() {}, removeEventListener() {} }) as never,
  );
  serve(around);
  draw(<Leaves />, '/desk/leave');
  expect(await screen.findByText('Qin · Personal 1.5 days')).toBeTruthy();
  expect(screen.getByText('2026-03-05 Morning – 2026-03-06 Morning')).toBeTruthy();
  vi.restoreAllMocks();
});

test('a step is decided at once where an opinion is all that it asks for, and one may say no', () => {
  const decided = (of: Case) => of.steps.filter((step) => isDecision(of, step));
  expect([decided(leave), decided(repairorder)]).toEqual([['approve', 'hr'], []]);
});
