import '@/testing/svg';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Element } from 'bpmn-js/lib/model/Types';
import { useEffect, useState } from 'react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import { type Drawing, makeDrawing, selectIn, xmlOf } from '../canvas/drawing';
import { DesignerContext, type Problem } from '../context';
import type { Business } from './model';
import { Panel } from './Panel';

const FORM = {
  type: 'default',
  components: [
    { type: 'number', key: 'days', label: '天数', properties: { labelEn: 'Days' } },
    { type: 'textfield', key: 'reason', label: '事由', properties: { labelEn: 'Reason' } },
  ],
};

const MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:xw="urn:xunwei:bpmn" xmlns:flowable="http://flowable.org/bpmn"
  xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"
  xmlns:di="http://www.omg.org/spec/DD/20100524/DI" targetNamespace="x">
  <message id="cancel" name="ask.cancel" />
  <process id="ask" name="请示" xw:nameEn="Ask" isExecutable="true">
    <extensionElements><xw:form name="apply">${JSON.stringify(FORM)}</xw:form></extensionElements>
    <startEvent id="start" xw:form="apply" />
    <startEvent id="daily"><timerEventDefinition id="dailyTimer"><timeCycle xsi:type="tFormalExpression">R/P1D</timeCycle></timerEventDefinition></startEvent>
    <userTask id="check" name="审批" xw:nameEn="Check" flowable:candidateGroups="boss" />
    <boundaryEvent id="remind" attachedToRef="check" cancelActivity="false"><timerEventDefinition id="remindTimer"><timeCycle xsi:type="tFormalExpression">R3/PT2H</timeCycle></timerEventDefinition></boundaryEvent>
    <exclusiveGateway id="choice" />
    <serviceTask id="call" />
    <boundaryEvent id="gone" attachedToRef="call"><errorEventDefinition id="goneError" /></boundaryEvent>
    <callActivity id="other" calledElement="gone" />
    <intermediateCatchEvent id="wait"><timerEventDefinition id="waitTimer"><timeDuration xsi:type="tFormalExpression">P1DT2H</timeDuration></timerEventDefinition></intermediateCatchEvent>
    <intermediateCatchEvent id="hear"><messageEventDefinition id="hearMessage" messageRef="cancel" /></intermediateCatchEvent>
    <endEvent id="end" />
    <sequenceFlow id="a" sourceRef="start" targetRef="check" />
    <sequenceFlow id="b" sourceRef="check" targetRef="choice" />
    <sequenceFlow id="yes" name="同意" xw:nameEn="Yes" sourceRef="choice" targetRef="call"><conditionExpression xsi:type="tFormalExpression">\${outcome == 'agree'}</conditionExpression></sequenceFlow>
    <sequenceFlow id="no" name="不同意" xw:nameEn="No" sourceRef="choice" targetRef="wait" />
    <sequenceFlow id="c" sourceRef="call" targetRef="end" />
    <sequenceFlow id="d" sourceRef="wait" targetRef="hear" />
    <sequenceFlow id="e" sourceRef="hear" targetRef="end" />
  <scriptTask id="calc" scriptFormat="groovy"><script>new File("x").text</script></scriptTask>
  </process>
  <bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="ask">
    ${['start', 'check', 'choice', 'call', 'wait', 'hear', 'end', 'remind', 'other', 'gone', 'daily']
      .map(
        (id, n) =>
          `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${n * 120}" y="0" width="80" height="60" /></bpmndi:BPMNShape>`,
      )
      .join('')}
    ${['a', 'b', 'yes', 'no', 'c', 'd', 'e']
      .map(
        (id) =>
          `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}"><di:waypoint x="0" y="0" /><di:waypoint x="9" y="9" /></bpmndi:BPMNEdge>`,
      )
      .join('')}
    <bpmndi:BPMNShape id="calc_di" bpmnElement="calc"><dc:Bounds x="600" y="300" width="100" height="80"/></bpmndi:BPMNShape>
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</definitions>`;

function parameter(kind: string, label: string, more: object = {}) {
  const name = label.toLowerCase().replace(' ', '');
  const usual = { text: '', isRequired: false, isLong: false, least: 0, most: 0, places: 0, options: [] };
  return { name, label, kind, ...usual, ...more };
}

const AT_ONCE = { asks: false, isOpen: false, codesIn: '', results: [], errors: [] };
const CATALOGUE = {
  businessType: '',
  businessName: '',
  operations: [
    { name: 'ask.done', label: 'Close the request', text: 'Tells the starter', parameters: [], ...AT_ONCE },
    {
      name: 'ask.price',
      label: 'Ask for the price',
      text: '',
      parameters: [parameter('text', 'Codes', { most: 50 })],
      asks: true,
      isOpen: true,
      codesIn: 'codes',
      results: [{ name: 'price', label: 'Price' }],
      errors: [{ code: 'noStock', label: 'Out of stock' }],
    },
    {
      name: 'all',
      label: 'Take all',
      text: 'Takes one of each kind',
      ...AT_ONCE,
      parameters: [
        parameter('text', 'Title', { isRequired: true, most: 5 }),
        parameter('number', 'Score', { least: 1, most: 5 }),
        parameter('number', 'Price', { least: 0, most: 100, places: 2 }),
        parameter('flag', 'Again', { text: 'Else once' }),
        parameter('choice', 'Urgency', { options: [{ value: 1, label: 'High' }] }),
        parameter('date', 'Day'),
        parameter('duration', 'Within'),
        parameter('people', 'To whom', { isRequired: true }),
      ],
    },
  ],
  dueFunctions: [],
  required: [],
  pageForms: [{ key: 'leave', name: 'Leave page' }],
  candidateKinds: ['role', 'roleInDept', 'team', 'user'].map((kind) => ({ kind, label: kind, needs: [] })),
  readable: [
    { name: 'outcome', label: 'Outcome', kind: 'text', options: [] },
    { name: 'starter.id', label: 'Starter', kind: 'user', options: [] },
  ],
  roles: [{ value: 'boss', label: 'Boss' }],
  posts: [{ value: 'safety', label: 'Safety officer' }],
  processes: [
    { value: 'buy', label: 'Purchase', version: 3 },
    { value: 'pay', label: 'Payment', version: 1 },
  ],
  elements: [],
};
const SERVER = {
  'GET /blade-flow/model/catalogue': () => CATALOGUE,
  'GET /blade-user/user-list': () => [{ id: '9', realName: 'Qian', account: 'qian.w' }],
  'POST /blade-flow/model/form-check': () => ({ problems: [] }),
  'GET /blade-flow/model/due-preview': ({ params }: Asked) => ({
    dueTime: params.time === 'working' ? '2026-03-09 16:00:00' : '2026-03-07 16:00:00',
  }),
};

interface Stack {
  undo: () => void;
  canUndo: () => boolean;
}

let drawing: Drawing;
const registry = () => drawing.get<{ get: (id: string) => Element | undefined }>('elementRegistry');
const stack = () => drawing.get<Stack>('commandStack');
const of = (id: string) => registry().get(id)?.businessObject as Business;
const undo = () => act(() => stack().undo());

beforeAll(async () => {
  // Beside the page: what is looked for is in the panel.
  drawing = makeDrawing({ container: document.createElement('div'), readOnly: false });
  await drawing.importXML(MODEL);
});

beforeEach(async () => {
  await setLanguage('en-US');
  serve(SERVER);
  while (stack().canUndo()) stack().undo();
});

function Stage({ id, problems }: { id: string; problems: readonly Problem[] }) {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const events = drawing.get<{
      on: (name: string, listener: () => void) => void;
      off: (name: string, listener: () => void) => void;
    }>('eventBus');
    const count = () => setChanges((before) => before + 1);
    events.on('commandStack.changed', count);
    return () => events.off('commandStack.changed', count);
  }, []);
  const value = {
    drawing,
    selected: registry().get(id),
    changes,
    language: 'en-US' as const,
    readOnly: false,
    problems,
    chosen: 1,
    select: (chosen: string) => selectIn(drawing, chosen),
    drawer: undefined,
    openDrawer: () => undefined,
  };
  return (
    <DesignerContext value={value}>
      <Panel />
    </DesignerContext>
  );
}

async function open(id: string, problems: readonly Problem[] = []) {
  draw(<Stage id={id} problems={problems} />);
  // The catalogue is there.
  await act(async () => undefined);
}

/** Types over what stands in a field and leaves it. */
function enter(label: string, text: string, at = 0) {
  const field = screen.getAllByLabelText(label)[at] as HTMLElement;
  fireEvent.change(field, { target: { value: text } });
  fireEvent.blur(field);
}

async function pick(label: string, option: string, at = 0) {
  fireEvent.mouseDown(screen.getAllByLabelText(label)[at] as HTMLElement);
  fireEvent.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }));
}

/** A button by its text or label. */
function press(name: string, at = 0) {
  const found = screen.queryAllByLabelText(name);
  const [first] = found.length > 0 ? found.slice(at) : screen.getAllByText(name).slice(at);
  fireEvent.click(first?.closest('button') as HTMLElement);
}
interface Modeling {
  updateProperties: (element: Element, properties: object) => void;
}
/** Changes what an element says, as somebody did before. */
const set = (id: string, properties: object) =>
  drawing.get<Modeling>('modeling').updateProperties(registry().get(id) as Element, properties);
const alert = () => document.querySelector('[role=alert]')?.textContent;

test('names, id and notes: each is one step that can be undone; an id that is taken or odd is not', async () => {
  await open('check');
  enter('Name (English)', 'Look');
  expect(of('check').get('xw:nameEn')).toBe('Look');
  undo();
  expect(of('check').get('xw:nameEn')).toBe('Check');
  enter('Documentation', 'Why');
  expect((of('check').get('documentation') as Business[]).map((note) => note.get('text'))).toEqual(['Why']);
  enter('Element id', 'choice');
  expect(alert()).toBe('This id is already used');
  enter('Element id', '9 x');
  expect(alert()).toContain('begins with a letter');
  expect(of('check')).toBeDefined();
  enter('Element id', 'inspect');
  expect(of('inspect').get('xw:nameEn')).toBe('Check');
  undo();
  undo();
  expect(stack().canUndo()).toBe(false);
});

test('what another engine said stays in the drawing, is shown, and goes when it is taken away', async () => {
  await open('check');
  fireEvent.click(screen.getByText('Advanced'));
  expect(screen.getByText('flowable:candidateGroups')).toBeTruthy();
  expect(screen.getByText('(read by the engine)')).toBeTruthy();
  press('Remove flowable:candidateGroups');
  expect(await xmlOf(drawing)).not.toContain('candidateGroups');
  undo();
  expect(await xmlOf(drawing)).toContain('flowable:candidateGroups="boss"');
});

test('candidates are rows; one that is begun says nothing yet', async () => {
  await open('check');
  press('Add a rule');
  expect(stack().canUndo()).toBe(false);
  await pick('Role', 'Boss');
  expect(of('check').get('xw:candidates')).toBe('role:boss');
  press('Remove rule 1');
  expect(of('check').get('xw:candidates')).toBeUndefined();
});

test('outcomes are read from the gateway until some are declared', async () => {
  await open('check');
  const section = screen.getByRole('region', { name: 'Outcome' });
  expect(within(section).getByRole('listitem').textContent).toBe('Yes agreeShow flow');
  enter('Custom', 'agree,x');
  expect(alert()).toContain('no comma');
  enter('Custom', 'later');
  enter('Custom', 'agree');
  expect(of('check').get('xw:outcomes')).toBe('later,agree');
  expect(
    within(section)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['later', 'Yes agreeShow flow']);
  // What was added is no longer chosen: the next one is.
  await pick('Add an outcome', 'Reject (reject)');
  expect(of('check').get('xw:outcomes')).toBe('later,agree,reject');
  expect(section.querySelector('.x-entry .ant-select')?.textContent).not.toContain('Reject');
});

test('a step may fill in, read or not see a field', async () => {
  of('check').get('xw:form');
  await open('check');
  await pick('Form', 'apply');
  expect(of('check').get('xw:form')).toBe('apply');
  fireEvent.click(screen.getByLabelText('Days: Read-only'));
  fireEvent.click(screen.getByLabelText('Reason: Hidden'));
  expect([of('check').get('xw:readonlyFields'), of('check').get('xw:hiddenFields')]).toEqual([
    'days',
    'reason',
  ]);
  fireEvent.click(screen.getByLabelText('Reason: Editable'));
  expect(of('check').get('xw:hiddenFields')).toBeUndefined();
});

test('a new form is drawn and named by the step as one step, and drawn in the editor as another', async () => {
  await open('check');
  await pick('Form', 'New form');
  const forms = () => (of('ask').get('extensionElements') as Business).get('values') as Business[];
  expect(forms().map((form) => form.get('name'))).toEqual(['apply', 'Check']);
  expect(of('check').get('xw:form')).toBe('Check');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /Number$/ })).toHaveProperty('disabled', false),
  );
  press('Number');
  press('Done');
  expect(JSON.parse(String(forms()[1]?.get('schema')))).toEqual({
    type: 'default',
    components: [
      { type: 'number', id: 'number_1', key: 'number_1', label: '数字', properties: { labelEn: 'Number' } },
    ],
  });
  undo();
  undo();
  expect(forms()).toHaveLength(1);
  expect(of('check').get('xw:form')).toBeUndefined();
});

test('the word with which a field begins goes when the field is called otherwise', async () => {
  await open('check');
  await pick('Form', 'New form');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /Number$/ })).toHaveProperty('disabled', false),
  );
  const english = (label: string, at = 0) => (screen.getAllByLabelText(label)[at] as HTMLInputElement).value;
  fireEvent.click(screen.getByRole('button', { name: /Select$/ }));
  expect(english('Label (English)')).toBe('Select');
  enter('Label (Chinese)', '甲', 1);
  enter('Label (English)', 'Sort');
  enter('Label (Chinese)', '种类');
  expect(english('Label (English)')).toBe('Sort');
  press('Number');
  enter('Label (Chinese)', '数量');
  expect(english('Label (English)')).toBe('');
  press('Done');
  const [, form] = (of('ask').get('extensionElements') as Business).get('values') as Business[];
  const drawn = JSON.parse(String(form?.get('schema'))).components;
  expect(drawn[0].values[0]).toEqual({ value: 'a', label: '甲' });
  expect(drawn[0].values[1]).toEqual({ value: 'b', label: '选项 2', labelEn: 'Option 2' });
  expect(drawn[1]).toEqual({ type: 'number', id: 'number_1', key: 'number_1', label: '数量' });
});

test('a new form whose drawing is given up was never there', async () => {
  await open('check');
  const forms = () => (of('ask').get('extensionElements') as Business).get('values') as Business[];
  await pick('Form', 'New form');
  expect(forms()).toHaveLength(2);
  press('Cancel');
  expect(forms().map((form) => form.get('name'))).toEqual(['apply']);
  expect(of('check').get('xw:form')).toBeUndefined();
});

test('what has no name is called by its type, not by its id', async () => {
  await open('choice');
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Exclusive gateway');
  expect(screen.getByText('Unnamed')).toBeTruthy();
  const ways = screen.getAllByRole('button', { name: /→/ }).map((way) => way.textContent);
  expect(ways).toEqual(['Yes → Unnamed service task', 'No → Unnamed intermediate catch event']);
});

test('a second form of the same step has a number behind its name', async () => {
  await open('check');
  for (let turn = 0; turn < 2; turn++) {
    await pick('Form', 'New form');
    press('Done');
  }
  const forms = (of('ask').get('extensionElements') as Business).get('values') as Business[];
  expect(forms.map((form) => form.get('name'))).toEqual(['apply', 'Check', 'Check 2']);
});

test('a form is renamed with all steps that show it; a name that is taken is not', async () => {
  await open('ask');
  enter('Name of the form', '');
  expect(alert()).toBe('Please enter Name of the form');
  enter('Name of the form', 'request');
  expect([await xmlOf(drawing)].map((xml) => xml.match(/(?:form|form name)="\w+"/g))).toEqual([
    ['form name="request"', 'form="request"'],
  ]);
  press('Delete form request');
  expect(of('start').get('xw:form')).toBeUndefined();
  expect(await xmlOf(drawing)).not.toContain('xw:form');
});

test('the ways of a gateway: their order, and the usual one, which asks nothing', async () => {
  await open('choice');
  const ways = () => screen.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent);
  expect(ways()).toEqual(['Outcome equals Approve', 'No condition: this flow can always be taken.']);
  press('Evaluate the flow to Unnamed intermediate catch event earlier');
  expect(ways()).toEqual(['No condition: this flow can always be taken.', 'Outcome equals Approve']);
  const xml = await xmlOf(drawing);
  expect(xml.indexOf('<sequenceFlow id="no"')).toBeLessThan(xml.indexOf('<sequenceFlow id="yes"'));
  fireEvent.click(screen.getAllByLabelText('Default flow')[1] as HTMLElement);
  expect(of('choice').get('default')).toBe(of('yes'));
  expect(of('yes').get('conditionExpression')).toBeUndefined();
  undo();
  expect(of('choice').get('default')).toBeUndefined();
  expect((of('yes').get('conditionExpression') as Business).get('body')).toBe("${outcome == 'agree'}");
});

test('the condition of a flow by rows and by text, with the names of the forms', async () => {
  await open('yes');
  const body = () => (of('yes').get('conditionExpression') as Business | undefined)?.get('body');
  press('Add condition');
  await pick('Name', 'Days (form.days)', 1);
  enter('Value', '3', 1);
  expect(body()).toBe("${outcome == 'agree' && form.days == 3}");
  await pick('Operator', 'is greater than', 1);
  expect(body()).toBe("${outcome == 'agree' && form.days > 3}");
  fireEvent.click(screen.getByText('Expression'));
  enter('Expression', 'form.days >', 1);
  expect(alert()).toBe('syntax error');
  expect(body()).toBe("${outcome == 'agree' && form.days > 3}");
  enter('Expression', '', 1);
  expect(body()).toBeUndefined();
});

test('how much there is of a text or a list is a name of its own, and what rows cannot say is told with its reason', async () => {
  await open('yes');
  const body = () => (of('yes').get('conditionExpression') as Business | undefined)?.get('body');
  fireEvent.click(screen.getByText('Expression'));
  enter('Expression', 'size(form.reason) >= 2', 1);
  fireEvent.click(screen.getByText('Builder'));
  await pick('Operator', 'is at most');
  expect(screen.getByText('Length of “Reason”')).toBeTruthy();
  enter('Value', '20');
  expect(body()).toBe('${size(form.reason) <= 20}');
  fireEvent.click(screen.getByText('Expression'));
  enter('Expression', 'form.days > form.reason', 1);
  expect(screen.getByText(/^This condition compares two values/)).toBeTruthy();
});

test('a deadline in parts, whose moment is shown; what is nothing is not taken', async () => {
  await open('wait');
  const timer = () => (of('wait').get('eventDefinitions') as Business[])[0];
  const body = (name: string) => (timer()?.get(name) as Business | undefined)?.get('body');
  expect((screen.getByLabelText('Hours') as HTMLInputElement).value).toBe('2');
  enter('Days', '0');
  expect(body('timeDuration')).toBe('PT2H');
  enter('Hours', '0');
  expect(body('timeDuration')).toBe('PT2H');
  enter('Minutes', '1.5');
  expect(alert()).toBe('Minutes must be a whole number');
  await pick('Due', 'At a date and time');
  expect(body('timeDuration')).toBeUndefined();
  expect(body('timeDate')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00[+-]\d\d:\d\d$/);
  undo();
  expect(body('timeDuration')).toBe('PT2H');
});

test('working time has no months; choosing it drops what nobody can count, and the server says when it is due', async () => {
  await open('wait');
  const timer = () => (of('wait').get('eventDefinitions') as Business[])[0];
  const said = () => [
    timer()?.get('xw:time'),
    (timer()?.get('timeDuration') as Business | undefined)?.get('body'),
  ];
  await screen.findByText('If started now, due at 2026-03-07 16:00');
  enter('Months', '1');
  expect(said()).toEqual([undefined, 'P1M1DT2H']);
  await pick('Time counted', 'Working time');
  expect(said()).toEqual(['working', 'P1DT2H']);
  await screen.findByText('If started now, due at 2026-03-09 16:00');
  expect(screen.queryByLabelText('Months')).toBeNull();
  enter('Working days', '1001');
  expect(alert()).toBe('Working days must be between 0 and 1000');
  enter('Working days', '3');
  expect(said()).toEqual(['working', 'P3DT2H']);
  await pick('Due', 'At a date and time');
  expect(timer()?.get('xw:time')).toBeUndefined();
  undo();
  expect(said()).toEqual(['working', 'P3DT2H']);
  await pick('Time counted', 'Natural time');
  expect(said()).toEqual([undefined, 'P3DT2H']);
});

test('a due function counts working time where it has a length', async () => {
  const due = (name: string, lasts: boolean) => ({ name, label: name, text: '', lasts });
  serve({
    ...SERVER,
    'GET /blade-flow/model/catalogue': () => ({
      ...CATALOGUE,
      dueFunctions: [due('x.moment', false), due('x.length', true)],
    }),
  });
  await open('remind');
  const timer = () => (of('remind').get('eventDefinitions') as Business[])[0];
  await pick('Time counted', 'Working time');
  await pick('Due', 'Set by the record');
  expect([timer()?.get('xw:due'), timer()?.get('xw:time')]).toEqual(['x.moment', undefined]);
  expect(screen.queryByLabelText('Time counted')).toBeNull();
  await pick('Set by the record', 'x.length');
  await pick('Time counted', 'Working time');
  expect([timer()?.get('xw:due'), timer()?.get('xw:time')]).toEqual(['x.length', 'working']);
  await pick('Set by the record', 'x.moment');
  expect([timer()?.get('xw:due'), timer()?.get('xw:time')]).toEqual(['x.moment', undefined]);
});

test('a reminder comes again and again, so often or until the step is done', async () => {
  await open('remind');
  const timer = () => (of('remind').get('eventDefinitions') as Business[])[0];
  const body = (name: string) => (timer()?.get(name) as Business | undefined)?.get('body');
  expect((screen.getByLabelText('Repetitions') as HTMLInputElement).value).toBe('3');
  enter('Hours', '4');
  expect(body('timeCycle')).toBe('R3/PT4H');
  enter('Repetitions', '0');
  expect(alert()).toBe('Repetitions must be between 1 and 9999');
  enter('Repetitions', '');
  expect(body('timeCycle')).toBe('R/PT4H');
  await pick('Due', 'After a duration');
  expect([body('timeCycle'), body('timeDuration')]).toEqual([undefined, 'P1D']);
  await pick('Due', 'Repeat');
  expect([body('timeCycle'), body('timeDuration')]).toEqual(['R/P1D', undefined]);
});

test('a repetition ends with its step, and that of a start never', async () => {
  serve(SERVER);
  await open('remind');
  expect(screen.getByText('If empty, it repeats until the step is complete')).toBeTruthy();
  cleanup();
  await open('daily');
  expect(screen.getByText('If empty, it repeats without end')).toBeTruthy();
});

test('a calendar rule is put together in parts, and the server says when it comes', async () => {
  const asked: unknown[] = [];
  serve({
    ...SERVER,
    'POST /blade-flow/model/times': ({ body }) => {
      asked.push(body);
      return {
        problem: '',
        text: '',
        words: 'in words',
        next: ['2026-12-31 08:00:00', '2027-01-31 08:00:00'],
      };
    },
  });
  await open('remind');
  const timer = () => (of('remind').get('eventDefinitions') as Business[])[0];
  const body = () => (timer()?.get('timeCycle') as Business | undefined)?.get('body');
  await pick('Due', 'Repeat by calendar');
  expect(body()).toBe('RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8;BYMINUTE=0');
  expect(await screen.findByText('in words')).toBeTruthy();
  expect(screen.getByText('2027-01-31 08:00')).toBeTruthy();
  expect(asked.at(-1)).toEqual({ timeKind: 'cycle', text: body(), isStart: false });
  await pick('By', 'Weekday of the month');
  expect(body()).toBe('RRULE:FREQ=MONTHLY;BYDAY=1MO;BYHOUR=8;BYMINUTE=0');
  await pick('Which one', 'Last');
  await pick('Frequency', 'Weekly');
  expect(body()).toBe('RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0');
  enter('Interval', '2');
  expect(body()).toMatch(/^DTSTART:\d{8}T000000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=8;BYMINUTE=0$/);
  undo();
  await pick('Due', 'Repeat');
  expect(body()).toBe('R/P1D');
});

test('an operation is chosen from those registered; a message is made and named', async () => {
  await open('call');
  await pick('Operation', 'Close the request');
  expect(of('call').get('xw:operation')).toBe('ask.done');
  expect(await screen.findByText('Tells the starter')).toBeTruthy();
});

test('of an operation that answers later are drawn what is sent, where its answer goes, and its tries', async () => {
  await open('call');
  await pick('Operation', 'Ask for the price');
  enter('Add a value to send (its name)', 'days');
  enter('Add a value to send (its name)', 'not so');
  expect(alert()).toBe('This name is not valid');
  await pick('Add a result', 'Price (price)');
  await pick('Form field set by “Price (price)”', 'Reason');
  enter('Add a result (its name)', 'order.no');
  enter('Process variable set by “order.no”', 'orderNo');
  enter('Tries', '3');
  enter('First pause (seconds)', '0');
  expect(of('call').get('xw:pause')).toBeUndefined();
  enter('First pause (seconds)', '30');
  expect([of('call').get('xw:attempts'), of('call').get('xw:pause')]).toEqual(['3', 'PT30S']);
  const xml = await xmlOf(drawing);
  expect(xml).toContain('<xw:parameter name="value.days">${form.days}</xw:parameter>');
  expect([...xml.matchAll(/<xw:result name="(.*?)" to="(.*?)"/g)].map(([, name, to]) => [name, to])).toEqual([
    ['price', 'form.reason'],
    ['order.no', 'orderNo'],
  ]);
  press('Remove order.no');
  expect(await xmlOf(drawing)).not.toContain('order.no');
});

test('an error boundary event catches a code of the operation, one of its own, or all', async () => {
  set('call', { 'xw:operation': 'ask.price' });
  await open('gone');
  expect(screen.getByText('If empty, catches every error code.')).toBeTruthy();
  await pick('Error code', 'Out of stock (noStock)');
  const caught = () => (of('gone').get('eventDefinitions') as Business[])[0]?.get('errorRef') as Business;
  expect(caught().get('errorCode')).toBe('noStock');
  enter('Other error code', 'too many');
  expect(alert()).toContain('letters, digits');
  enter('Other error code', 'tooMany');
  expect(caught().get('errorCode')).toBe('tooMany');
  expect((await xmlOf(drawing)).match(/<error /g)).toHaveLength(2);
});

test('a message carries the fields that are chosen, and its key reads what is inserted', async () => {
  await open('hear');
  await pick('Insert a field or variable', 'Reason');
  cleanup();
  await open('hear');
  await pick('Fields set by the message', 'Days');
  const [message] = of('hear').get('eventDefinitions') as Business[];
  expect([message?.get('xw:fields'), message?.get('xw:key')]).toEqual(['days', '${form.reason}']);
});

/** What the task gives, as the file says it. */
async function parameters(): Promise<string[]> {
  return [...(await xmlOf(drawing)).matchAll(/<xw:parameter name="(\w+)">(.*?)<\/xw:parameter>/gs)].map(
    ([, name, text]) => `${name}=${text}`,
  );
}
const alerts = () => [...document.querySelectorAll('[role=alert]')].map((one) => one.textContent);

test('an operation asks for what it takes, by kind; each is one step, and what is missing is told', async () => {
  await open('call');
  await pick('Operation', 'Take all');
  expect(await screen.findByText('Else once')).toBeTruthy();
  expect(alerts()).toEqual(['The parameter “Title” is missing', 'The parameter “To whom” is missing']);
  enter('Title', '请看 a<b');
  expect(alerts()[0]).toBe('The parameter “Title” must be a text of at most 5 characters');
  enter('Title', '请看a<');
  enter('Score', '4');
  enter('Price', '0.25');
  fireEvent.click(screen.getByLabelText('Again'));
  await pick('Urgency', 'High');
  const day = screen.getByLabelText('Day');
  fireEvent.mouseDown(day);
  fireEvent.change(day, { target: { value: '2030-01-31' } });
  fireEvent.keyDown(day, { key: 'Enter', keyCode: 13 });
  enter('Days', '1');
  enter('Hours', '2');
  press('Add a rule');
  await pick('Role', 'Boss');
  expect(await parameters()).toEqual([
    'title=请看a&lt;',
    'score=4',
    'price=0.25',
    'again=true',
    'urgency=1',
    'day=2030-01-31',
    'within=P1DT2H',
    'towhom=role:boss',
  ]);
  expect(alerts()).toEqual([]);
  undo();
  expect((await parameters()).at(-1)).toBe('within=P1DT2H');
  fireEvent.click(screen.getByLabelText('Again'));
  enter('Score', '');
  expect(await parameters()).toEqual([
    'title=请看a&lt;',
    'price=0.25',
    'urgency=1',
    'day=2030-01-31',
    'within=P1DT2H',
  ]);
});

test('a value that the gate would refuse is not taken, and said in its words in both languages', async () => {
  await open('call');
  await pick('Operation', 'Take all');
  for (const [label, text, sentence] of [
    ['Score', '6', 'The parameter “Score” must be a whole number from 1 to 5'],
    ['Score', '1.5', 'The parameter “Score” must be a whole number from 1 to 5'],
    [
      'Price',
      '0.255',
      'The parameter “Price” must be a number from 0 to 100; digits after the decimal point: at most 2',
    ],
    ['Title', '${1 +}', 'syntax error'],
  ] as const) {
    enter(label, text);
    expect(alerts().map((one) => one?.toLowerCase())).toContain(sentence.toLowerCase());
    fireEvent.keyDown(screen.getByLabelText(label), { key: 'Escape' });
  }
  expect(await parameters()).toEqual([]);
  await act(() => setLanguage('zh-CN'));
  enter('Score', '6');
  expect(alerts()).toContain('参数「Score」需为1至5的整数');
});

test('in place of a value an expression is given, and a value in place of it', async () => {
  await open('call');
  await pick('Operation', 'Take all');
  press('Score: fx, use an expression');
  enter('Score', '${form.days +}');
  expect(await parameters()).toEqual([]);
  enter('Score', '${form.days}');
  expect(await parameters()).toEqual(['score=${form.days}']);
  expect(screen.getByLabelText('Score: fx, use an expression').getAttribute('aria-pressed')).toBe('true');
  press('Score: fx, use an expression');
  expect((screen.getByLabelText('Score') as HTMLInputElement).value).toBe('');
  enter('Score', '3');
  expect(await parameters()).toEqual(['score=3']);
  press('To whom: fx, use an expression');
  enter('To whom', "${form.days > 3 ? 'role:boss' : 'user:9'}");
  expect(await parameters()).toEqual(['score=3', "towhom=${form.days &gt; 3 ? 'role:boss' : 'user:9'}"]);
  enter('Title', '${starter.name}请假多天');
  expect(alerts()).toEqual([]);
});

test('another operation keeps what it takes too; what nobody takes is told and can be taken away', async () => {
  await open('call');
  await pick('Operation', 'Take all');
  enter('Score', '3');
  await pick('Operation', 'Close the request');
  expect(await parameters()).toEqual([]);
  expect(await xmlOf(drawing)).not.toMatch(/<serviceTask id="call"[^>]*>\s*<extensionElements/);
  undo();
  expect(await parameters()).toEqual(['score=3']);
  act(() => {
    const held = of('call').get('extensionElements') as Business;
    const [score] = held.get('values') as Business[];
    drawing
      .get<{ updateModdleProperties: (element: Element, of: Business, set: object) => void }>('modeling')
      .updateModdleProperties(registry().get('call') as Element, score as Business, { name: 'level' });
  });
  expect(alerts()).toContain('The operation “all” has no parameter “level”');
  press('Remove level');
  expect(await parameters()).toEqual([]);
});

test('a call names a process that may be called, and says which version', async () => {
  await open('other');
  expect(await screen.findByText('Process “gone” does not exist')).toBeTruthy();
  await pick('Process', 'Purchase');
  expect(of('other').get('calledElement')).toBe('buy');
  expect(await screen.findByText(/^Deployment includes version 3/)).toBeTruthy();
  expect(await xmlOf(drawing)).toContain('calledElement="buy"');
});

test('messages', async () => {
  await open('hear');
  const [trigger] = of('hear').get('eventDefinitions') as Business[];
  const message = () => (trigger?.get('messageRef') as Business | undefined)?.name;
  enter('New message', 'ask.cancel');
  expect(alert()).toBe('This message name already exists');
  enter('New message', 'ask.done');
  expect(message()).toBe('ask.done');
  expect(await xmlOf(drawing)).toMatch(/<message id="[^"]+" name="ask.done" \/>\s*<message id="cancel"/);
  undo();
  expect(message()).toBe('ask.cancel');
  expect(await xmlOf(drawing)).not.toContain('ask.done');
});

test('who may start, and the problems of what is chosen above the groups', async () => {
  const problem = {
    element: 'ask',
    code: 'x',
    level: 'warning' as const,
    message: 'Odd',
    messageZh: '',
    messageEn: 'Odd',
  };
  await open('ask', [problem, { ...problem, element: 'check', message: 'Elsewhere' }]);
  expect(
    within(screen.getByRole('list', { name: 'Problems of this element' })).getByRole('listitem').textContent,
  ).toBe('Warning Odd');
  press('Add a rule');
  await pick('Role', 'Boss');
  expect(of('ask').get('xw:starters')).toBe('role:boss');
  enter('Process title', '${starter.name}');
  expect(of('ask').get('xw:title')).toBe('${starter.name}');
});

test('what a model does not allow is one attribute, and the process decides for its steps', async () => {
  await open('check');
  const box = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  fireEvent.click(box('Can be sent back from here'));
  expect([of('check').get('xw:sendBack'), of('check').get('xw:takeBack')]).toEqual(['no', undefined]);
  expect(await xmlOf(drawing)).toContain('xw:sendBack="no"');
  fireEvent.click(box('Can be sent back from here'));
  expect(await xmlOf(drawing)).not.toContain('xw:sendBack');
  cleanup();
  await open('ask');
  fireEvent.click(box('The starter can withdraw it'));
  fireEvent.click(box('Completions can be taken back'));
  expect([of('ask').get('xw:withdraw'), of('ask').get('xw:takeBack')]).toEqual(['no', 'no']);
  cleanup();
  await open('check');
  expect([box('Can be taken back').checked, box('Can be taken back').disabled]).toEqual([false, true]);
  expect(screen.getByText('Switched off for the whole process.')).toBeTruthy();
});

const loop = () => of('check').get('loopCharacteristics') as Business | undefined;
const written = async () =>
  /<multiInstanceLoopCharacteristics[\s\S]*?<\/multiInstanceLoopCharacteristics>/
    .exec(await xmlOf(drawing))?.[0]
    .replace(/\s+/g, ' ');
const until = () =>
  ((loop()?.get('completionCondition') as Business | undefined)?.get('body') ?? '') as string;
const ON = 'Multi-instance (one task per person)';

test('a countersign is one step of drawing: each signer gets a task, all have to agree', async () => {
  await open('check');
  fireEvent.click(screen.getByLabelText(ON));
  expect(of('check').get('xw:assignee')).toBe('${signer}');
  expect(await written()).toBe(
    '<multiInstanceLoopCharacteristics xw:collection="${[starter.id]}" xw:elementVariable="signer"> ' +
      '<completionCondition xsi:type="tFormalExpression">${votes.agree &lt; nrOfCompletedInstances}</completionCondition> ' +
      '</multiInstanceLoopCharacteristics>',
  );
  expect(screen.getAllByText('Each assignee').length).toBeGreaterThan(0);
  fireEvent.click(screen.getByLabelText(ON));
  expect([loop(), of('check').get('xw:assignee')]).toEqual([undefined, undefined]);
  undo();
  expect(loop()?.get('xw:elementVariable')).toBe('signer');
  undo();
  expect(stack().canUndo()).toBe(false);
});

test('each mode writes a condition, and is read back from it', async () => {
  await open('check');
  fireEvent.click(screen.getByLabelText(ON));
  const modes: [string, string, unknown][] = [
    ['Any one decides', '${nrOfCompletedInstances >= 1}', undefined],
    [
      'A percentage approves',
      '${votes.agree * 100 >= nrOfInstances * 60 || (votes.agree + nrOfInstances - nrOfCompletedInstances) * 100 < nrOfInstances * 60}',
      undefined,
    ],
    ['All approve in sequence', '${votes.agree < nrOfCompletedInstances}', true],
    ['All complete', '', true],
    ['All approve', '${votes.agree < nrOfCompletedInstances}', undefined],
  ];
  for (const [name, condition, order] of modes) {
    await pick('Completion rule', name);
    expect([until(), loop()?.get('isSequential') || undefined]).toEqual([condition, order]);
    expect(
      screen.getByLabelText('Completion rule').closest('.x-entry')?.querySelector('[class*=select-content]')
        ?.textContent ?? screen.getByText(name, { selector: '[class*=selection-item]' }).textContent,
    ).toContain(name);
  }
  await pick('Completion rule', 'A percentage approves');
  enter('Percentage required', '101');
  expect(alert()).toBeTruthy();
  enter('Percentage required', '75');
  expect(until()).toContain('nrOfInstances * 75 ||');
  expect(screen.getByText(/It ends when 75 % have chosen agree/)).toBeTruthy();
});

test('weights: who weighs what, the share that decides, and what is decided', async () => {
  await open('check');
  fireEvent.click(screen.getByLabelText(ON));
  await pick('Completion rule', 'A share of the weights approves');
  expect(until()).toBe(
    '${weights.agree * 100 >= totalWeight * 60 || (weights.agree + totalWeight - completedWeight) * 100 < totalWeight * 60}',
  );
  expect(loop()?.get('xw:outcome')).toBe(
    "${nrOfInstances == 0 ? '' : weights.agree * 100 >= totalWeight * 60 ? 'agree' : 'reject'}",
  );
  expect(loop()?.get('xw:weights')).toBe('*=1');
  fireEvent.click(screen.getByText('Add a weight'));
  expect(loop()?.get('xw:weights')).toBe('*=1'); // begun: nothing is said yet
  await pick('Role', 'Boss');
  enter('Weight', '1001');
  expect(alert()).toBeTruthy();
  enter('Weight', '3');
  enter('Weight of all others', '2');
  expect(loop()?.get('xw:weights')).toBe('role:boss=3, *=2');
  fireEvent.click(screen.getByLabelText('Sequential'));
  enter('Percentage required', '50');
  expect(until()).toContain('totalWeight * 50 ||');
  expect([loop()?.get('isSequential'), loop()?.get('xw:weights')]).toEqual([true, 'role:boss=3, *=2']);
  expect(screen.getByText(/hold 50 % of all weights/)).toBeTruthy();
  expect(await written()).toContain('xw:weights="role:boss=3, *=2"');
  fireEvent.click(screen.getByLabelText('Remove rule 1'));
  expect(loop()?.get('xw:weights')).toBe('*=2');
  await pick('Completion rule', 'A percentage approves');
  expect([loop()?.get('isSequential'), loop()?.get('xw:weights'), loop()?.get('xw:outcome')]).toEqual([
    true,
    undefined,
    "${nrOfInstances == 0 ? '' : votes.agree * 100 >= nrOfInstances * 50 ? 'agree' : 'reject'}",
  ]);
  await pick('Completion rule', 'All approve');
  expect([loop()?.get('isSequential'), loop()?.get('xw:outcome')]).toEqual([false, undefined]);
});

test('a weight may be that of a position or a department', async () => {
  serve({
    ...SERVER,
    'GET /blade-system/dept/tree': () => [
      { id: '7', title: 'Plant', children: [{ id: '8', title: 'Shop' }] },
    ],
  });
  await open('check');
  fireEvent.click(screen.getByLabelText(ON));
  await pick('Completion rule', 'A share of the weights approves');
  press('Add a weight');
  await pick('Type', 'Position');
  await pick('Position', 'Safety officer');
  expect(loop()?.get('xw:weights')).toBe('post:safety=2, *=1');
  await pick('Type', 'Position in a department');
  expect(loop()?.get('xw:weights')).toBe('*=1'); // whole again when both are chosen
  await pick('Position', 'Safety officer');
  await pick('Department', 'Shop');
  expect(loop()?.get('xw:weights')).toBe('post:safety@8=2, *=1');
  press('Remove rule 1');
  press('Add a weight');
  await pick('Type', 'Department and those below');
  await pick('Department', 'Plant');
  expect(loop()?.get('xw:weights')).toBe('deptTree:7=2, *=1');
});

test('who signs: the members of a role, a field, a number, an expression', async () => {
  await open('check');
  fireEvent.click(screen.getByLabelText(ON));
  await pick('Assignees', 'Members of a role');
  expect(loop()?.get('xw:collection')).toBe('${[starter.id]}'); // begun: nothing is said yet
  await pick('Role', 'Boss');
  expect(loop()?.get('xw:collection')).toBe("${members['role:boss']}");
  await pick('Assignees', 'Field of a form');
  expect(loop()?.get('xw:collection')).toBe('form.reason');
  await pick('Assignees', 'Fixed number');
  expect([loop()?.get('xw:collection'), loop()?.get('xw:elementVariable')]).toEqual([undefined, undefined]);
  enter('Number of tasks', '201');
  expect(alert()).toBeTruthy();
  enter('Number of tasks', '3');
  expect((loop()?.get('loopCardinality') as Business | undefined)?.get('body')).toBe('3');
  await pick('Assignees', 'Expression');
  enter('Expression for the list of people', '${[}');
  expect(alert()).toBeTruthy();
  enter('Expression for the list of people', 'form.people.list');
  expect([loop()?.get('xw:collection'), loop()?.get('loopCardinality')]).toEqual([
    'form.people.list',
    undefined,
  ]);
  expect(loop()?.get('xw:elementVariable')).toBe('signer');
});

test('a condition of one’s own stays as it is, and one that counts a strange outcome is told', async () => {
  await open('check');
  fireEvent.click(screen.getByLabelText(ON));
  await pick('Completion rule', 'All complete');
  enter('Completion condition', '${votes.agree +}');
  expect(alert()).toBeTruthy();
  enter('Completion condition', '${votes.agree == 2}');
  expect(until()).toBe('${votes.agree == 2}');
  expect(screen.getAllByText('Custom condition').length).toBeGreaterThan(0);
  enter('Expression for the outcome', "${votes.agree == 2 ? 'agree' : 'reject'}");
  expect(loop()?.get('xw:outcome')).toBe("${votes.agree == 2 ? 'agree' : 'reject'}");
  enter('Completion condition', '${votes.yes < nrOfCompletedInstances}');
  expect(screen.getByRole('alert').textContent).toContain('The condition counts yes');
  await pick('Completion rule', 'All approve in sequence');
  expect(until()).toBe('${votes.agree < nrOfCompletedInstances}');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the results of several are collected in a variable that is named, and no longer where it is emptied', async () => {
  await open('check');
  fireEvent.click(screen.getByLabelText(ON));
  enter('Collect results in variable', '1st');
  expect(screen.getByRole('alert').textContent).toContain('Starts with a letter');
  expect(await xmlOf(drawing)).not.toContain('xw:results');
  enter('Collect results in variable', 'sizes');
  expect(await xmlOf(drawing)).toContain('xw:results="sizes" xw:result="outcome"');
  enter('Value to collect', 'form.size');
  expect(await xmlOf(drawing)).toContain('xw:results="sizes" xw:result="form.size"');
  enter('Collect results in variable', '');
  expect(await xmlOf(drawing)).not.toContain('xw:result');
});

test('a file of another engine is read, and what is chosen anew is said once', async () => {
  const { sourceOf, variableOf, decisionOf } = await import('./several');
  const xml = MODEL.replace(
    '<userTask id="check" name="审批" xw:nameEn="Check" flowable:candidateGroups="boss" />',
    `<userTask id="check" name="审批" xw:nameEn="Check"><multiInstanceLoopCharacteristics isSequential="true"
      flowable:collection="people" flowable:elementVariable="who">
      <completionCondition xsi:type="tFormalExpression">\${nrOfCompletedInstances/nrOfInstances >= 0.5}</completionCondition>
    </multiInstanceLoopCharacteristics></userTask>`,
  );
  const other = makeDrawing({ container: document.createElement('div'), readOnly: false });
  await other.importXML(xml);
  const own = drawing;
  drawing = other;
  try {
    const step = of('check');
    const read = loop() as Business;
    expect(sourceOf(read)).toEqual({ kind: 'expression', value: 'people' });
    expect([variableOf(read), decisionOf(step, read).mode]).toEqual(['who', 'own']);
    await open('check');
    enter('Expression for the list of people', 'form.people');
    const text = await written();
    expect(text).toContain('isSequential="true" xw:collection="form.people" xw:elementVariable="who"');
    expect(text).not.toContain('flowable:');
    undo();
    expect(await written()).toContain('flowable:collection="people" flowable:elementVariable="who"');
  } finally {
    drawing = own;
  }
});

test('the box of a boundary event says whether the step ends with it, and writes that', async () => {
  await open('remind');
  const box = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /ends|interrupt/i });
  expect([box().checked, of('remind').get('cancelActivity')]).toEqual([false, false]);
  fireEvent.click(box());
  expect([box().checked, of('remind').get('cancelActivity')]).toEqual([true, true]);
  expect(await xmlOf(drawing)).not.toContain('cancelActivity="false"');
  fireEvent.click(box());
  expect([box().checked, of('remind').get('cancelActivity')]).toEqual([false, false]);
  expect(await xmlOf(drawing)).toContain('cancelActivity="false"');
});

test('candidates of an imported file are shown, and which of them are no roles here', async () => {
  await open('check');
  const said = 'boss: from flowable:candidateGroups of the imported file';
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.queryByText(/No such role/)).toBeNull();
  cleanup();
  serve({ ...SERVER, 'GET /blade-flow/model/catalogue': () => ({ ...CATALOGUE, roles: [] }) });
  await open('check');
  expect(await screen.findByText('No such role: boss')).toBeTruthy();
  expect(screen.queryByText(/^No candidates\. /)).toBeNull();
});

test('a record’s process reads no candidates of another engine', async () => {
  serve({ ...SERVER, 'GET /blade-flow/model/catalogue': () => ({ ...CATALOGUE, businessType: 'leave' }) });
  await open('check');
  expect(screen.queryByText(/candidateGroups/)).toBeNull();
});

test('a script is read, and whether it runs is told', async () => {
  await open('calc');
  expect(await screen.findByText('new File("x").text')).toBeTruthy();
  expect(screen.getByText('groovy')).toBeTruthy();
  expect(screen.getByText(/translated to assignments/)).toBeTruthy();
  cleanup();
  const refused = {
    element: 'calc',
    code: 'script',
    level: 'error',
    message: 'Error in the script',
  } as Problem;
  await open('calc', [refused]);
  expect(await screen.findByText(/cannot run and blocks deployment/)).toBeTruthy();
});
