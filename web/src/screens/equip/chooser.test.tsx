import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Form } from 'antd';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { provideChoosers } from '@/kit/choosers';
import { ReferenceField } from '@/kit/nounFields';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import MachineChooser from './inspectmachine.chooser';

provideChoosers((noun) => (noun === 'inspectmachine' ? MachineChooser : undefined));

beforeEach(() => setLanguage('en-US'));

const SELECT = '/yuzhu-equip/inspectmachine/select';
const node = { id: '5', nodeType: 4, label: 'Lathe', machineCode: 'L-1', runState: 1 };
const tree = [
  { ...node, children: [{ ...node, id: '6', nodeType: 5, label: 'Spindle', machineCode: 'S-1' }] },
];
const own = { id: '8', machineName: 'Press', machineCode: 'P-8', path: 'Site/Hall', runState: 1 };
const answers = {
  'GET /yuzhu-equip/inspectmachine/getTreeList': () => tree,
  'GET /yuzhu-equip/inspectmachine/getList': ({ params }: Asked) => (params.mine ? [own] : []),
  [`GET ${SELECT}`]: () => ({ records: [], total: 0, size: 50, current: 1, pages: 0 }),
};

/** Shows the field, and what the form holds of it. */
const field = (ref: string, params?: Record<string, string>) =>
  draw(
    <Form>
      <ReferenceField name="asset" label="Asset" source={{ ref, params }} />
      <Form.Item shouldUpdate noStyle>
        {({ getFieldValue }) => <output>{getFieldValue('asset')}</output>}
      </Form.Item>
    </Form>,
    '/',
  );
const held = () => screen.getByRole('status').textContent;
const BOTH = `${SELECT}?nodeType=4%2C5`;
const page = (records: object[]) => ({ records, total: records.length, size: 50, current: 1, pages: 1 });
const onPhone = () =>
  vi
    .spyOn(window, 'matchMedia')
    .mockImplementation(
      (query) => ({ matches: query.includes('<'), addEventListener() {}, removeEventListener() {} }) as never,
    );

test('an area leads to its machines and is not taken itself', async () => {
  const area = (nodeType: number, label: string, child: unknown) => ({
    ...node,
    id: `${nodeType}0`,
    nodeType,
    label,
    children: [child],
  });
  const site = area(1, 'Site', area(2, 'Hall', area(3, 'Line', node)));
  serve({ ...answers, 'GET /yuzhu-equip/inspectmachine/getTreeList': () => [site] });
  field(BOTH);
  const tree = () => screen.getByRole('combobox', { name: 'Asset' });
  await waitFor(() => expect(tree()).toHaveProperty('disabled', false));
  await userEvent.click(tree());
  expect(screen.queryByText('Lathe L-1')).toBeNull();
  await userEvent.click(await screen.findByText('Line'));
  expect(held()).toBe('');
  await userEvent.click(await screen.findByText('Lathe L-1'));
  await waitFor(() => expect(held()).toBe('5'));
});

test('one’s own machines and those reported lately are taken at one tap', async () => {
  beSignedIn();
  const order = (machineId: string, name: string) => ({ machineId, machineName: name, machineCode: name });
  serve({
    ...answers,
    'GET /yuzhu-equip/repairorder/list': ({ params }) =>
      page(params.reportUserId === '7' ? [order('8', 'Press'), order('9', 'Saw'), order('9', 'Saw')] : []),
  });
  field(BOTH);
  const mine = await screen.findByRole('group', { name: 'My assets' });
  const lately = await screen.findByRole('group', { name: 'Recently reported' });
  const names = (group: HTMLElement) =>
    within(group)
      .getAllByRole('radio')
      .map((each) => each.parentElement?.textContent);
  expect([names(mine), names(lately)]).toEqual([['Press P-8'], ['Saw Saw']]);
  await userEvent.click(within(mine).getByLabelText('Press P-8'));
  await waitFor(() => expect(held()).toBe('8'));
});

test('on a phone machines are a list in a sheet, found by what the server knows of them', async () => {
  onPhone();
  const found = { ...own, id: '5', machineName: 'Lathe', machineCode: 'L-1' };
  const log = serve({
    ...answers,
    'GET /yuzhu-equip/inspectmachine/getList': ({ params }) =>
      params.mine ? [own] : params.keyword ? [found, { ...found, id: '6', runState: 7 }] : [own, found],
    [`GET ${SELECT}`]: () => page([{ id: '5', code: 'L-1', name: 'Lathe', path: '', enabled: 1 }]),
  });
  field(BOTH);
  await userEvent.click(await screen.findByRole('button', { name: 'Asset' }));
  const sheet = await screen.findByRole('dialog', { name: 'Select an asset' });
  expect(await within(sheet).findAllByRole('button', { name: 'Press P-8 · Site/Hall' })).toHaveLength(2);
  await userEvent.type(within(sheet).getByLabelText('Name, code or location'), 'hall');
  await within(sheet).findByText('Search results');
  expect(log.filter(({ params }) => params.keyword).map(({ params }) => params)).toEqual([
    { nodeType: '4,5', keyword: 'hall' },
  ]);
  // A scrapped one cannot be taken.
  await userEvent.click(within(sheet).getByRole('button', { name: 'Lathe L-1 · Site/Hall' }));
  expect(await screen.findByText('Lathe')).toBeTruthy();
  expect(held()).toBe('5');
  vi.restoreAllMocks();
});

test('any form that asks for a machine, such as a drawn one, has the machines of its kinds', async () => {
  const log = serve(answers);
  field(`${SELECT}?nodeType=4`);
  const mine = await screen.findByRole('group', { name: 'My assets' });
  await userEvent.click(within(mine).getByLabelText('Press P-8'));
  await waitFor(() => expect(within(mine).getByRole<HTMLInputElement>('radio').checked).toBe(true));
  await userEvent.click(screen.getByRole('combobox', { name: 'Asset' }));
  await userEvent.click(await screen.findByText('Spindle S-1'));
  // A component is not what the field asks for.
  expect(within(mine).getByRole<HTMLInputElement>('radio').checked).toBe(true);
  await userEvent.click(await screen.findByText('Lathe L-1'));
  expect(within(mine).getByRole<HTMLInputElement>('radio').checked).toBe(false);
  expect(log.some(({ path }) => path === '/yuzhu-equip/repairorder/list')).toBe(false);
});

test('a form that offers some of them only has a plain choice', async () => {
  const log = serve(answers);
  field(SELECT, { parentId: '5' });
  await waitFor(() => expect(log.map(({ path }) => path)).toEqual([SELECT]));
});
