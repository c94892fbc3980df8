/** Puts new elements into the drawing: under the pointer, behind another one, on a border, or where one looks. */

import { getNewShapePosition } from 'bpmn-js/lib/features/auto-place/BpmnAutoPlaceUtil';
import type ElementFactory from 'bpmn-js/lib/features/modeling/ElementFactory';
import type Modeling from 'bpmn-js/lib/features/modeling/Modeling';
import type BpmnReplace from 'bpmn-js/lib/features/replace/BpmnReplace';
import type { Connection, Element, Root, Shape } from 'bpmn-js/lib/model/Types';
import { is } from 'bpmn-js/lib/util/ModelUtil';
import type Canvas from 'diagram-js/lib/core/Canvas';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type EventBus from 'diagram-js/lib/core/EventBus';
import type AutoPlace from 'diagram-js/lib/features/auto-place/AutoPlace';
import type Create from 'diagram-js/lib/features/create/Create';
import type Selection from 'diagram-js/lib/features/selection/Selection';
import { isConnection } from 'diagram-js/lib/util/ModelUtil';
import type { Point } from 'diagram-js/lib/util/Types';
import type DirectEditing from 'diagram-js-direct-editing/lib/DirectEditing';
import type { Kind } from './kinds';
import type { TogetherCommand } from './together';

/** Where the start event stands in a new sub-process. */
const INNER_START = { x: 40, y: 82 };
const SPACE = 46;
/** Pixels between one step and the next. */
const STEP = 50;
/** Before the library's own answers, which look at what the source is connected to and at nothing else. */
const FIRST = 2500;
const [GAP, GRID] = [20, 10];

const upTo = (length: number) => Math.ceil(length / GRID) * GRID;

export class Placing {
  static $inject = [
    'elementFactory',
    'create',
    'autoPlace',
    'modeling',
    'bpmnReplace',
    'canvas',
    'selection',
    'directEditing',
    'together',
    'eventBus',
    'elementRegistry',
  ];

  constructor(
    private readonly factory: ElementFactory,
    private readonly create: Create,
    private readonly autoPlace: AutoPlace,
    private readonly modeling: Modeling,
    private readonly bpmnReplace: BpmnReplace,
    private readonly canvas: Canvas,
    private readonly selection: Selection,
    private readonly directEditing: DirectEditing,
    private readonly together: TogetherCommand,
    events: EventBus,
    private readonly registry: ElementRegistry,
  ) {
    events.on('autoPlace', FIRST, ({ source, shape }: { source: Shape; shape: Shape }) => {
      const wanted = getNewShapePosition(source, shape, registry);
      const free = is(shape, 'bpmn:FlowNode') ? this.free(wanted, shape, source) : wanted;
      return free === wanted ? undefined : free;
    });
  }

  /** The nearest place, straight below or above, on which nothing stands. */
  private free(wanted: Point, { width, height }: Shape, source: Shape): Point {
    const around = new Set<unknown>();
    for (let one = source.parent; one; one = one.parent) around.add(one);
    const others = this.registry.filter(
      (one) => Boolean(one.parent) && !isConnection(one) && !around.has(one),
    ) as Shape[];
    const over = ({ x, y }: Point) =>
      others.filter(
        (one) =>
          Math.abs(one.x + one.width / 2 - x) < (one.width + width) / 2 + GAP &&
          Math.abs(one.y + one.height / 2 - y) < (one.height + height) / 2 + GAP,
      );
    const beyond = (place: Point, side: 1 | -1): Point => {
      const edges = over(place).map((one) => (side > 0 ? one.y + one.height : -one.y));
      if (edges.length === 0) return place;
      return beyond({ x: place.x, y: side * (upTo(Math.max(...edges) + GAP) + height / 2) }, side);
    };
    const [below, above] = [beyond(wanted, 1), beyond(wanted, -1)];
    return below.y - wanted.y <= wanted.y - above.y ? below : above;
  }

  shapeOf({ type, eventDefinitionType, cancelActivity }: Kind): Shape {
    return this.factory.createShape({
      type,
      ...(eventDefinitionType && { eventDefinitionType }),
      ...(cancelActivity !== undefined && { cancelActivity }),
      ...(type === 'bpmn:SubProcess' && { isExpanded: true }),
    }) as Shape;
  }

