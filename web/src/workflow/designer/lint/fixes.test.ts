import '@/testing/svg';
import type { Element } from 'bpmn-js/lib/model/Types';
import type CommandStack from 'diagram-js/lib/command/CommandStack';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import { beforeEach, expect, test } from 'vitest';
import { type Drawing, makeDrawing, processOf, xmlOf } from '../canvas/drawing';
import { fixesOf } from './fixes';

const node = (id: string, x: number, width = 100, height = 80) =>
  `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${x}" y="100" width="${width}" height="${height}"/></bpmndi:BPMNShape>`;
const edge = (id: string) =>
  `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}"><di:waypoint x="0" y="140"/><di:waypoint x="90" y="140"/></bpmndi:BPMNEdge>`;

const XML = `<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"
  xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:camunda="http://camunda.org/schema/1.0/bpmn" id="defs" targetNamespace="t">
  <process id="pump" isExecutable="false">
    <startEvent id="start"/>
    <userTask id="look" name="Look" camunda:asyncBefore="true" camunda:assignee="a">
      <extensionElements><camunda:taskListener event="create"/></extensionElements>
      <multiInstanceLoopCharacteristics/>
    </userTask>
    <userTask id="mend"/><userTask id="tell"/>
    <intermediateCatchEvent id="wait"><messageEventDefinition id="waitFor"/></intermediateCatchEvent>
    <sequenceFlow id="toLook" sourceRef="start" targetRef="look"/>
    <sequenceFlow id="toMend" sourceRef="look" targetRef="mend">
      <conditionExpression xsi:type="tFormalExpression">\${true}</conditionExpression>
    </sequenceFlow>
    <sequenceFlow id="toTell" sourceRef="look" targetRef="tell"/>
  </process>
  <bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="pump">
    ${node('start', 0, 36, 36)}${node('look', 100)}${node('mend', 300)}${node('tell', 500)}${node('wait', 700, 36, 36)}
    ${edge('toLook')}${edge('toMend')}${edge('toTell')}
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</definitions>`;

let drawing: Drawing;
const get = (id: string) => drawing.get<ElementRegistry>('elementRegistry').get(id) as Element;
const targets = (id: string) =>
  get(id)
    .businessObject.get('outgoing')
    .map(({ targetRef }: { targetRef: { $type: string } }) => targetRef.$type);
const what = (word: string) => `“${word}” is not supported`;

/** What the file says, whatever the order; a flow names its nodes, so the lists at the nodes say nothing new. */
async function said(): Promise<string> {
  const xml = (await xmlOf(drawing)).replace(/<(incoming|outgoing)>.*?<.*?>|<\/.*?>/g, '');
  return xml
    .split(/[\s<>/]+/)
    .sort()
    .join(' ');
}

/** Runs the first fix offered; what it undoes must be as before. */
async function mend(code: string, element: string, messageEn = ''): Promise<void> {
  const before = await said();
  const fixes = () =>
    fixesOf(drawing, {
      element,
      code,
      level: 'error',
      message: '',
      messageZh: '',
      messageEn,
    });
  fixes()[0]?.run();
  const mended = await said();
  drawing.get<CommandStack>('commandStack').undo();
  expect(await said()).toBe(before);
  expect(mended).not.toBe(before);
  fixes()[0]?.run();
}

beforeEach(async () => {
  const container = document.createElement('div');
  document.body.append(container);
  drawing = makeDrawing({ container, readOnly: false });
  await drawing.importXML(XML);
});

test('ends and starts are added, loose nodes connected, ways parted: each in one step', async () => {
  await mend('no_way_out', 'mend');
  expect(targets('mend')).toEqual(['bpmn:EndEvent']);
  await mend('unreachable', 'wait');
  expect(targets('tell')).toEqual(['bpmn:IntermediateCatchEvent']);
  await mend('no_end', 'pump');
  expect(targets('wait')).toEqual(['bpmn:EndEvent']);
  await mend('many_ways_out', 'look');
  expect(targets('look')).toEqual(['bpmn:ExclusiveGateway']);
  expect(targets('exclusiveGateway_2')).toEqual(['bpmn:UserTask', 'bpmn:UserTask']);
  await mend('no_way_in', 'look');
  expect(targets('start')).toEqual([]);
});

test('what is not supported is taken away, and only that', async () => {
  const { businessObject } = get('look');
  await mend('unsupported', 'look', what('asyncBefore'));
  expect(businessObject.$attrs).toEqual({ 'camunda:assignee': 'a' });
  await mend('unsupported', 'look', what('taskListener'));
  expect(businessObject.extensionElements.values).toEqual([]);
  await mend('unsupported', 'look', what('multiInstanceLoopCharacteristics'));
  expect(businessObject.loopCharacteristics).toBeUndefined();
  await mend('condition_place', 'toMend');
  expect(get('toMend').businessObject.conditionExpression).toBeUndefined();
  await mend('not_executable', 'pump');
  expect(processOf(drawing)?.isExecutable).toBe(true);
});

test('a message is made with its place in the file, and what no machine can mend is left to people', async () => {
  await mend('message', 'wait');
  expect(get('wait').businessObject.eventDefinitions[0].messageRef.name).toBe('wait');
  expect(await xmlOf(drawing)).toMatch(/<message id="message_\d" name="wait" \/>/);
  expect(
    fixesOf(drawing, {
      element: 'look',
      code: 'no_people',
      level: 'warning',
      message: '',
      messageZh: '',
      messageEn: '',
    }),
  ).toEqual([]);
});

test('a fault of a flow without an id is told at a step, which is not taken away for it', () => {
  const told = { level: 'error', message: '', messageZh: '', messageEn: '' } as const;
  const fixes = (code: string, element: string) => fixesOf(drawing, { ...told, code, element });
  expect(fixes('dangling_flow', 'look')).toEqual([]);
  expect(fixes('condition_place', 'look')).toEqual([]);
  expect(fixes('dangling_flow', 'toMend').map(({ title }) => title)).toEqual(['designer.fix.remove']);
});
