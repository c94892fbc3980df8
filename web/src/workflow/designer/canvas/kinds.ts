/** What may be drawn: the elements that the engine runs, in the groups of the palette. */
import type { Element } from 'bpmn-js/lib/model/Types';
import { is } from 'bpmn-js/lib/util/ModelUtil';
import type { ParseKeys } from 'i18next';

export type Group = 'event' | 'activity' | 'gateway' | 'note';

export interface Kind {
  name: KindName;
  type: string;
  group: Group;
  icon: string;
  eventDefinitionType?: string;
  /** Of a boundary event: false lets the activity go on. */
  cancelActivity?: boolean;
  /** In the palette's column; the others are in the menus only. */
  isCommon?: boolean;
}

const TIMER = 'bpmn:TimerEventDefinition';
const MESSAGE = 'bpmn:MessageEventDefinition';
const SIGNAL = 'bpmn:SignalEventDefinition';
const ERROR = 'bpmn:ErrorEventDefinition';

export type KindName = (typeof NAMES)[number];
const NAMES = [
  'start',
  'startTimer',
  'startMessage',
  'startSignal',
  'end',
  'endMessage',
  'terminate',
  'timer',
  'catchMessage',
  'throwMessage',
  'catchSignal',
  'throwSignal',
  'passed',
  'timerBoundary',
  'timerBoundaryBeside',
  'messageBoundary',
  'messageBoundaryBeside',
  'errorBoundary',
  'userTask',
  'serviceTask',
  'sendTask',
  'receiveTask',
  'manualTask',
  'task',
  'subProcess',
  'call',
  'exclusive',
  'parallel',
  'inclusive',
  'annotation',
  'frame',
] as const;

export const KINDS: readonly Kind[] = [
  {
    name: 'start',
    type: 'bpmn:StartEvent',
    group: 'event',
    icon: 'bpmn-icon-start-event-none',
    isCommon: true,
  },
  {
    name: 'startTimer',
    type: 'bpmn:StartEvent',
    group: 'event',
    icon: 'bpmn-icon-start-event-timer',
    eventDefinitionType: TIMER,
  },
  {
    name: 'startMessage',
    type: 'bpmn:StartEvent',
    group: 'event',
    icon: 'bpmn-icon-start-event-message',
    eventDefinitionType: MESSAGE,
  },
  {
    name: 'startSignal',
    type: 'bpmn:StartEvent',
    group: 'event',
    icon: 'bpmn-icon-start-event-signal',
    eventDefinitionType: SIGNAL,
  },
  {
    name: 'timer',
    type: 'bpmn:IntermediateCatchEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-catch-timer',
    eventDefinitionType: TIMER,
    isCommon: true,
  },
  {
    name: 'catchMessage',
    type: 'bpmn:IntermediateCatchEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-catch-message',
    eventDefinitionType: MESSAGE,
    isCommon: true,
  },
  {
    name: 'throwMessage',
    type: 'bpmn:IntermediateThrowEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-throw-message',
    eventDefinitionType: MESSAGE,
  },
  {
    name: 'catchSignal',
    type: 'bpmn:IntermediateCatchEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-catch-signal',
    eventDefinitionType: SIGNAL,
  },
  {
    name: 'throwSignal',
    type: 'bpmn:IntermediateThrowEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-throw-signal',
    eventDefinitionType: SIGNAL,
  },
  {
    name: 'passed',
    type: 'bpmn:IntermediateThrowEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-none',
  },
  { name: 'end', type: 'bpmn:EndEvent', group: 'event', icon: 'bpmn-icon-end-event-none', isCommon: true },
  {
    name: 'endMessage',
    type: 'bpmn:EndEvent',
    group: 'event',
    icon: 'bpmn-icon-end-event-message',
    eventDefinitionType: MESSAGE,
  },
  {
    name: 'terminate',
    type: 'bpmn:EndEvent',
    group: 'event',
    icon: 'bpmn-icon-end-event-terminate',
    eventDefinitionType: 'bpmn:TerminateEventDefinition',
  },
  {
    name: 'timerBoundary',
    type: 'bpmn:BoundaryEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-catch-timer',
    eventDefinitionType: TIMER,
    cancelActivity: true,
  },
  {
    name: 'timerBoundaryBeside',
    type: 'bpmn:BoundaryEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-catch-non-interrupting-timer',
    eventDefinitionType: TIMER,
    cancelActivity: false,
  },
  {
    name: 'messageBoundary',
    type: 'bpmn:BoundaryEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-catch-message',
    eventDefinitionType: MESSAGE,
    cancelActivity: true,
  },
  {
    name: 'messageBoundaryBeside',
    type: 'bpmn:BoundaryEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-catch-non-interrupting-message',
    eventDefinitionType: MESSAGE,
    cancelActivity: false,
  },
  {
    name: 'errorBoundary',
    type: 'bpmn:BoundaryEvent',
    group: 'event',
    icon: 'bpmn-icon-intermediate-event-catch-error',
    eventDefinitionType: ERROR,
    cancelActivity: true,
  },
  {
    name: 'userTask',
    type: 'bpmn:UserTask',
    group: 'activity',
    icon: 'bpmn-icon-user-task',
    isCommon: true,
  },
  {
    name: 'serviceTask',
    type: 'bpmn:ServiceTask',
    group: 'activity',
    icon: 'bpmn-icon-service-task',
    isCommon: true,
  },
  { name: 'sendTask', type: 'bpmn:SendTask', group: 'activity', icon: 'bpmn-icon-send-task' },
  { name: 'receiveTask', type: 'bpmn:ReceiveTask', group: 'activity', icon: 'bpmn-icon-receive-task' },
  { name: 'manualTask', type: 'bpmn:ManualTask', group: 'activity', icon: 'bpmn-icon-manual-task' },
  { name: 'task', type: 'bpmn:Task', group: 'activity', icon: 'bpmn-icon-task' },
  {
    name: 'subProcess',
    type: 'bpmn:SubProcess',
    group: 'activity',
    icon: 'bpmn-icon-subprocess-expanded',
    isCommon: true,
  },
  {
    name: 'call',
    type: 'bpmn:CallActivity',
    group: 'activity',
    icon: 'bpmn-icon-call-activity',
  },
  {
    name: 'exclusive',
    type: 'bpmn:ExclusiveGateway',
    group: 'gateway',
    icon: 'bpmn-icon-gateway-xor',
    isCommon: true,
  },
  {
    name: 'parallel',
    type: 'bpmn:ParallelGateway',
    group: 'gateway',
    icon: 'bpmn-icon-gateway-parallel',
    isCommon: true,
  },
  {
    name: 'inclusive',
    type: 'bpmn:InclusiveGateway',
    group: 'gateway',
    icon: 'bpmn-icon-gateway-or',
    isCommon: true,
  },
  {
    name: 'annotation',
    type: 'bpmn:TextAnnotation',
    group: 'note',
    icon: 'bpmn-icon-text-annotation',
    isCommon: true,
  },
  { name: 'frame', type: 'bpmn:Group', group: 'note', icon: 'bpmn-icon-group', isCommon: true },
];

