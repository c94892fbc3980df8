import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import Models from './model.page';

const version = (id: string, more: object = {}) => ({
  id,
  deploymentId: id,
  tenantId: '100001',
  key: 'leave',
  name: 'Leave',
  category: 'flow_1',
  categoryName: 'Leave',
  version: 1,
  suspensionState: 1,
  isHalted: false,
  deploymentTime: '2026-11-20 08:00:00',
  deployUserName: 'Gao Lan',
  businessType: 'leave',
  note: '',
  isInForce: id === '9',
  isScheduled: false,
  running: 0,
  overdue: 0,
  failed: 0,
  ...more,
});

const draft = {
  id: '5',
  version: 4,
  lastUpdated: '2026-11-21 09:00:00',
  userName: 'Gao Lan',
  note: '',
};

const model = (more: object = {}) => ({
  key: 'leave',
  name: 'Leave',
  category: 'flow_1',
  categoryName: 'Leave',
  businessType: 'leave',
  state: 'active',
  draft: null,
  deployed: version('9'),
  versions: 1,
  running: 3,
  overdue: 0,
  failed: 0,
  ...more,
});

const ALL = ['model_view', 'model_create', 'model_update', 'model_deploy', 'model_delete'].concat([
  'manager_view',
  'manager_deploy',
  'manager_state',
  'manager_remove',
]);
const XML =
  '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="leave" name="Leave"/></definitions>';
const page = (records: object[]) => ({ records, total: records.length, size: 10, current: 1, pages: 1 });

function plant(
  row: object,
  codes: readonly string[] = ALL,
  more: Record<string, (asked: Asked) => unknown> = {},
) {
  return serve({
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code: `flow_${code}` })),
    'GET /blade-system/menu/routes': () => [{ id: '1', code: 'flow_follow', path: '/flow/follow' }],
    'GET /blade-system/dict-biz/dictionary': () => [{ dictKey: '1', dictValue: 'Leave' }],
    'GET /blade-flow/model/overview': () => page([row]),
    'GET /blade-flow/manager/detail': () => ({ ...version('9'), xml: XML }),
    'GET /blade-flow/manager/versions': () =>
      page([version('9', { running: 2 }), version('8', { running: 1 }), version('7', { tenantId: '' })]),
    'POST /blade-flow/model/submit': () => ({ id: '6', version: 1 }),
    'POST /blade-flow/model/remove': () => null,
    'POST /blade-flow/manager/delete-deployment': () => ({ deleted: 2, ended: 3, ending: 4 }),
    ...more,
  });
}

const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const actions = async () => {
  await userEvent.click(await screen.findByText('More'));
  return (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
};
const act = async (name: string) => {
  await actions();
  await userEvent.click(screen.getByRole('menuitem', { name }));
};

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('a figure leads to the processes that it counts; nothing leads nowhere', async () => {
  plant(model({ overdue: 1 }));
  draw(<Models />);
  const figures = await screen.findAllByRole('link');
  expect(figures.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['3', '/flow/follow?processDefinitionKey=leave'],
    ['1', '/flow/follow?processDefinitionKey=leave&overdue=1'],
  ]);
});

