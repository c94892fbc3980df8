import '@/testing/svg';
import { readFileSync } from 'node:fs';
import type { Connection, Element } from 'bpmn-js/lib/model/Types';
import type CommandStack from 'diagram-js/lib/command/CommandStack';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type Selection from 'diagram-js/lib/features/selection/Selection';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { type Drawing, makeDrawing, processOf, xmlOf } from './drawing';
import type { Finding } from './finding';
import { type KindName, kindNamed, replacements } from './kinds';
import type { Menus } from './menus';
import { type NameEditing, nameOf } from './names';
import type { Placing } from './placing';

const leave = readFileSync('../bpmn/leave/leave.bpmn', 'utf8');
const foreign = leave.replace(
  '<startEvent id="start"',
  `<extensionElements><xw:form name="apply">{"text":"a &lt; b"}</xw:form><x:y xmlns:x="urn:x" z="1"/></extensionElements>
   <startEvent xmlns:flowable="http://flowable.org/bpmn" flowable:initiator="who" id="start"`,
);

/** A start, an end, and the way between them. */
const EMPTY = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"
  xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" targetNamespace="x">
  <process id="empty"><startEvent id="start" /><endEvent id="end" /><sequenceFlow id="toEnd" sourceRef="start" targetRef="end" /></process>
  <bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="empty">
    <bpmndi:BPMNShape id="start_di" bpmnElement="start"><dc:Bounds x="160" y="160" width="36" height="36" /></bpmndi:BPMNShape>
    <bpmndi:BPMNShape id="end_di" bpmnElement="end"><dc:Bounds x="480" y="160" width="36" height="36" /></bpmndi:BPMNShape>
    <bpmndi:BPMNEdge id="toEnd_di" bpmnElement="toEnd"><di:waypoint x="196" y="178" /><di:waypoint x="480" y="178" /></bpmndi:BPMNEdge>
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram></definitions>`;

let drawing: Drawing;
const element = (id: string) => drawing.get<ElementRegistry>('elementRegistry').get(id) as Element;
const placing = () => drawing.get<Placing>('placing');

beforeAll(async () => {
  const container = document.createElement('div');
  document.body.append(container);
  drawing = makeDrawing({ container, readOnly: false });
  await drawing.importXML(foreign);
});

afterEach(async () => {
  const stack = drawing.get<CommandStack>('commandStack');
  while (stack.canUndo()) stack.undo();
  await setLanguage('zh-CN');
});

test('what is drawn has ids that count, and one undo takes back a sub-process with its start', () => {
  placing().append(element('applied'), kindNamed('userTask'));
  expect(element('userTask_1').businessObject.$type).toBe('bpmn:UserTask');
  expect(element('flow_1').businessObject.sourceRef.id).toBe('userTask_1');
  placing().append(element('userTask_1'), kindNamed('subProcess'));
  expect(element('subProcess_1').businessObject.flowElements.map(({ id }: { id: string }) => id)).toEqual([
    'startEvent_1',
  ]);
  drawing.get<CommandStack>('commandStack').undo();
  expect(element('subProcess_1')).toBeUndefined();
  expect(element('startEvent_1')).toBeUndefined();
  expect(element('userTask_1')).toBeDefined();
});

test('attributes of other engines, forms and unknown elements survive being drawn on', async () => {
  placing().attach(element('approve'), kindNamed('timerBoundaryBeside'));
  const xml = await xmlOf(drawing);
  expect(xml).toContain('flowable:initiator="who"');
  expect(xml).toContain('<xw:form name="apply">{"text":"a &lt; b"}</xw:form>');
  expect(xml).toContain('<x:y xmlns:x="urn:x" z="1" />');
  expect(xml).toMatch(/<boundaryEvent id="boundaryEvent_1" cancelActivity="false" attachedToRef="approve">/);
  expect(processOf(drawing)?.get('xw:nameEn')).toBe('Leave');
});

test('a type is changed within its group only; a sub-process is not turned into what cannot hold its steps', () => {
  expect(replacements(element('long')).map(({ name }) => name)).toEqual(['parallel', 'inclusive']);
  expect(replacements(element('handling'))).toEqual([]);
  placing().turnInto(element('hr'), kindNamed('serviceTask'));
  expect(element('hr').businessObject.$type).toBe('bpmn:ServiceTask');
  expect(element('hr').businessObject.name).toBe('\u4eba\u4e8b\u5ba1\u6279');
});

test('the menu offers what runs, borders and what may be connected, and says nothing where nothing may follow', () => {
  const menus = drawing.get<Menus>('menus');
  expect(menus.has('append', element('approve'))).toBe(true);
  expect(menus.has('append', element('endApproved'))).toBe(false);
  expect(menus.has('replace', element('approveToLong'))).toBe(true);
  expect(menus.has('replace', element('toApplied'))).toBe(false);
});

interface Editing {
  activate: (element: Element) => { text: string };
  update: (element: Element, name: string, before: string, bounds: object) => void;
}

test('names are shown and edited in the language of the person', async () => {
  const editing = drawing.get<Editing>('labelEditingProvider');
  const step = element('approve').businessObject;
  expect(editing.activate(element('approve')).text).toBe('\u4e3b\u7ba1\u5ba1\u6279');
  await setLanguage('en-US');
  expect(nameOf(step)).toBe('Approval by the head');
  expect(editing.activate(element('approve')).text).toBe('Approval by the head');
  editing.update(element('approve'), 'Approve', '', {});
  expect([step.name, step.get('xw:nameEn')]).toEqual(['\u4e3b\u7ba1\u5ba1\u6279', 'Approve']);
  drawing.get<CommandStack>('commandStack').undo();
  expect(step.get('xw:nameEn')).toBe('Approval by the head');
});

test('without a Chinese name an English one is the name itself', async () => {
  await setLanguage('en-US');
  placing().append(element('applied'), kindNamed('userTask'));
  const step = (element('applied') as Element & { outgoing: { target: Element }[] }).outgoing[0]
    ?.target as Element;
  drawing.get<Editing>('labelEditingProvider').update(step, 'Look at it', '', {});
  expect([step.businessObject.name, step.businessObject.get('xw:nameEn')]).toEqual(['Look at it', undefined]);
});

test('what is left to save can be read when the page is already gone', async () => {
  const container = document.createElement('div');
  const left = makeDrawing({ container, readOnly: false });
  await left.importXML(leave);
  left
    .get<Placing>('placing')
    .append(left.get<ElementRegistry>('elementRegistry').get('applied') as Element, kindNamed('userTask'));
  left.destroy();
  expect(await xmlOf(left)).toContain('<userTask id="userTask_1"');
});

test('what is appended stands on nothing, and inside of what its source is inside of', async () => {
  const repair = readFileSync('../bpmn/repairorder/repairorder.bpmn', 'utf8');
  const container = document.createElement('div');
  const other = makeDrawing({ container, readOnly: false });
  await other.importXML(repair);
  const registry = other.get<ElementRegistry>('elementRegistry');
  const boxOf = (id: string) => registry.get(id) as unknown as Record<'x' | 'y' | 'width' | 'height', number>;
  other.get<Placing>('placing').append(registry.get('afterRepair') as Element, kindNamed('userTask'));
  const made = boxOf('userTask_1');
  const handling = boxOf('handling');
  // The check is to the right of the gateway, what it is passed by below, and what fails it above.
  expect([made.x + made.width / 2, made.y + made.height / 2]).toEqual([2360, 580]);
  expect(made.y + made.height).toBeLessThan(handling.y + handling.height);
});

test('what is appended where one way leads on comes between, with room; to an end and from a gateway it is a second way', async () => {
  const empty = makeDrawing({ container: document.createElement('div'), readOnly: false });
  await empty.importXML(EMPTY);
  const registry = empty.get<ElementRegistry>('elementRegistry');
  const at = (id: string) => registry.get(id) as Element;
  const append = (id: string, kind: KindName) =>
    empty.get<Placing>('placing').append(at(id), kindNamed(kind));
  const ways = () =>
    registry
      .filter(({ type }) => type === 'bpmn:SequenceFlow')
      .map((flow) => `${(flow as Connection).source?.id} ${(flow as Connection).target?.id}`);
  const span = (id: string) => {
    const { x, y, width, height } = at(id) as unknown as Record<'x' | 'y' | 'width' | 'height', number>;
    return [x, x + width, y + height / 2];
  };
  append('start', 'userTask');
  expect(ways()).toEqual(['start userTask_1', 'userTask_1 end']);
  expect([span('start'), span('userTask_1'), span('end')]).toEqual([
    [160, 196, 178],
    [288, 388, 178],
    [480, 516, 178],
  ]);
  append('userTask_1', 'userTask');
  expect(ways()).toEqual(['start userTask_1', 'userTask_1 userTask_2', 'userTask_2 end']);
  expect([span('userTask_2'), span('end')]).toEqual([
    [439, 539, 178],
    [590, 626, 178],
  ]);
  append('userTask_2', 'end');
  expect(ways().slice(2)).toEqual(['userTask_2 end', 'userTask_2 endEvent_1']);
  empty.get<CommandStack>('commandStack').undo();
  append('userTask_2', 'exclusive');
  append('exclusiveGateway_1', 'userTask');
  expect(ways().slice(2)).toEqual([
    'userTask_2 exclusiveGateway_1',
    'exclusiveGateway_1 end',
    'exclusiveGateway_1 userTask_3',
  ]);
  for (let steps = 4; steps > 0; steps--) empty.get<CommandStack>('commandStack').undo();
  expect([ways(), span('end')]).toEqual([['start end'], [480, 516, 178]]);
  empty.destroy();
});

test('elements are found by the name that is shown, and by their id', async () => {
  const found = (pattern: string) =>
    drawing
      .get<Finding>('bpmnSearch')
      .find(pattern)
      .map(({ element: { id } }) => id);
  const name = element('approve').businessObject;
  expect(found(name.name)).toContain('approve');
  expect(found('hr')).toContain('hr');
  expect(found(name.get('xw:nameEn'))).toEqual([]);
  await setLanguage('en-US');
  expect(found(name.get('xw:nameEn'))).toContain('approve');
  expect(found(name.name)).toEqual([]);
});

test('who leaves a name as it was has nothing to undo', () => {
  const box = { x: 0, y: 0, width: 91, height: 81 };
  drawing.get<NameEditing>('labelEditingProvider').update(element('applied'), '登记申请', '登记申请', box);
  expect(drawing.get<CommandStack>('commandStack').canUndo()).toBe(false);
  drawing.get<NameEditing>('labelEditingProvider').update(element('applied'), '登记', '登记申请', box);
  expect(nameOf(element('applied').businessObject)).toBe('登记');
});

test('a click on what is chosen leaves it chosen, with a modifier it takes it back', () => {
  const selection = drawing.get<Selection>('selection');
  const click = (id: string, originalEvent: object = {}) =>
    drawing
      .get<{ fire: (event: string, given: object) => void }>('eventBus')
      .fire('element.click', { element: element(id), originalEvent: { button: 0, ...originalEvent } });
  const chosen = () => selection.get().map(({ id }) => id);
  selection.select(null);
  click('applied');
  expect(chosen()).toEqual(['applied']);
  click('applied');
  expect(chosen()).toEqual(['applied']);
  click('approve', { shiftKey: true });
  expect(chosen()).toEqual(['applied', 'approve']);
  click('approve');
  expect(chosen()).toEqual(['approve']);
  click('approve', { shiftKey: true });
  expect(chosen()).toEqual([]);
});
