/** What a machine can mend, by the code of the problem: each a change of the drawing that one undo takes back. */

import type BpmnFactory from 'bpmn-js/lib/features/modeling/BpmnFactory';
import type ElementFactory from 'bpmn-js/lib/features/modeling/ElementFactory';
import type Modeling from 'bpmn-js/lib/features/modeling/Modeling';
import type { Connection, Element, ModdleElement, Root, Shape } from 'bpmn-js/lib/model/Types';
import { is } from 'bpmn-js/lib/util/ModelUtil';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type { ParseKeys } from 'i18next';
import type { Wire } from '@/api/wire';
import { type Drawing, definitionsOf } from '../canvas/drawing';
import { kindNamed } from '../canvas/kinds';
import type { Placing } from '../canvas/placing';
import { together } from '../canvas/together';
import type { Problem } from '../context';
import { elementOf } from './words';

export interface Fix {
  title: ParseKeys;
  /** What it is about, where the title names it. */
  what?: string;
  run: () => void;
}

type Find = (drawing: Drawing, element: Element, problem: Problem, catalogue?: Wire<'Catalogue'>) => Fix[];

const modelingOf = (drawing: Drawing) => drawing.get<Modeling>('modeling');

const flowsOf = (connections: readonly unknown[] | undefined) =>
  ((connections ?? []) as Connection[]).filter((connection) => is(connection, 'bpmn:SequenceFlow'));

/** The nodes that stand directly in a process or sub-process. */
function nodesIn(scope: Element): Shape[] {
  return ((scope as Shape).children as Shape[]).filter(
    (child) => child.type !== 'label' && is(child, 'bpmn:FlowNode'),
  );
}

const addEnd: Find = (drawing, element) => {
  if (is(element, 'bpmn:EndEvent')) return [];
  const add = () => drawing.get<Placing>('placing').append(element, kindNamed('end'));
  return [{ title: 'designer.fix.end', run: add }];
};

/** Behind everything that leads nowhere; where there is no such node, beside the drawing. */
const addEnds: Find = (drawing, scope) => {
  const open = nodesIn(scope).filter(
    (node) => !is(node, 'bpmn:EndEvent') && flowsOf(node.outgoing).length === 0,
  );
  const placing = drawing.get<Placing>('placing');
  return [
    {
      title: 'designer.fix.end',
      run: () =>
        open.length > 0
          ? together(drawing, () => {
              for (const node of open) placing.append(node, kindNamed('end'));
            })
          : placing.place(kindNamed('end')),
    },
  ];
};

/** A start before the first node that nothing leads to. */
const addStart: Find = (drawing, scope) => {
  const nodes = nodesIn(scope);
  if (nodes.some((node) => is(node, 'bpmn:StartEvent'))) return [];
  const first = nodes.find((node) => flowsOf(node.incoming).length === 0 && !is(node, 'bpmn:BoundaryEvent'));
  const run = () =>
    together(drawing, () => {
      const start = drawing.get<ElementFactory>('elementFactory').createShape({ type: 'bpmn:StartEvent' });
      const place = first
        ? { x: first.x - 80, y: first.y + first.height / 2 }
        : { x: (scope as Shape).x + 60 || 160, y: (scope as Shape).y + 100 || 160 };
      const made = modelingOf(drawing).createShape(start, place, scope as Root | Shape);
      if (first && !is(first, 'bpmn:EndEvent')) modelingOf(drawing).connect(made, first);
    });
  return [{ title: 'designer.fix.start', run }];
};

/** From the nearest node at the left that leads nowhere yet. */
const connectFrom: Find = (drawing, element) => {
  if (!element.parent || is(element, 'bpmn:BoundaryEvent') || is(element, 'bpmn:StartEvent')) return [];
  const { x, y } = element as Shape;
  const distance = (node: Shape) => Math.hypot(node.x - x, node.y - y) + (node.x > x ? 10_000 : 0);
  const [nearest] = nodesIn(element.parent as Element)
    .filter((node) => node !== element && !is(node, 'bpmn:EndEvent') && flowsOf(node.outgoing).length === 0)
    .sort((one, other) => distance(one) - distance(other));
  if (!nearest) return [];
  return [
    {
      title: 'designer.fix.connect',
      what: nearest.businessObject.name || nearest.id,
      run: () => modelingOf(drawing).connect(nearest, element),
    },
  ];
};

/** A gateway behind the node takes over its flows. */
const addGateway: Find = (drawing, element) => {
  const run = (kind: 'exclusive' | 'parallel') => () =>
    together(drawing, () => {
      const flows = flowsOf(element.outgoing);
      const placing = drawing.get<Placing>('placing');
      const { x, y, width, height } = element as Shape;
      const gateway = modelingOf(drawing).createShape(
        placing.shapeOf(kindNamed(kind)),
        { x: x + width + 60, y: y + height / 2 },
        element.parent as Root | Shape,
      );
      for (const flow of flows) modelingOf(drawing).reconnectStart(flow, gateway, { x: 0, y: 0 });
      modelingOf(drawing).connect(element, gateway);
    });
  return [
    { title: 'designer.fix.exclusive', run: run('exclusive') },
    { title: 'designer.fix.parallel', run: run('parallel') },
  ];
};