test('who may only look is offered nothing that changes', async () => {
  plant(model({ draft }), ['model_view', 'manager_view']);
  draw(<Models />);
  expect(await screen.findByRole('button', { name: 'View' })).toBeTruthy();
  expect(await actions()).toEqual(['Compare with deployed version', 'Analytics', 'Export']);
  expect(screen.queryByRole('button', { name: 'New model' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Upload and deploy' })).toBeNull();
});

test('a general version is not the company’s to suspend or delete', async () => {
  plant(model({ deployed: version('7', { tenantId: '' }) }));
  draw(<Models />);
  expect(await actions()).toEqual(['Analytics', 'Export', 'Copy']);
});

test('a look at a general model in the designer begins no draft', async () => {
  const log = plant(model({ deployed: version('9', { tenantId: '', version: 3 }) }));
  const { router } = draw(<Models />);
  await userEvent.click(await screen.findByRole('button', { name: 'Design' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/flow/model/design/new'));
  expect(router.state.location.search).toBe('?key=leave');
  expect(log.some(({ method }) => method === 'POST')).toBe(false);
});

test('a copy is a process of its own key and name', async () => {
  const log = plant(model());
  draw(<Models />);
  await act('Copy');
  const form = within(await screen.findByRole('dialog'));
  fill(form.getByLabelText('Name'), 'Short leave');
  fill(form.getByLabelText('Process key'), 'short');
  await userEvent.click(form.getByRole('button', { name: 'Save and design' }));
  await waitFor(() => expect(log.some(({ path }) => path === '/blade-flow/model/submit')).toBe(true));
  const sent = log.find(({ path }) => path === '/blade-flow/model/submit')?.body as Record<string, string>;
  expect(sent).toMatchObject({ modelKey: 'short', name: 'Short leave', category: 'flow_1' });
  expect(sent.xml).toContain('<process id="short" name="Short leave"');
});

const DRAWN = XML.replace(
  '</definitions>',
  '<BPMNDiagram xmlns="http://www.omg.org/spec/BPMN/20100524/DI"/></definitions>',
);
const submitted = (log: Asked[]) =>
  log.find(({ path }) => path === '/blade-flow/model/submit')?.body as Record<string, string> | undefined;

async function pick(field: HTMLElement, option: string) {
  await userEvent.click(field);
  const options = await screen.findAllByText(option, { selector: '.ant-select-item-option-content' });
  await userEvent.click(options.at(-1) as HTMLElement);
}

test('a new model begins with a file, whose problems are told by element', async () => {
  const problem = { element: 'leave', code: 'x', level: 'error', message: 'Broken', messageEn: 'Broken' };
  const log = plant(model(), ALL, {
    'POST /blade-flow/model/validate': () => ({ problems: [problem] }),
  });
  draw(<Models />);
  await userEvent.click(await screen.findByRole('button', { name: /New model/ }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.click(form.getByLabelText('File'));
  const choose = async (text: string) => {
    const input = document.querySelector('input[type=file]') as HTMLInputElement;
    await userEvent.upload(input, new File([text], 'leave.bpmn'));
  };
  await choose('<html/>');
  await userEvent.click(form.getByRole('button', { name: 'Save and design' }));
  expect(await form.findByText('The file is not a BPMN model')).toBeTruthy();
  await choose(DRAWN);
  expect(await form.findByText(/Leave.: Broken/)).toBeTruthy();
  expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Leave');
  fill(form.getByLabelText('Process key'), 'short');
  await pick(form.getByLabelText('Category'), 'Leave');
  expect(submitted(log)).toBeUndefined();
  await userEvent.click(form.getByRole('button', { name: 'Save and design' }));
  await waitFor(() => expect(submitted(log)).toBeTruthy());
  expect(submitted(log)).toMatchObject({ modelKey: 'short', note: 'Imported from a file' });
  expect(submitted(log)?.xml).toContain('<process id="short" name="Leave"');
  expect(Object.keys(submitted(log) ?? {})).not.toContain('file');
});

test('a new model begins with a template', async () => {
  const log = plant(model());
  draw(<Models />);
  await userEvent.click(await screen.findByRole('button', { name: /New model/ }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.click(form.getByLabelText('Template'));
  await pick(await form.findByRole('combobox', { name: 'Template' }), 'Leave (leave)');
  fill(form.getByLabelText('Name'), 'Short leave');
  fill(form.getByLabelText('Process key'), 'short');
  await pick(form.getByLabelText('Category'), 'Leave');
  await userEvent.click(form.getByRole('button', { name: 'Save and design' }));
  await waitFor(() => expect(submitted(log)).toBeTruthy());
  expect(submitted(log)).toMatchObject({ modelKey: 'short', note: 'Copied from “Leave”' });
  expect(submitted(log)?.xml).toContain('<process id="short" name="Short leave"');
});

test('deleting ends what runs only with a reason, and leaves what is not the company’s', async () => {
  const log = plant(model({ draft }));
  draw(<Models />);
  await act('Delete');
  const [drawn, deployed] = await screen.findAllByRole('switch');
  await userEvent.click(drawn as HTMLElement);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Please choose what to delete')).toBeTruthy();
  await userEvent.click(deployed as HTMLElement);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Please enter reason')).toBeTruthy();
  expect(log.some(({ method }) => method === 'POST')).toBe(false);
  fill(screen.getByLabelText('Reason'), 'replaced');
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText(/4 processes are still being terminated/)).toBeTruthy();
  await waitFor(() => expect(screen.queryByLabelText('Reason')).toBeNull());
  expect(log.filter(({ method }) => method === 'POST').map(({ path, params }) => [path, params])).toEqual([
    [
      '/blade-flow/manager/delete-deployment',
      { deploymentIds: '9,8', cascade: '1', deleteReason: 'replaced' },
    ],
  ]);
});

test('a draft with errors is not deployed, and what is wrong is called by its name', async () => {
  const xml = XML.replace('/></definitions>', '><task id="t1" name="Approve"/></process></definitions>');
  const log = plant(model({ draft }), ALL, {
    'GET /blade-flow/model/detail': () => ({ ...draft, xml, history: [] }),
    'POST /blade-flow/model/validate': () => ({
      problems: [{ element: 't1', code: 'no_way_out', level: 'error', message: 'No flow leaves it' }],
    }),
  });
  draw(<Models />);
  await userEvent.click(await screen.findByRole('button', { name: 'Deploy' }));
  const problem = await screen.findByText(/No flow leaves it/);
  expect(document.querySelector('.x-problems .x-tag')?.textContent).toBe('Error');
  expect(problem.textContent).toBe('Approve No flow leaves it');
  expect(screen.queryAllByRole('button', { name: 'Deploy' })).toHaveLength(1);
  expect(log.some(({ path }) => path === '/blade-flow/model/deploy')).toBe(false);
});

test('who deploys sees the difference to the version in force and who is affected', async () => {
  const xml = XML.replace('/></definitions>', '><task id="t1" name="Approve"/></process></definitions>');
  plant(model({ draft }), ALL, {
    'GET /blade-flow/model/detail': () => ({ ...draft, xml, history: [] }),
    'POST /blade-flow/model/validate': () => ({ problems: [] }),
  });
  draw(<Models />);
  await userEvent.click(await screen.findByRole('button', { name: 'Deploy' }));
  const link = await screen.findByRole('link', { name: 'View differences' });
  expect(link.getAttribute('href')).toBe('/flow/model/compare?key=leave&from=deployed%3A9&to=draft&draft=5');
  const said = [...(link.closest('ul')?.children ?? [])].map((one) => one.textContent);
  expect(said).toEqual([
    'Compared with version 1, now in force: Added 1 View differences',
    '3 running processes stay on their versions.',
  ]);
});

test('a company that has only the general version is told that it leaves it', async () => {
  const general = version('9', { tenantId: '' });
  plant(model({ draft, deployed: general }), ALL, {
    'GET /blade-flow/model/detail': () => ({ ...draft, xml: XML, history: [] }),
    'GET /blade-flow/manager/versions': () => page([general]),
    'POST /blade-flow/model/validate': () => ({ problems: [] }),
  });
  draw(<Models />);
  await userEvent.click(await screen.findByRole('button', { name: 'Deploy' }));
  expect(await screen.findByText('No differences from version 1, now in force')).toBeTruthy();
  expect(screen.getByText(/no longer gets updates of the general one/)).toBeTruthy();
});

test('saves and versions have words of their own, and the version in force is marked', async () => {
  plant(model({ draft }), ALL, {
    'GET /blade-flow/model/detail': () => ({ ...draft, xml: XML, history: [] }),
  });
  draw(<Models />);
  expect(await screen.findByText(/^Save 4/)).toBeTruthy();
  await act('Versions');
  const [first, second] = await screen.findAllByText(/version 1$/i, { selector: '.x-version-title strong' });
  const restores = (title?: Element) =>
    within(title?.closest('li') as HTMLElement).queryByRole('button', { name: 'Restore' }) !== null;
  expect([restores(first), restores(second)]).toEqual([false, true]);
  expect(screen.getByRole('button', { name: 'Compare both' })).toBeTruthy();
  expect(first?.parentElement?.textContent).toContain('In force');
  expect(second?.parentElement?.textContent).not.toContain('In force');
});

test('of one version alone nothing is chosen to be compared', async () => {
  plant(model({ draft }), ALL, {
    'GET /blade-flow/model/detail': () => ({ ...draft, xml: XML, history: [] }),
    'GET /blade-flow/manager/versions': () => page([version('9')]),
  });
  draw(<Models />);
  await act('Versions');
  expect(await screen.findByText('In force')).toBeTruthy();
  expect(within(await screen.findByRole('dialog')).queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Compare both' })).toBeNull();
});

test('a free key is proposed, until one is written', async () => {
  plant(model());
  draw(<Models />);
  await userEvent.click(await screen.findByRole('button', { name: /New model/ }));
  const form = within(await screen.findByRole('dialog'));
  const key = () => form.getByLabelText<HTMLInputElement>('Process key').value;
  await waitFor(() => expect(key()).toBe('process_1'));
  fill(form.getByLabelText('Name'), 'Spare part request');
  await waitFor(() => expect(key()).toBe('sparePartRequest'));
  fill(form.getByLabelText('Name'), 'Leave');
  await waitFor(() => expect(key()).toBe('leave_2'));
  fill(form.getByLabelText('Name'), '备件申请');
  await waitFor(() => expect(key()).toBe('process_1'));
  fill(form.getByLabelText('Process key'), 'short');
  fill(form.getByLabelText('Name'), 'Leave');
  await waitFor(() => expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Leave'));
  expect(key()).toBe('short');
});

test('a proposed key is nothing that is lost by leaving', async () => {
  plant(model());
  draw(<Models />);
  await userEvent.click(await screen.findByRole('button', { name: /New model/ }));
  const form = within(await screen.findByRole('dialog'));
  const key = form.getByLabelText<HTMLInputElement>('Process key');
  await waitFor(() => expect(key.value).toBe('process_1'));
  await userEvent.click(form.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('warnings have to be ticked; a company deploys for itself', async () => {
  const log = plant(model({ draft }), ALL, {
    'GET /blade-flow/model/detail': () => ({ ...draft, xml: XML, history: [] }),
    'POST /blade-flow/model/validate': () => ({
      problems: [{ element: 'gone', code: 'no_form', level: 'warning', message: 'It has no form' }],
    }),
    'POST /blade-flow/model/deploy': () => ({
      files: [{ status: 'deployed', definitions: [{ id: '10', tenantId: '100001', version: 2 }] }],
    }),
  });
  draw(<Models />);
  await userEvent.click(await screen.findByRole('button', { name: 'Deploy' }));
  fill(await screen.findByLabelText('Note'), 'Five days');
  expect(document.querySelector('.x-problems .x-tag .anticon-warning')).toBeTruthy();
  const [, deploy] = screen.getAllByRole('button', { name: 'Deploy' });
  await userEvent.click(deploy as HTMLElement);
  expect(await screen.findByText('Please acknowledge the warnings first')).toBeTruthy();
  expect(log.some(({ path }) => path === '/blade-flow/model/deploy')).toBe(false);
  await userEvent.click(screen.getByText('I acknowledge this 1 warning'));
  await userEvent.click(deploy as HTMLElement);
  expect(await screen.findByText('Deployed as version 2')).toBeTruthy();
  expect(log.find(({ path }) => path === '/blade-flow/model/deploy')?.params).toEqual({
    modelId: '5',
    category: 'flow_1',
    note: 'Five days',
    tenantIds: '100001',
    confirm: '1',
  });
  // The list behind it shows what is deployed now.
  const asked = log.map(({ path }) => path);
  await waitFor(() =>
    expect(log.map(({ path }) => path).lastIndexOf('/blade-flow/model/overview')).toBeGreaterThan(
      asked.indexOf('/blade-flow/model/deploy'),
    ),
  );
});
