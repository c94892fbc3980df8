import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import Parameters from './param.page';

const plain = { least: 0, most: 0, unit: '', choices: [] };
const row = (id: string, title: string, paramValue: string, rule: object) => ({
  id,
  title,
  paramName: title,
  paramNameEn: title,
  paramKey: `key.${id}`,
  paramValue,
  paramValueName: paramValue,
  defaultValueName: '',
  description: `What ${title} does.`,
  rule: { ...plain, ...rule },
  remark: '',
});
const rows = [
  row('1', 'Claiming', '1', { kind: 'switch' }),
  row('2', 'Hours', '72', { kind: 'whole', most: 8760, unit: 'h' }),
  row('3', 'Limits', '15,60,240', { kind: 'byPriority', least: 1, most: 100 }),
  row('4', 'Board', '/x', { kind: 'text' }),
  row('5', 'Spans', '08:00-12:00,13:00-17:00', { kind: 'hours' }),
  row('6', 'Week', '1,2', {
    kind: 'weekdays',
    choices: [1, 2, 3].map((n) => ({ key: `${n}`, name: `Day ${n}` })),
  }),
];

let log: Asked[];
beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
  log = serve({
    'GET /blade-system/menu/buttons': () => ['param_view', 'param_edit'].map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    'GET /blade-system/param/list': () => ({
      records: rows,
      total: rows.length,
      size: 10,
      current: 1,
      pages: 1,
    }),
    'GET /blade-system/param/detail': ({ params }) => rows.find((one) => one.id === params.id),
    'POST /blade-system/param/submit': () => ({}),
  });
});

async function open(title: string) {
  draw(<Parameters />);
  const [line] = await screen.findAllByRole('row', { name: new RegExp(title) });
  await userEvent.click(within(line as HTMLElement).getByText('Edit'));
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText(new RegExp(`What ${title} does`));
  return {
    drawer,
    save: async () => {
      await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
    },
    sent: () => (log.find((asked) => asked.method === 'POST')?.body as { paramValue?: string })?.paramValue,
  };
}

test('what is on or off is a switch', async () => {
  const { drawer, save, sent } = await open('Claiming');
  const control = await drawer.findByRole('switch');
  expect(control.getAttribute('aria-checked')).toBe('true');
  await userEvent.click(control);
  await save();
  await waitFor(() => expect(sent()).toBe('0'));
});

test('a number has its unit and its bounds', async () => {
  const { drawer, save, sent } = await open('Hours');
  const control = await drawer.findByLabelText('Value');
  drawer.getByText('h');
  await userEvent.clear(control);
  await userEvent.type(control, '9000');
  await save();
  await drawer.findByText('Value must be between 0 and 8760');
  expect(sent()).toBeUndefined();
  await userEvent.clear(control);
  await userEvent.type(control, '0');
  await save();
  await waitFor(() => expect(sent()).toBe('0'));
});

test('three limits are three numbers', async () => {
  const { drawer, save, sent } = await open('Limits');
  const control = await drawer.findByLabelText('Value');
  await userEvent.clear(control);
  await userEvent.type(control, '15,60');
  await save();
  await drawer.findByText(/^Enter three whole numbers/);
  expect(sent()).toBeUndefined();
});

test("the company's own is a text", async () => {
  const { drawer } = await open('Board');
  expect(await drawer.findByLabelText('Value')).toHaveProperty('value', '/x');
});

test('working hours are spans in order', async () => {
  const { drawer, save, sent } = await open('Spans');
  const control = await drawer.findByLabelText('Value');
  const enter = (value: string) => fireEvent.change(control, { target: { value } });
  for (const wrong of ['13:00-17:00,08:00-12:00', '12:00-12:00']) {
    enter(wrong);
    await save();
    await drawer.findByText(/Enter times of the day in order/);
    expect(sent()).toBeUndefined();
  }
  enter('08:00-12:00,12:00-24:00');
  await save();
  await waitFor(() => expect(sent()).toBe('08:00-12:00,12:00-24:00'));
});

test('weekdays are chosen, and are one text on the wire', async () => {
  const { drawer, save, sent } = await open('Week');
  await userEvent.click(await drawer.findByLabelText('Value'));
  await userEvent.click(await screen.findByText('Day 3', { selector: '.ant-select-item-option-content' }));
  await save();
  await waitFor(() => expect(sent()).toBe('1,2,3'));
});
