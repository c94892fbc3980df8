import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Form } from 'antd';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { fileName } from '@/lib/fileLinks';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import StartProcess from '../own/start';
import { DrawnFields } from './DrawnFields';
import { initialOf, inputsOf, type Schema, schemaOf, sentOf, shown } from './schema';
import { Tried } from './TriedFiles';

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

const values = [
  { value: 'a', label: '甲', labelEn: 'First' },
  { value: 'b', label: '乙' },
];
const components = [
  { type: 'text', text: '请如实填写', properties: { textEn: 'Tell the truth' } },
  {
    type: 'number',
    key: 'days',
    label: '天数',
    properties: { labelEn: 'Days' },
    decimalDigits: 1,
    validate: { required: true, min: 0.5, max: 30 },
  },
  {
    type: 'group',
    label: 'Why',
    components: [
      {
        type: 'textfield',
        key: 'code',
        label: 'Code',
        validate: { pattern: '^[A-Z]{2}$', patternErrorMessage: 'Two capitals' },
      },
      { type: 'select', key: 'kind', label: 'Kind', values },
    ],
  },
  { type: 'checkbox', key: 'sure', label: 'Sure', validate: { required: true } },
  { type: 'textfield', key: 'dept', label: 'Dept', readonly: true, defaultValue: 'Shop' },
];
const form = { type: 'default', components };
const asked = {
  processDefinitionId: '9',
  processDefinitionKey: 'leave',
  processDefinitionName: 'Leave',
  processDefinitionVersion: 2,
  form,
  formData: {},
  texts: {},
};
const around = { 'GET /blade-flow/work/start-form': () => asked };
const started = { processInstanceId: '77', businessNo: 'LC1', title: 'x', processIsFinished: 'unfinished' };

const sends = (log: Asked[]) => log.filter(({ path }) => path === '/blade-flow/work/start-process');
const send = () => userEvent.click(screen.getByRole('button', { name: 'Start a process' }));

function open() {
  // The page reads its parameter from its route.
  return draw(<StartProcess />, '/work/process/own/form/9');
}