export function kindTitle(kind: Kind): ParseKeys {
  return `designer.kinds.${kind.name}`;
}

export function kindNamed(name: KindName): Kind {
  return KINDS.find((kind) => kind.name === name) as Kind;
}

/** The kind of an element; undefined for what we do not offer, such as a lane. */
export function kindOf({ businessObject }: Element): Kind | undefined {
  const definition: string | undefined = businessObject.eventDefinitions?.[0]?.$type;
  return KINDS.find(
    ({ type, eventDefinitionType, cancelActivity }) =>
      type === businessObject.$type &&
      eventDefinitionType === definition &&
      (cancelActivity === undefined || cancelActivity === businessObject.cancelActivity),
  );
}

/** What may follow an element over a flow. */
export function following(element: Element): readonly Kind[] {
  if (!is(element, 'bpmn:FlowNode') || is(element, 'bpmn:EndEvent')) return [];
  return KINDS.filter(
    ({ type, group }) => group !== 'note' && type !== 'bpmn:StartEvent' && type !== 'bpmn:BoundaryEvent',
  );
}

/** Activities in which an error may be raised. */
const FAILING = ['bpmn:ServiceTask', 'bpmn:ScriptTask', 'bpmn:SubProcess', 'bpmn:CallActivity'];

/** What may be put on the border of an element. */
export function attachable(element: Element): readonly Kind[] {
  if (!is(element, 'bpmn:Activity')) return [];
  const fails = FAILING.some((type) => is(element, type));
  return KINDS.filter(
    ({ type, eventDefinitionType }) =>
      type === 'bpmn:BoundaryEvent' && (fails || eventDefinitionType !== ERROR),
  );
}

/** What an element may be turned into. A sub-process may not: what is drawn in it would be lost. */
export function replacements(element: Element): readonly Kind[] {
  const own = kindOf(element);
  const alike = (kind: Kind) => {
    if (is(element, 'bpmn:SubProcess')) return false;
    if (is(element, 'bpmn:Activity')) return kind.group === 'activity';
    if (is(element, 'bpmn:Gateway')) return kind.group === 'gateway';
    if (is(element, 'bpmn:BoundaryEvent')) return kind.type === 'bpmn:BoundaryEvent';
    // Within a sub-process nothing starts by itself.
    if (is(element, 'bpmn:StartEvent'))
      return kind.type === 'bpmn:StartEvent' && !is(element.parent, 'bpmn:SubProcess');
    if (is(element, 'bpmn:EndEvent')) return kind.type === 'bpmn:EndEvent';
    return is(element, 'bpmn:IntermediateEvent') || is(element, 'bpmn:Event')
      ? kind.type.startsWith('bpmn:Intermediate')
      : false;
  };
  return KINDS.filter((kind) => kind !== own && alike(kind));
}
