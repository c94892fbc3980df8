/** A drawing that was only opened says the same when it is saved: ours, and other people's where a folder has them. */
import '@/testing/svg';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Drawing, makeDrawing, xmlOf } from './canvas/drawing';

const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL';
const TYPE = '{http://www.w3.org/2001/XMLSchema-instance}:type';
const FORMAL = 'bpmn:tFormalExpression';
/** Among the prefixes: the namespace that the file gives to its ids. */
const OWN = 'own namespace';
/** Types that an element has without saying so. */
const DECLARED: Readonly<Record<string, string>> = {
  'di:waypoint': 'dc:Point',
  'bpmn:formalExpression': FORMAL,
};
const PREFIXES: Readonly<Record<string, string>> = {
  [BPMN]: 'bpmn',
  'http://www.omg.org/spec/BPMN/20100524/DI': 'bpmndi',
  'http://www.omg.org/spec/DD/20100524/DC': 'dc',
  'http://www.omg.org/spec/DD/20100524/DI': 'di',
};
const OTHERS = process.env.FLOWABLE_MODELS;
const MOST = 200;
const NO_BPMN = /^(unparsable content|unrecognized element)|Ref not specified/;

interface Property {
  ns: { name: string };
  default?: unknown;
  type: string;
}

interface Moddle {
  getType: (name: string) => {
    $descriptor: { propertiesByName: Record<string, Property>; allTypesByName: object };
  };
}

const moddle = draw().get<Moddle>('moddle');

function draw(): Drawing {
  return makeDrawing({ container: document.createElement('div'), readOnly: false });
}

/** The test environment's reader knows no CDATA and few declarations; names are resolved here. */
function read(xml: string): Element {
  const plain = xml
    .replace(/^\uFEFF?\s*<\?xml[\s\S]*?\?>/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) =>
      text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
    );
  const found = new DOMParser().parseFromString(plain, 'text/xml');
  if (found.querySelector('parsererror'))
    throw new Error(`not read: ${found.documentElement.textContent} in ${plain.slice(0, 300)}`);
  return found.documentElement;
}

type Spaces = Readonly<Record<string, string>>;

function spacesOf(element: Element, outer: Spaces): Spaces {
  const own = [...element.attributes].filter(({ name }) => /^xmlns(:|$)/.test(name));
  const target = element.getAttribute('targetNamespace');
  return {
    ...outer,
    ...Object.fromEntries(own.map(({ name, value }) => [name.slice(6), value])),
    ...(target ? { [OWN]: target } : {}),
  };
}

/** A name with its namespace in place of the prefix. */
function resolved(name: string, spaces: Spaces): string {
  const [local = '', prefix = ''] = name.split(':').reverse();
  const space = spaces[prefix] ?? prefix;
  return `${PREFIXES[space] ?? `{${space}}`}:${local}`;
}

/** An expression may also be called by its type. */
function nameOf(element: Element, spaces: Spaces): string {
  const name = resolved(element.tagName, spaces);
  const typed = [...element.attributes].find(({ name: given }) => resolved(given, spaces) === TYPE);
  const isFormal = name === 'bpmn:expression' && typed && resolved(typed.value, spaces) === FORMAL;
  return isFormal ? 'bpmn:formalExpression' : name;
}

/** What BPMN says of an element's kind; nothing of other languages' elements. */
function kindOf(name: string) {
  const [prefix, local = ''] = (name === 'di:waypoint' ? 'dc:Point' : name).split(':');
  if (!prefix || !Object.values(PREFIXES).includes(prefix)) return undefined;
  try {
    return moddle.getType(`${prefix}:${local.charAt(0).toUpperCase()}${local.slice(1)}`).$descriptor;
  } catch {
    return undefined;
  }
}

