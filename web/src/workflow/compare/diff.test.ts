import { readFileSync } from 'node:fs';
import Viewer from 'bpmn-js/lib/NavigatedViewer';
import { expect, test } from 'vitest';
import { compare, type Difference } from './diff';
import type { Property } from './property';
import { type Moddle, read } from './read';

const LEAVE = readFileSync('../bpmn/leave/leave.bpmn', 'utf8');

const moddle = new Viewer().get<{ fromXML: (xml: string) => Promise<{ rootElement: Moddle }> }>('moddle');
const drawing = async (xml: string) => read((await moddle.fromXML(xml)).rootElement);

/** As it stands in a drawing, told from a template of ours. */
const code = (expression: string) => `\${${expression}}`;

/** LEAVE with each of the texts replaced, which must be in it. */
function edited(...edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((xml, [from, to]) => {
    expect(xml).toContain(from);
    return xml.replace(from, to);
  }, LEAVE);
}

const way = (path: Property['path']) =>
  path.map(({ key, name }) => (name ? `${key} ${name}` : key)).join(' > ');

/** As lines that a test can state: what, where, and each property old → new. */
function told(differences: readonly Difference[]): string[] {
  return differences.flatMap(({ kind, part, changes, moved }) => [
    `${kind} ${part.type} ${part.id}${kind === 'changed' && moved ? ' (moved)' : ''}`,
    ...changes.map(({ path, old, now }) => `  ${way(path)}: ${old?.value ?? '-'} → ${now?.value ?? '-'}`),
  ]);
}

const differ = async (before: string, after: string) =>
  told(compare(await drawing(before), await drawing(after)));

test('a drawing does not differ from itself, nor from itself with other prefixes and spaces', async () => {
  const spaced = LEAVE.replaceAll('xw:', 'own:')
    .replace('xmlns:xw=', 'xmlns:own=')
    .replaceAll(' />', '/>')
    .replaceAll('\n', '\n  ');
  expect(await differ(LEAVE, LEAVE)).toEqual([]);
  expect(await differ(LEAVE, spaced)).toEqual([]);
});

test('names in both languages, people, conditions and the default flow are properties with old and new', async () => {
  const after = edited(
    ['name="人事审批" xw:nameEn="Approval by HR"', 'name="人力审批" xw:nameEn="Approval by people"'],
    [`xw:candidates="role:${code('record.hrRole')}"`, 'xw:candidates="role:hr user:7"'],
    [`${code('record.days &gt; 3')}`, `${code('record.days &gt; 5')}`],
    [
      'name="是否超过3天" xw:nameEn="Longer than 3 days?" default="longToShort"',
      'name="是否超过3天" xw:nameEn="Longer than 3 days?"',
    ],
  );
  expect(await differ(LEAVE, after)).toEqual([
    'changed ExclusiveGateway long',
    '  default: longToShort → -',
    'changed SequenceFlow longToPassedOn',
    `  conditionExpression: ${code('record.days > 3')} → ${code('record.days > 5')}`,
    'changed UserTask hr',
    '  name: 人事审批 → 人力审批',
    '  nameEn: Approval by HR → Approval by people',
    `  candidates: role:${code('record.hrRole')} → role:hr user:7`,
  ]);
});

test('what an operation is given is told by the name of the parameter', async () => {
  const call =
    '<serviceTask id="passedOn" name="转人事审批" xw:nameEn="Forward to HR" xw:operation="leave.passedOn"';
  const giving = (inside: string): readonly [string, string] => [
    `${call} />`,
    `${call}><extensionElements>${inside}</extensionElements></serviceTask>`,
  ];
  const before = edited(giving('<xw:parameter name="to">role:hr</xw:parameter>'));
  const after = edited(
    giving('<xw:parameter name="to">role:boss</xw:parameter><xw:parameter name="title">请看</xw:parameter>'),
  );
  expect(await differ(before, after)).toEqual([
    'changed ServiceTask passedOn',
    '  parameter to: role:hr → role:boss',
    '  parameter title: - → 请看',
  ]);
});

test('what is added, removed, of another type or joined otherwise', async () => {
  const after = edited(
    [
      '<endEvent id="endWithdrawn" name="已撤回" xw:nameEn="Withdrawn" />',
      '<endEvent id="gone" name="已撤回" />',
    ],
    ['sourceRef="withdrawn" targetRef="endWithdrawn"', 'sourceRef="withdrawn" targetRef="gone"'],
    ['<serviceTask id="withdrawn"', '<userTask id="withdrawn"'],
  );
  const found = await differ(LEAVE, after);
  expect(found.sort()).toEqual(
    [
      'added EndEvent gone',
      'removed EndEvent endWithdrawn',
      'changed SequenceFlow withdrawnToEnd',
      '  targetRef: endWithdrawn → gone',
      'changed UserTask withdrawn',
      '  type: ServiceTask → UserTask',
    ].sort(),
  );
});

/** LEAVE with the bounds of a shape set anew. */
function moved(xml: string, id: string, change: (bounds: number[]) => number[]): string {
  const bounds = new RegExp(
    `(bpmnElement="${id}"[^>]*>\\s*<dc:Bounds) x="(\\d+)" y="(\\d+)" width="(\\d+)" height="(\\d+)"`,
  );
  expect(xml).toMatch(bounds);
  return xml.replace(bounds, (_, start, ...numbers) => {
    const [x, y, width, height] = change(numbers.slice(0, 4).map(Number));
    return `${start} x="${x}" y="${y}" width="${width}" height="${height}"`;
  });
}