  /** Begins to drag a new element; from `source` it will be connected to it. */
  drag(event: Event, kind: Kind, source?: Element): void {
    const shape = this.shapeOf(kind);
    if (kind.type !== 'bpmn:SubProcess' || source) {
      this.create.start(event, shape, source && { source });
      return;
    }
    const start = this.factory.createShape({ type: 'bpmn:StartEvent', ...INNER_START, parent: shape });
    this.create.start(event, [shape, start], { hints: { autoSelect: [shape] } });
  }

  /**
   * Puts it behind `source`, connected: as the next step. Where one way leads on from there it comes between; only from
   * a gateway, or to an end, it is a second way.
   */
  append(source: Element, kind: Kind): void {
    let made: Shape | undefined;
    this.together.run(() => {
      const way = this.onlyWay(source, kind);
      made = way
        ? this.insert(source as Shape, way, this.shapeOf(kind))
        : (this.autoPlace.append(source as Shape, this.shapeOf(kind)) as Shape);
      this.fill(made);
    });
    this.show(made);
  }

  private onlyWay(source: Element, { type }: Kind): Connection | undefined {
    const ways = ((source as Shape).outgoing ?? []).filter((one) => is(one, 'bpmn:SequenceFlow'));
    const goesOn = !/EndEvent|Annotation|Group/.test(type) && !is(source, 'bpmn:Gateway');
    return goesOn && ways.length === 1 ? (ways[0] as Connection) : undefined;
  }

  /** Puts it into the way; what stands behind in the same line moves as far as it needs. */
  private insert(source: Shape, way: Connection, shape: Shape): Shape {
    const target = way.target as Shape;
    const [from, level] = [source.x + source.width, source.y + source.height / 2];
    const parent = source.parent as Shape;
    let place = this.free(getNewShapePosition(source, shape, this.registry), shape, source);
    if (target.x >= from && Math.abs(target.y + target.height / 2 - level) < 1) {
      const lack = upTo(from + shape.width + 2 * STEP - target.x);
      const behind = (parent.children as Element[]).filter(
        (one) => !isConnection(one) && !one.labelTarget && (one as Shape).x >= from,
      );
      if (lack > 0) this.modeling.moveElements(behind, { x: lack, y: 0 });
      place = { x: Math.round((from + target.x) / 2), y: level };
    }
    const made = this.modeling.createShape(shape, place, parent) as Shape;
    this.modeling.reconnectEnd(way, made, place);
    this.modeling.connect(made, target);
    return made;
  }

  connect(source: Element, target: Element): void {
    this.modeling.connect(source, target);
  }

  /** Puts it on the lower border, beside what sits there. */
  attach(host: Element, kind: Kind): void {
    const { x, y, width, height, attachers = [] } = host as Shape;
    const room = Math.max(1, Math.floor((width - SPACE / 2) / SPACE));
    const place = { x: x + width - SPACE / 2 - (attachers.length % room) * SPACE, y: y + height };
    this.show(this.modeling.createShape(this.shapeOf(kind), place, host as Shape, { attach: true }) as Shape);
  }

  /** Puts it into the middle of what is in sight. */
  place(kind: Kind): void {
    const { x, y, width, height } = this.canvas.viewbox();
    const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    let made: Shape | undefined;
    this.together.run(() => {
      made = this.modeling.createShape(
        this.shapeOf(kind),
        middle,
        this.canvas.getRootElement() as Root,
      ) as Shape;
      this.fill(made);
    });
    this.show(made);
  }

  turnInto(element: Element, { type, eventDefinitionType, cancelActivity }: Kind): void {
    this.bpmnReplace.replaceElement(element, {
      type,
      ...(eventDefinitionType && { eventDefinitionType }),
      ...(cancelActivity !== undefined && { cancelActivity }),
      ...(type === 'bpmn:SubProcess' && { isExpanded: true }),
    } as Parameters<BpmnReplace['replaceElement']>[1]);
  }

  /** A sub-process begins with a start event. */
  private fill(shape: Shape): void {
    if (shape.type !== 'bpmn:SubProcess') return;
    const start = this.factory.createShape({ type: 'bpmn:StartEvent' });
    this.modeling.createShape(
      start,
      { x: shape.x + INNER_START.x + start.width / 2, y: shape.y + INNER_START.y + start.height / 2 },
      shape,
    );
  }

  /** Chooses it, and where names are written inside lets one type. */
  private show(shape: Shape | undefined): void {
    if (!shape) return;
    this.selection.select(shape);
    this.canvas.scrollToElement(shape);
    if (/Task$|SubProcess$|Annotation$/.test(shape.type)) this.directEditing.activate(shape);
  }
}
