import { expect, test } from 'vitest';
import { COLOURS, type Element, prepare } from './diagram';

const progress = {
  done: { repair: 2, start: 1, responding: 1 },
  flows: { toRepair: 1 },
  returned: ['check'],
  open: [{ node: 'repair', assigneeName: 'Jiang', createTime: '' }],
};

function shape(id: string, more: Partial<Element> = {}) {
  const colours: Record<string, string> = {};
  const element: Element = {
    $type: 'bpmndi:BPMNShape',
    bpmnElement: { $type: 'bpmn:UserTask', id, set: () => undefined },
    set: (name, value) => {
      colours[name] = value;
    },
    ...more,
  };
  return { element, colours };
}

test('a step that waits is "now" even when it was done before; one that was sent back is told; others are ahead', () => {
  const [now, done, returned, ahead] = [shape('repair'), shape('start'), shape('check'), shape('end')];
  prepare(
    [now, done, returned, ahead].map(({ element }) => element),
    progress,
    'zh-CN',
  );
  expect(returned.colours['bioc:fill']).toBe(COLOURS.returned.fill);
  expect(now.colours).toEqual({ 'bioc:stroke': COLOURS.now.stroke, 'bioc:fill': COLOURS.now.fill });
  expect(done.colours['bioc:stroke']).toBe(COLOURS.done.stroke);
  expect(ahead.colours['bioc:fill']).toBe(COLOURS.ahead.fill);
});

test('a flow that was taken gets its line coloured, a frame only its border', () => {
  const flow = shape('toRepair', { $type: 'bpmndi:BPMNEdge' });
  const frame = shape('responding', { isExpanded: true });
  prepare([flow.element, frame.element], progress, 'zh-CN');
  expect(flow.colours).toEqual({ 'bioc:stroke': COLOURS.done.stroke });
  expect(frame.colours).toEqual({ 'bioc:stroke': COLOURS.done.stroke });
});

test('names are English for English readers only, and stay where there is no English one', () => {
  const named = (): Element => ({
    $type: 'bpmn:UserTask',
    name: '维修',
    $attrs: { 'xw:nameEn': 'Repair' },
    set: () => undefined,
  });
  const [chinese, english] = [named(), named()];
  const bare: Element = { $type: 'bpmn:UserTask', name: '验收', set: () => undefined };
  prepare([chinese], progress, 'zh-CN');
  prepare([english, bare], progress, 'en-US');
  expect([chinese.name, english.name, bare.name]).toEqual(['维修', 'Repair', '验收']);
});

test('a longer English name gets more room: about the middle of a shape, away from the line of a flow', () => {
  const bounds = () => ({ x: 100, width: 20 });
  const name = { $type: 'bpmn:EndEvent', id: 'end', name: 'Transferred', set: () => undefined };
  const event = shape('end', { bpmnElement: name, label: { bounds: bounds() } });
  const flow = shape('end', { $type: 'bpmndi:BPMNEdge', bpmnElement: name, label: { bounds: bounds() } });
  prepare([event.element, flow.element], progress, 'en-US');
  expect(event.element.label?.bounds).toEqual({ x: 73, width: 74 });
  expect(flow.element.label?.bounds).toEqual({ x: 100, width: 74 });
});
