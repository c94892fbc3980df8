import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import MachineClasses from './class.page';

const CALL = '/yuzhu-equip/inspecttype';
const row = (id: string, parentId: string, title: string, level: number, more = {}) => ({
  id,
  parentId,
  title,
  typeName: title,
  typeCode: `C${id}`,
  level,
  machineCount: level,
  defaultImportance: 2,
  isSealed: 0,
  sort: 0,
  ...more,
});

function plant(codes: string[]) {
  return serve({
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [{ id: '1', code: 'inspectmachine', path: '/equip/machine' }],
    [`GET ${CALL}/detail`]: ({ params }) => row(params.id as string, '1', 'Lathes', 2),
    [`GET ${CALL}/lazy-list`]: () => [
      row('1', '0', 'Machine tools', 1),
      row('2', '1', 'Lathes', 2),
      row('3', '1', 'Planers', 2, { isSealed: 1 }),
      row('6', '2', 'Deepest', 6),
    ],
    [`GET ${CALL}/tree`]: () => [
      {
        id: '1',
        title: 'Machine tools',
        disabled: false,
        children: [{ id: '3', title: 'Planers', disabled: true }],
      },
    ],
    [`POST ${CALL}/submit`]: () => ({ id: '9' }),
  });
}

const line = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement);

beforeEach(async () => {
  sessionStorage.clear();
  await setLanguage('en-US');
  beSignedIn();
});

test('a class is added below another one, but not below a sealed one nor below the lowest level', async () => {
  const log = plant(['inspecttype_view', 'inspecttype_add']);
  draw(<MachineClasses />);
  expect((await line('Planers')).getByText('Sealed')).toBeTruthy();
  for (const [name, may] of [
    ['Lathes', true],
    ['Planers', false],
    ['Deepest', false],
  ] as const)
    expect((await line(name)).queryByRole('button', { name: 'Add child' }) !== null, name).toBe(may);
  await userEvent.click((await line('Lathes')).getByRole('button', { name: 'Add child' }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.type(await form.findByLabelText('Type code'), 'CNC');
  await userEvent.type(form.getByLabelText('Type name'), 'CNC lathes');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(log.some((asked) => asked.method === 'POST')).toBe(true));
  expect(log.find((asked) => asked.method === 'POST')?.body).toEqual({
    parentId: '2',
    isSealed: 0,
    typeCode: 'CNC',
    typeName: 'CNC lathes',
    defaultImportance: 2,
    sort: 0,
  });
});

test('who may only look finds the machines of a class and no way to change it', async () => {
  plant(['inspecttype_view']);
  draw(<MachineClasses />);
  await screen.findByText('Lathes');
  for (const name of ['Add child', 'Edit', 'Delete', 'plus Add'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  await userEvent.click(screen.getByText('Lathes'));
  const link = await within(await screen.findByRole('dialog')).findByRole('link', {
    name: 'Show assets of this type',
  });
  expect(link.getAttribute('href')).toBe('/equip/machine?typeId=2');
});