test('what is entered is sent as it is, once and with a key, and leads to the process', async () => {
  const log = serve({ ...around, 'POST /blade-flow/work/start-process': () => started });
  const { router } = open();
  expect(await screen.findByText('Tell the truth')).toBeTruthy();
  expect(screen.getByText('Shop')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Days'), '2.5');
  await userEvent.type(screen.getByLabelText('Code'), 'AB');
  await userEvent.click(screen.getByLabelText('Yes (required)'));
  await send();
  await waitFor(() => expect(router.state.location.pathname).toBe('/work/process/own/detail/77/77'));
  expect(sends(log)).toHaveLength(1);
  expect(sends(log)[0]?.body).toEqual({
    processDefinitionId: '9',
    variables: { days: 2.5, code: 'AB', kind: null, sure: true },
  });
  expect(sends(log)[0]?.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
});

test('what the rules refuse is said under its field and not sent', async () => {
  const log = serve(around);
  open();
  await userEvent.type(await screen.findByLabelText('Days'), '2.55');
  await userEvent.type(screen.getByLabelText('Code'), 'abc');
  await send();
  expect(await screen.findByText('Days may have at most 1 decimal')).toBeTruthy();
  expect(await screen.findByText('Two capitals')).toBeTruthy();
  expect(await screen.findByText('Please select Sure')).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('Days'));
  expect(await screen.findByText('Please enter days')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Days'), '31');
  expect(await screen.findByText('Days must be between 0.5 and 30')).toBeTruthy();
  expect(sends(log)).toEqual([]);
});

test('what the server refuses stands under its field', async () => {
  const fields = { days: 'Days are used up' };
  serve({
    ...around,
    'POST /blade-flow/work/start-process': () => {
      throw new Refused(400, {
        code: 400,
        msg: 'Days are used up',
        error: 'input.invalid',
        data: { fields },
      });
    },
  });
  open();
  await userEvent.type(await screen.findByLabelText('Days'), '3');
  await userEvent.click(screen.getByLabelText('Yes (required)'));
  await send();
  expect(await screen.findByText('Days are used up')).toBeTruthy();
});

test('a draft is there again when the form is opened anew, and gone once it was sent', async () => {
  serve({ ...around, 'POST /blade-flow/work/start-process': () => started });
  const first = open();
  await userEvent.type(await screen.findByLabelText('Days'), '4');
  await waitFor(() => expect(localStorage.getItem('xunwei.draft.100001.7.start.9')).toContain('4'));
  first.unmount();
  const second = open();
  const days = await screen.findByLabelText<HTMLInputElement>('Days');
  expect(days.value).toBe('4');
  await userEvent.click(screen.getByLabelText('Yes (required)'));
  await send();
  await waitFor(() => expect(second.router.state.location.pathname).toBe('/work/process/own/detail/77/77'));
  expect(localStorage.getItem('xunwei.draft.100001.7.start.9')).toBeNull();
});

const texts = { 'xw-person:7': 'Qin', '/f/9?sign=1': '报价.pdf' };

test('a schema is read in both languages, and its values say what they mean', () => {
  const schema = schemaOf(form);
  expect(inputsOf(schema).map(({ key }) => key)).toEqual(['days', 'code', 'kind', 'sure', 'dept']);
  expect(initialOf(schema, { days: 3, dept: 'x', kind: null })).toEqual({ days: 3 });
  expect(sentOf(schema, { days: 3 })).toEqual({ days: 3, code: null, kind: null, sure: false });
  const words = { yes: 'Yes', no: 'No', gap: ', ', rows: (count: number) => `${count} rows`, texts };
  const list = { type: 'checklist', key: 'x', label: 'x', values };
  expect(shown(list, ['a', 'b'], 'en-US', words)).toBe('First, 乙');
  expect(shown(list, ['a'], 'zh-CN', words)).toBe('甲');
  expect(shown({ type: 'checkbox', key: 'x' }, false, 'en-US', words)).toBe('No');
  expect(
    shown({ type: 'datetime', subtype: 'datetime', key: 'x' }, '2026-01-02 03:04:05', 'en-US', words),
  ).toBe('2026-01-02 03:04');
  expect(shown({ type: 'number', key: 'x', appearance: { suffixAdorner: '元' } }, 5, 'en-US', words)).toBe(
    '5 元',
  );
  expect(shown({ type: 'xw-person', key: 'x' }, '7', 'en-US', words)).toBe('Qin');
  expect(shown({ type: 'filepicker', key: 'x' }, ['/f/9?sign=1', '/f/8.txt'], 'en-US', words)).toBe(
    '报价.pdf, 8.txt',
  );
  expect(shown({ type: 'xw-table', key: 'x' }, [{}, {}], 'en-US', words)).toBe('2 rows');
  expect(schemaOf({ x: 1 })).toBeUndefined();
});

const references = {
  components: [
    { type: 'xw-person', key: 'leader', label: 'Leader', validate: { required: true } },
    { type: 'filepicker', key: 'offers', label: 'Offers', multiple: true, validate: { minItems: 2 } },
    {
      type: 'xw-table',
      key: 'lines',
      label: 'Lines',
      validate: { required: true, maxItems: 2 },
      components: [
        { type: 'textfield', key: 'part', label: 'Part', validate: { required: true } },
        { type: 'number', key: 'amount', label: 'Amount', defaultValue: 1 },
      ],
    },
  ],
};
const people = { records: [{ id: '7', code: 'qin.y', name: 'Qin', path: '', enabled: 1 }] };

test('a person, files and rows are entered, and sent as ids, links and rows', async () => {
  const log = serve({
    'GET /blade-flow/work/start-form': () => ({ ...asked, form: references }),
    'GET /blade-user/select': () => people,
    'POST /blade-flow/work/start-process': () => started,
  });
  open();
  await userEvent.click(await screen.findByLabelText('Leader'));
  await userEvent.click(await screen.findByTitle('Qin'));
  await send();
  expect(await screen.findByText('Lines: at least 1 needed')).toBeTruthy();
  const add = screen.getByRole('button', { name: 'plus Add a row' });
  await userEvent.click(add);
  await send();
  expect(await screen.findByText('Please enter part')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Part'), 'Bearing');
  await userEvent.click(add);
  expect(add).toHaveProperty('disabled', true);
  await userEvent.click(screen.getByRole('button', { name: 'Remove row 2' }));
  expect(sends(log)).toEqual([]);
  await send();
  await waitFor(() => expect(sends(log)).toHaveLength(1));
  expect(sends(log)[0]?.body).toMatchObject({
    variables: { leader: '7', offers: null, lines: [{ part: 'Bearing', amount: 1 }] },
  });
});

test('what is only shown says names, not ids', async () => {
  serve({});
  const lines = [{ part: 'Bearing', who: '7' }];
  const schema: Schema = {
    components: [
      { type: 'xw-person', key: 'leader', label: 'Leader', readonly: true },
      { type: 'filepicker', key: 'offers', label: 'Offers', readonly: true },
      {
        type: 'xw-table',
        key: 'lines',
        label: 'Lines',
        readonly: true,
        components: [
          { type: 'textfield', key: 'part', label: 'Part' },
          { type: 'xw-person', key: 'who', label: 'Taken by' },
        ],
      },
    ],
  };
  draw(
    <Form>
      <DrawnFields schema={schema} known={{ leader: '7', offers: ['/f/9?sign=1'], lines }} texts={texts} />
    </Form>,
  );
  expect(await screen.findAllByText('Qin')).toHaveLength(2);
  expect(screen.getByRole('link', { name: '报价.pdf' })).toHaveProperty('download', '报价.pdf');
  expect(screen.getByRole('columnheader', { name: 'Taken by' })).toBeTruthy();
  const picker: Schema = { components: [{ type: 'filepicker', key: 'offers' }] };
  const { offers } = initialOf(picker, { offers: ['/f/9?sign=1'] }, texts);
  expect(String(offers)).toBe('/f/9?sign=1#%E6%8A%A5%E4%BB%B7.pdf');
  expect(fileName(String(offers))).toBe('报价.pdf');
});

test('a form that is tried keeps the names of files, and sends nothing', async () => {
  const log = serve(around);
  const many = {
    type: 'filepicker',
    key: 'offers',
    label: 'Offers',
    multiple: true,
    validate: { maxItems: 3 },
  };
  const before = {
    type: 'filepicker',
    key: 'seen',
    label: 'Seen',
    accept: 'image/*' as const,
    readonly: true,
  };
  draw(
    <Tried value={true}>
      <Form>
        <DrawnFields schema={{ components: [many, before] }} known={{ seen: ['machine.jpg'] }} />
      </Form>
    </Tried>,
  );
  const input = () => document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input(), [new File(['1'], 'offer.pdf'), new File(['2'], 'offer.pdf')]);
  await screen.findByText('offer (2).pdf');
  await userEvent.click(screen.getByRole('button', { name: /remove offer\.pdf/i }));
  await userEvent.upload(input(), [new File(['3'], 'a'), new File(['4'], 'b'), new File(['5'], 'c')]);
  const names = [...document.querySelectorAll('.x-file')].map((one) => one.textContent);
  expect(names).toEqual(['offer (2).pdf', 'a', 'b', 'machine.jpg']);
  expect(input()).toBeNull();
  expect(document.querySelector('a, img')).toBeNull();
  expect(log).toEqual([]);
});
