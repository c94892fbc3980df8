import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import type { Drawing } from '../canvas/drawing';
import { type Designer, DesignerContext } from '../context';
import { DryRun } from './DryRun';
import { pointAt, timeFor } from './motion';
import { changedRecord, initialRecord, recordNames } from './RecordFields';
import {
  type Answer,
  begun,
  lineOf,
  lookingAt,
  progressOf,
  type Run,
  type Step,
  shownOf,
  taken,
} from './run';

const step = (more: Partial<Step> = {}): Step => ({
  act: {} as Step['act'],
  passed: [],
  flows: [],
  operations: [],
  thrown: [],
  tokens: {},
  standing: 'running',
  refusal: null,
  ...more,
});
const answer = (steps: Step[], more: Partial<Answer> = {}): Answer => ({
  problems: [],
  starter: { id: '7', name: 'Qin', deptName: 'Shop' },
  title: '',
  starts: [],
  startForm: null,
  steps,
  open: [],
  timers: [],
  messages: [],
  calls: [],
  standing: 'running',
  form: {},
  formTexts: {},
  record: {},
  recordTexts: {},
  ...more,
});

const first = step({ passed: ['start'], flows: ['f1'], tokens: { look: 1 } });
const second = step({
  act: { node: 'look', outcome: 'again' } as Step['act'],
  passed: ['look', 'gate'],
  flows: ['f2', 'f1'],
  tokens: { look: 2, join: 1 },
});

test('what is shown follows the steps, and an act from an earlier place begins another story', () => {
  const told: Run = begun({ xml: 'x' }, 3, answer([first]));
  const once = taken(told, { node: 'look', outcome: 'again' }, answer([first, second]));
  const twice = taken(once, { timer: 't' }, answer([first, second, step()]));
  expect([once.at, twice.at, lookingAt(twice, 9).at, lookingAt(twice, -1).at]).toEqual([1, 2, 2, 0]);
  const back = lookingAt(twice, 1);
  expect(shownOf(back).steps).toHaveLength(2);
  const other = taken(back, { message: 'm' }, answer([first, second, step()]));
  expect(other.acts).toEqual([{ node: 'look', outcome: 'again' }, { message: 'm' }]);
  expect(other.answers).toHaveLength(3);
  const { passed, flows, tokens } = progressOf([first, second]);
  expect([...passed]).toEqual([
    ['start', 1],
    ['look', 1],
    ['gate', 1],
  ]);
  expect([...flows]).toEqual([
    ['f1', 2],
    ['f2', 1],
  ]);
  expect([...tokens]).toEqual([
    ['look', 2],
    ['join', 1],
  ]);
  expect(lineOf(second)).toEqual({ kind: 'done', node: 'look', outcome: 'again', userId: undefined });
  expect(lineOf({ act: { timer: 't' } as Step['act'] })).toEqual({ kind: 'timer', node: 't' });
  expect(lineOf({ act: { message: 'm' } as Step['act'] })).toEqual({ kind: 'message', name: 'm' });
});

test('a token goes over every corner of its way, at a bounded pace', () => {
  const way = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 10, y: 30 },
  ];
  expect([0, 0.25, 0.5, 1, 2].map((part) => pointAt(way, part))).toEqual([
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 10, y: 10 },
    { x: 10, y: 30 },
    { x: 10, y: 30 },
  ]);
  expect(timeFor(way)).toBe(220);
  expect(
    timeFor([
      { x: 0, y: 0 },
      { x: 9000, y: 0 },
    ]),
  ).toBe(1200);
});

test('of a record only what was changed is sent, as the wire has it', () => {
  const names = recordNames([
    { name: 'starter.id', label: 'Starter', kind: 'user', options: [] },
    { name: 'record.urgency', label: 'Urgency', kind: 'choice', options: [{ value: 1, label: 'Critical' }] },
    { name: 'record.isStop', label: 'Stands', kind: 'flag', options: [] },
    { name: 'record.repairUserId', label: 'Repairer', kind: 'user', options: [] },
    { name: 'record.teamId', label: 'Team', kind: 'team', options: [] },
  ]);
  const record = { urgency: 3, isStop: false, repairUserId: '', teamId: '5' };
  expect(initialRecord(names, record)).toEqual({ urgency: '3', isStop: false, teamId: '5' });
  expect(
    changedRecord(names, record, { urgency: '1', isStop: false, repairUserId: '9', teamId: null }),
  ).toEqual({
    urgency: 1,
    repairUserId: '9',
    teamId: '',
  });
});

/** As much of a drawing as the run asks of it: two elements, and what is marked. */
function drawingOf() {
  const elements: Record<string, object> = {
    start: {
      businessObject: { $type: 'bpmn:StartEvent', name: 'Begin', get: () => '', $instanceOf: () => true },
    },
    look: {
      businessObject: { $type: 'bpmn:UserTask', name: 'Look', get: () => '', $instanceOf: () => true },
    },
  };
  const marks = new Set<string>();
  const badges = new Map<string, string>();
  const services: Record<string, object> = {
    elementRegistry: { get: (id: string) => elements[id] },
    canvas: {
      getContainer: () => document.body,
      addMarker: (id: string, mark: string) => marks.add(`${id} ${mark}`),
      removeMarker: (id: string, mark: string) => marks.delete(`${id} ${mark}`),
    },
    overlays: {
      add: (id: string, _type: string, { html }: { html: HTMLElement }) =>
        badges.set(id, html.textContent ?? ''),
      remove: () => badges.clear(),
    },
  };
  const drawing = {
    get: (name: string) => services[name],
    getDefinitions: () => ({ rootElements: [{ $type: 'bpmn:Process', id: 'own' }] }),
    saveXML: async () => ({ xml: '<drawn/>' }),
  };
  return { drawing: drawing as unknown as Drawing, marks, badges };
}