/** Without what BPMN takes for said where nothing is, and in one order. */
function attributesOf(element: Element, name: string, spaces: Spaces): string[] {
  const kind = kindOf(name);
  const said: string[] = [];
  for (const { name: given, value } of element.attributes) {
    if (/^xmlns(:|$)/.test(given)) continue;
    const key = given.includes(':') ? resolved(given, spaces) : given;
    const property = kind?.propertiesByName[key];
    const isNumber = property?.type === 'Real' || property?.type === 'Integer';
    const isReference = /^bpmn:.*Ref$/.test(property?.ns.name ?? '');
    let plain = value;
    if (isNumber) plain = String(Number(value));
    else if (key === TYPE) plain = resolved(value, spaces);
    // An id may be written with the prefix of the file's own namespace.
    else if (isReference && spaces[value.split(':')[0] ?? ''] === spaces[OWN])
      plain = value.replace(/^[^:]*:/, '');
    if (property?.default !== undefined && String(property.default) === plain) continue;
    if (key === TYPE && plain === DECLARED[name]) continue;
    said.push(`${key}=${plain}`);
  }
  return said.sort();
}

/** Children of one group stand in an order that counts; shapes and edges are told apart by what they show. */
function groupOf(element: Element, name: string): string {
  const types = kindOf(name)?.allTypesByName ?? {};
  for (const type of ['bpmn:FlowElement', 'bpmn:RootElement']) if (type in types) return type;
  if ('di:DiagramElement' in types) return element.getAttribute('bpmnElement') ?? '';
  return name;
}

/** A line for everything that the element says; a flow names its nodes, so their own lists of flows say nothing new. */
function lines(element: Element, outer: Spaces = {}, depth = 0): string[] {
  const spaces = spacesOf(element, outer);
  const name = nameOf(element, spaces);
  const children = [...element.children]
    .map((child) => {
      const named = nameOf(child, spacesOf(child, spaces));
      return { child, named, group: groupOf(child, named) };
    })
    .filter(({ named }) => named !== 'bpmn:incoming' && named !== 'bpmn:outgoing');
  if (kindOf(name) && name !== 'bpmn:extensionElements')
    children.sort(({ group: a }, { group: b }) => (a < b ? -1 : a > b ? 1 : 0));
  const text = [...element.childNodes]
    .filter(({ nodeType }) => nodeType === 3)
    .map(({ textContent }) => textContent)
    .join('')
    .trim();
  return [
    `${' '.repeat(depth)}${[name, ...attributesOf(element, name, spaces), text].join(' ').trim()}`,
    ...children.flatMap(({ child }) => lines(child, spaces, depth + 1)),
  ];
}

function said(xml: string): string[] {
  return lines(read(xml));
}

/** How a shape is shown may be said where the file left it open. */
function agree(old: string[], now: string[]): boolean {
  const left = now.map((line, at) =>
    line === old[at] ? line : line.replace(/ (isExpanded|isMarkerVisible)=true\b/, ''),
  );
  return left.join('\n') === old.join('\n');
}

/**
 * What the file says after it was opened; nothing where it cannot be opened, or the reader says that it is no BPMN:
 * elements that there are not, flows to nowhere. One without a diagram is only read.
 */