const removing =
  (side: 'incoming' | 'outgoing'): Find =>
  (drawing, element) => {
    const flows = flowsOf(element[side]);
    const run = () => modelingOf(drawing).removeElements(flows.slice());
    return flows.length > 0 ? [{ title: 'designer.fix.removeFlows', run }] : [];
  };

const remove: Find = (drawing, element) => [
  { title: 'designer.fix.remove', run: () => modelingOf(drawing).removeElements([element as Shape]) },
];

const setting =
  (title: ParseKeys, values: object): Find =>
  (drawing, element) => [{ title, run: () => modelingOf(drawing).updateProperties(element, values) }];

/** What is wrong with a flow without an id is told at what it joins; that has nothing to be mended by this. */
const ofFlows =
  (find: Find): Find =>
  (drawing, element, problem, catalogue) =>
    is(element, 'bpmn:SequenceFlow') ? find(drawing, element, problem, catalogue) : [];

const rename: Find = (drawing, element) => {
  const registry = drawing.get<ElementRegistry>('elementRegistry');
  const plain = element.type.replace('bpmn:', '');
  const prefix = plain.charAt(0).toLowerCase() + plain.slice(1);
  let number = 1;
  while (registry.get(`${prefix}_${number}`)) number += 1;
  const id = `${prefix}_${number}`;
  return [
    {
      title: 'designer.fix.rename',
      what: id,
      run: () => modelingOf(drawing).updateProperties(element, { id }),
    },
  ];
};

const local = (name: string) => name.replace(/^[^:]*:/, '');

/** The attribute, setting or extension that the sentence names, taken away. */
const removeUnsupported: Find = (drawing, element, { messageEn }) => {
  const what = /^“([^”]+)” is not supported$/.exec(messageEn)?.[1];
  if (!what) return [];
  const object: ModdleElement = element.businessObject;
  const modeling = modelingOf(drawing);
  const attributes = Object.keys(object.$attrs).filter((name) => local(name) === what);
  const extensions: ModdleElement[] = object.extensionElements?.values ?? [];
  const fix = (run: () => void): Fix[] => [{ title: 'designer.fix.unsupported', what, run }];
  if (attributes.length > 0) {
    const values = Object.fromEntries(attributes.map((name) => [name, undefined]));
    return fix(() => modeling.updateProperties(element, values));
  }
  if (extensions.some(({ $type }) => local($type) === what)) {
    const values = extensions.filter(({ $type }) => local($type) !== what);
    return fix(() => modeling.updateModdleProperties(element, object.extensionElements, { values }));
  }
  if (local(object.loopCharacteristics?.$type ?? '').toLowerCase() === what.toLowerCase())
    return fix(() => modeling.updateProperties(element, { loopCharacteristics: undefined }));
  // Left are attributes of BPMN itself with a value that we cannot keep.
  if (object.get(what) !== undefined && what in object && typeof object[what] !== 'object')
    return fix(() => modeling.updateProperties(element, { [what]: undefined }));
  return [];
};

/** A message with the element's name, which the event then waits for or sends. */
const addMessage: Find = (drawing, element) => {
  const object: ModdleElement = element.businessObject;
  const holder: ModdleElement = object.eventDefinitions?.[0] ?? object;
  const run = () =>
    together(drawing, () => {
      const name = object.name || object.id;
      const message = drawing.get<BpmnFactory>('bpmnFactory').create('bpmn:Message', { name });
      const root = definitionsOf(drawing);
      message.$parent = root;
      const modeling = modelingOf(drawing);
      modeling.updateModdleProperties(element, root, { rootElements: [...root.rootElements, message] });
      modeling.updateModdleProperties(element, holder, { messageRef: message });
    });
  return [{ title: 'designer.fix.message', run }];
};

/** One of the operations that the process may call. */
const nameOperation: Find = (drawing, element, _problem, catalogue) =>
  (catalogue?.operations ?? []).map(({ name, label }) => ({
    title: 'designer.fix.operation',
    what: label,
    run: () => modelingOf(drawing).updateProperties(element, { 'xw:operation': name }),
  }));

const FINDS: Readonly<Record<string, Find>> = {
  no_end: addEnds,
  no_way_out: addEnd,
  no_way_to_end: addEnd,
  one_start: addStart,
  no_start: addStart,
  unreachable: connectFrom,
  many_ways_out: addGateway,
  no_way_in: removing('incoming'),
  end_goes_on: removing('outgoing'),
  dangling_flow: ofFlows(remove),
  condition_place: ofFlows(setting('designer.fix.condition', { conditionExpression: undefined })),
  default_flow: setting('designer.fix.default', { default: undefined }),
  not_executable: setting('designer.fix.executable', { isExecutable: true }),
  unsupported: removeUnsupported,
  message: addMessage,
  operation: nameOperation,
  operation_unknown: nameOperation,
  bad_id: rename,
  duplicate_id: rename,
};

export function fixesOf(drawing: Drawing, problem: Problem, catalogue?: Wire<'Catalogue'>): Fix[] {
  const element = elementOf(drawing, problem.element);
  return (element && FINDS[problem.code]?.(drawing, element, problem, catalogue)) || [];
}