const catalogue = {
  businessType: '',
  businessName: '',
  operations: [],
  processes: [],
  dueFunctions: [],
  required: [],
  pageForms: [],
};
const form = { components: [{ type: 'number', key: 'days', label: 'Days', validate: { required: true } }] };
const recipients = {
  people: [{ id: '8', name: 'Wei', deptName: '', weight: null }],
  total: 1,
  isHeld: true,
  rules: [],
  instead: '' as const,
  reason: 'Wei gets it',
};
const waiting = {
  node: 'look',
  name: 'Look',
  round: 1,
  seat: '.1',
  formKey: '',
  form: null,
  recipients,
  outcomes: [{ key: 'agree', label: 'Approve', isPositive: true, isNegative: false, isEnd: false }],
};

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('a run begins with the form, is taken on by an outcome, and is looked at step by step', async () => {
  const ended = answer(
    [
      first,
      step({
        act: { node: 'look', outcome: 'agree' } as Step['act'],
        passed: ['look'],
        operations: [
          {
            node: 'tell',
            name: 'message.send',
            label: 'Message throw event',
            text: 'Lays a message on desks',
            parameters: [{ name: 'to', label: 'To whom', text: 'role “HR”' }],
          },
        ],
        standing: 'completed',
      }),
    ],
    {
      standing: 'completed',
      form: { days: 2 },
    },
  );
  const needed = { code: 'input.invalid', message: 'Too many', fields: { days: 'Too many days' } };
  const log = serve({
    'GET /blade-flow/model/catalogue': () => ({
      ...catalogue,
      candidateKinds: [],
      readable: [],
      elements: [],
    }),
    'GET /blade-user/user-list': () => [],
    'POST /blade-flow/model/dry-run': ({ body }: Asked) => {
      const { acts, values } = body as { acts: object[]; values?: { days?: number } };
      if (acts.length > 0) return ended;
      if (values?.days === 2) return answer([first], { startForm: form, open: [waiting], form: { days: 2 } });
      return answer([step({ refusal: needed })], { startForm: form });
    },
  });
  const { drawing, marks, badges } = drawingOf();
  const select = vi.fn();
  const context = { drawing, changes: 0, language: 'en-US', readOnly: false, select } as unknown as Designer;
  draw(
    <DesignerContext value={context}>
      <DryRun />
    </DesignerContext>,
  );
  const begin = await screen.findByRole('button', { name: 'Start dry run' });
  await userEvent.type(screen.getByLabelText('Days'), '9');
  await userEvent.click(begin);
  expect(await screen.findByText('Too many days')).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('Days'));
  await userEvent.type(screen.getByLabelText('Days'), '2');
  await userEvent.click(begin);

  const toolbar = await screen.findByRole('toolbar', { name: 'Dry run' });
  expect(within(toolbar).getByText(/Step 1 of 1: waits for “Look”/)).toBeTruthy();
  expect([...marks].sort()).toEqual(['look x-run-now', 'start x-run-done']);
  expect([...badges]).toEqual([['look', '1']]);
  expect(screen.getByText('Wei gets it')).toBeTruthy();
  // Values are called as their fields are.
  const values = screen.getByRole('region', { name: 'Process variables' });
  expect([...values.querySelectorAll('dt, dd')].map((one) => one.textContent)).toEqual(['Days', '2']);
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }));
  expect(await within(toolbar).findByText(/Step 2 of 2: The process has ended/)).toBeTruthy();
  const sent = log.filter(({ method }) => method === 'POST').at(-1)?.body;
  expect(sent).toEqual({
    xml: '<drawn/>',
    values: { days: 2 },
    acts: [{ node: 'look', round: 1, seat: '.1', outcome: 'agree', values: {} }],
  });
  expect(badges.size).toBe(0);

  await userEvent.click(within(toolbar).getByRole('button', { name: 'Step back' }));
  await waitFor(() => expect([...badges]).toEqual([['look', '1']]));
  const told = screen.getByRole('region', { name: 'Log' });
  expect(within(told).getByRole('button', { name: '“Look”: Approve' })).toBeTruthy();
  const called = within(told).getByTitle('Lays a message on desks');
  expect([...called.querySelectorAll('dt, dd')].map((one) => one.textContent)).toEqual([
    'To whom',
    'role “HR”',
  ]);
  await userEvent.click(within(told).getByRole('button', { name: 'Begin' }));
  expect(select).toHaveBeenCalledWith('start');
  await userEvent.click(within(toolbar).getByRole('button', { name: 'Start over' }));
  expect(await screen.findByRole('button', { name: 'Start dry run' })).toBeTruthy();
  expect(marks.size).toBe(0);
});