async function saved(xml: string): Promise<string | undefined> {
  const drawing = draw();
  try {
    const { warnings } = await drawing.importXML(xml).catch((error) => {
      if (!String(error).includes('no diagram to display')) throw error;
      return error as { warnings: string[] };
    });
    // An association or a flow to nowhere is refused with its element by the server.
    if (warnings.some((warning) => NO_BPMN.test(String((warning as unknown as Error).message))))
      return undefined;
    return await xmlOf(drawing);
  } catch {
    return undefined;
  } finally {
    drawing.destroy();
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(bpmn|xml)$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

test.each([...filesIn('../bpmn'), ...filesIn('../core/project/demo_models')])(
  '%s is saved as it was opened',
  async (file) => {
    const xml = readFileSync(file, 'utf8');
    expect(said((await saved(xml)) ?? '')).toEqual(said(xml));
  },
);

test.runIf(OTHERS)(
  'models of other people are saved as they were opened',
  async () => {
    let tried = 0;
    let unread = 0;
    const lost: string[] = [];
    for (const file of filesIn(OTHERS ?? '')) {
      if (tried === MOST) break;
      const xml = readFileSync(file, 'utf8');
      const after = xml.includes(BPMN) && !xml.includes('<!DOCTYPE') ? await saved(xml) : undefined;
      if (after === undefined) {
        unread += xml.includes(BPMN) ? 1 : 0;
        continue;
      }
      tried += 1;
      const [old, now] = [said(xml), said(after)];
      const missing = old.filter((line) => !now.includes(line));
      const added = now.filter((line) => !old.includes(line));
      if (!agree(old, now))
        lost.push(
          `${file}\n${[...missing.slice(0, 8).map((l) => `- ${l}`), ...added.slice(0, 8).map((l) => `+ ${l}`)].join('\n')}`,
        );
    }
    console.info(
      `${tried - lost.length} of ${tried} models say the same, ${unread} beside them are not BPMN for the modeler`,
    );
    expect(lost).toEqual([]);
    expect(tried).toBe(MOST);
  },
  600_000,
);

const HEAD = `<definitions xmlns="${BPMN}" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"
  xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:xsd="urn:xsd" xmlns:own="urn:own" xmlns:x="urn:x" targetNamespace="urn:own">
  <message id="call" name="call"/>`;
const BOUNDS = '<dc:Bounds x="9" y="9" width="90" height="90"/>';

/** A process with a sub-process and a step in it, drawn on one plane. */
function nested(data: string, expanded = ''): string {
  return `${HEAD}<process id="p">${data}<subProcess id="sub"><task id="step"/></subProcess></process>
    <bpmndi:BPMNDiagram id="d"><bpmndi:BPMNPlane id="plane" bpmnElement="p">
    <bpmndi:BPMNShape id="sub_di" bpmnElement="sub"${expanded}>${BOUNDS}</bpmndi:BPMNShape>
    <bpmndi:BPMNShape id="step_di" bpmnElement="step">${BOUNDS}</bpmndi:BPMNShape>
    </bpmndi:BPMNPlane></bpmndi:BPMNDiagram></definitions>`;
}

const catching = (message: string) =>
  `<intermediateCatchEvent id="c"><messageEventDefinition id="m" messageRef="${message}"/></intermediateCatchEvent>`;

test('what refers to something outside of the file stays, and an own id with a prefix is that id', async () => {
  const xml = nested(`<dataObject id="data" itemSubjectRef="xsd:string"/>${catching('own:call')}`);
  const after = (await saved(xml)) ?? '';
  expect(after).toContain('<dataObject id="data" itemSubjectRef="xsd:string" />');
  expect(after).toContain('messageRef="call"');
});

test('the list of several that is a variable stays', async () => {
  const several =
    '<userTask id="u"><multiInstanceLoopCharacteristics><loopDataInputRef>people</loopDataInputRef></multiInstanceLoopCharacteristics></userTask>';
  expect(await saved(nested(several))).toContain('<loopDataInputRef>people</loopDataInputRef>');
});

test('a message of another file is not taken for our own, and one that leads nowhere does not come back', async () => {
  expect(await saved(nested(catching('x:call')))).not.toContain('messageRef');
  expect(await saved(nested(catching('gone')))).not.toContain('messageRef');
});

test('a sub-process whose steps are drawn beside it is open, and closed where the file says so', async () => {
  const after = (await saved(nested(''))) ?? '';
  expect(after).toContain('<bpmndi:BPMNShape id="sub_di" bpmnElement="sub" isExpanded="true">');
  expect(agree(said(nested('')), said(after))).toBe(true);
  expect(await saved(nested('', ' isExpanded="false"'))).toContain('bpmnElement="sub" isExpanded="false"');
});

test.each([
  ['an element', '<task id="step"/>', ''],
  ['an attribute', 'id="data"', 'id="datum"'],
  ['a number', 'width="90"', 'width="91"'],
  [
    'an order',
    '<subProcess id="sub"><task id="step"/></subProcess><task id="z"/>',
    '<task id="z"/><subProcess id="sub"><task id="step"/></subProcess>',
  ],
  ['a text', '<text>a</text>', '<text>b</text>'],
  ['a namespace', 'xmlns:xsd="urn:xsd"', 'xmlns:xsd="urn:other"'],
  ['a way to show', ' isExpanded="true"', ' isExpanded="false"'],
])('%s that differs is seen', (_, old, now) => {
  const xml = nested(
    '<dataObject id="data"><extensionElements><xsd:a/></extensionElements></dataObject><textAnnotation id="t"><text>a</text></textAnnotation>',
    ' isExpanded="true"',
  ).replace('</subProcess>', '</subProcess><task id="z"/>');
  expect(xml).toContain(old);
  expect(agree(said(xml), said(xml))).toBe(true);
  expect(agree(said(xml), said(xml.replace(old, now)))).toBe(false);
});