test('a step that stands elsewhere was moved; its flows, which follow it, were not', async () => {
  const after = moved(LEAVE, 'hr', ([x = 0, y = 0, ...size]) => [x, y + 40, ...size]).replace(
    /(bpmnElement="hrToChoice"[^>]*>\s*<di:waypoint x="\d+" y=")(\d+)/,
    (_, start, y) => start + (Number(y) + 40),
  );
  expect(await differ(LEAVE, after)).toEqual(['moved UserTask hr']);
});

test('a flow that alone takes another way was moved', async () => {
  const after = LEAVE.replace(
    /(bpmnElement="hrToChoice"[^>]*>\s*<di:waypoint [^>]*>)/,
    '$1<di:waypoint x="900" y="900" />',
  );
  expect(await differ(LEAVE, after)).toEqual(['moved SequenceFlow hrToChoice']);
});

test('what goes along with its frame was not moved; a frame of another size was', async () => {
  const inside = [
    'handlingStart',
    'approve',
    'approveChoice',
    'long',
    'endShort',
    'passedOn',
    'hr',
    'hrChoice',
    'endHr',
    'rejected',
    'revise',
    'resubmitted',
  ];
  const along = ['handling', ...inside, 'withdrawRequested'].reduce(
    (xml, id) => moved(xml, id, ([x = 0, ...rest]) => [x + 10, ...rest]),
    LEAVE,
  );
  expect(await differ(LEAVE, along)).toEqual(['moved SubProcess handling']);
  const larger = moved(LEAVE, 'handling', ([x = 0, y = 0, width = 0, height = 0]) => [
    x,
    y,
    width + 50,
    height,
  ]);
  expect(await differ(LEAVE, larger)).toEqual(['moved SubProcess handling']);
});

test('a changed element says so too when it was moved', async () => {
  const after = moved(LEAVE, 'hr', ([x = 0, ...rest]) => [x + 5, ...rest]).replace(
    `xw:candidates="role:${code('record.hrRole')}"`,
    '',
  );
  expect(await differ(LEAVE, after)).toEqual([
    'changed UserTask hr (moved)',
    `  candidates: role:${code('record.hrRole')} → -`,
  ]);
});

const withForm = (form: object) =>
  edited([
    'xw:nameEn="Leave" isExecutable="true">',
    `xw:nameEn="Leave" isExecutable="true"><extensionElements><xw:form name="apply">${JSON.stringify(form)}</xw:form></extensionElements>`,
  ]);

test('forms are compared field by field', async () => {
  const days = { type: 'number', key: 'days', id: 'a', label: 'Days', validate: { required: true, max: 30 } };
  const kind = { type: 'select', key: 'kind', label: 'Kind', values: [{ label: 'Ill', value: 'ill' }] };
  const note = { type: 'textarea', key: 'note', label: 'Note' };
  const before = withForm({ components: [days, kind] });
  expect(await differ(LEAVE, before)).toEqual(['changed Process leave', '  form apply: - → ']);

  const changed = {
    ...days,
    id: 'b',
    layout: { row: '7' },
    validate: { required: false, max: 30 },
    properties: { labelEn: 'Days off' },
  };
  const more = { ...kind, values: [...kind.values, { label: 'Holiday', labelEn: 'Off', value: 'off' }] };
  expect(await differ(before, withForm({ components: [more, changed] }))).toEqual([
    'changed Process leave',
    '  form apply > order: days, kind → kind, days',
    '  form apply > field days > required: true → false',
    '  form apply > field kind > values: Ill (ill) → Ill (ill), Holiday / Off (off)',
    '  form apply > field days > labelEn: - → Days off',
  ]);
  // The order follows from what came and went; a new field is said once.
  expect(await differ(before, withForm({ components: [days, note] }))).toEqual([
    'changed Process leave',
    '  form apply > field kind: Kind → -',
    '  form apply > field note: - → Note',
  ]);
});

test('timers and messages are properties of their event, a timer without a time too', async () => {
  const message = '<messageEventDefinition id="withdrawRequestedMessage" messageRef="messageWithdraw" />';
  const timer = (time: string) => `<timerEventDefinition>${time}</timerEventDefinition>`;
  const hour = edited([message, timer('<timeDuration>PT1H</timeDuration>')]);
  expect(await differ(LEAVE, hour)).toEqual([
    'changed BoundaryEvent withdrawRequested',
    '  messageEventDefinition > messageRef: messageWithdraw → -',
    '  timerEventDefinition > timeDuration: - → PT1H',
  ]);
  const working =
    '<timerEventDefinition xw:time="working"><timeDuration>PT1H</timeDuration></timerEventDefinition>';
  expect(await differ(hour, edited([message, working]))).toEqual([
    'changed BoundaryEvent withdrawRequested',
    '  timerEventDefinition > time: - → working',
  ]);
  expect(await differ(LEAVE, edited([message, timer('')]))).toEqual([
    'changed BoundaryEvent withdrawRequested',
    '  messageEventDefinition > messageRef: messageWithdraw → -',
    '  timerEventDefinition: - → ',
  ]);
});

test('what other tools wrote is compared as well', async () => {
  const vendor = (value: string) =>
    edited(
      ['xmlns:xw=', 'xmlns:flowable="http://flowable.org/bpmn" xmlns:xw='],
      [
        `xw:candidates="role:${code('record.hrRole')}" xw:formKey="leave" />`,
        `flowable:candidateGroups="${value}"><extensionElements><flowable:formProperty id="days" name="${value}" required="true" /></extensionElements></userTask>`,
      ],
    );
  expect(await differ(vendor('hr'), vendor('boss'))).toEqual([
    'changed UserTask hr',
    '  candidateGroups: hr → boss',
    '  formProperty days > name: hr → boss',
  ]);
});
