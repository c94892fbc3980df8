/** A parsed drawing as plain data that two drawings can be compared by: its elements, what each says, where each stands. */
import type { Property, Segment } from './property';
import { formProperties } from './readForm';

/** As much of a moddle element as is read here: one that its package describes, or a generic one of an extension. */
export interface Moddle {
  readonly $type: string;
  readonly $attrs?: Readonly<Record<string, string>>;
  readonly $descriptor?: { readonly properties?: readonly Description[] };
  readonly $children?: readonly Moddle[];
  readonly $body?: string;
  readonly [name: string]: unknown;
}

interface Description {
  readonly name: string;
  readonly isReference?: boolean;
  readonly isBody?: boolean;
}

export interface Place {
  /** Top left corner; of a flow its first point. */
  readonly x: number;
  readonly y: number;
  /** Width and height; of a flow the way from its first point on. */
  readonly shape: string;
}

/** An element of the drawing. */
export interface Part {
  readonly id: string;
  /** Without its prefix, such as `UserTask`. */
  readonly type: string;
  readonly name: string;
  readonly nameEn: string;
  /** Id of what it stands in, or sits on. */
  readonly parent: string;
  readonly source: string;
  readonly target: string;
  readonly properties: ReadonlyMap<string, Property>;
  /** None for what is not drawn, such as a message. */
  readonly place?: Place;
}

export type Drawing = ReadonlyMap<string, Part>;

const CONTENT = [
  'rootElements',
  'flowElements',
  'artifacts',
  'laneSets',
  'lanes',
  'childLaneSet',
  'participants',
  'messageFlows',
] as const;
/** Told elsewhere: as elements, as flows, or as nothing that anybody drew. */
const PASSED_OVER = new Set<string>([
  ...CONTENT,
  'id',
  'incoming',
  'outgoing',
  'extensionElements',
  'diagrams',
  'di',
]);

const isModdle = (value: unknown): value is Moddle =>
  typeof value === 'object' && value !== null && '$type' in value;
const listOf = (value: unknown): readonly Moddle[] =>
  (Array.isArray(value) ? value : [value]).filter(isModdle);
const local = (name: string) => name.slice(name.lastIndexOf(':') + 1);
const idOf = (value: unknown): string => (isModdle(value) && typeof value.id === 'string' ? value.id : '');
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Collects the properties of one element under keys that stay the same from one drawing to the other. */
class Properties {
  readonly found = new Map<string, Property>();

  add(path: readonly Segment[], kind: Property['kind'], value: string): void {
    const way = path.map(({ key, name }) => (name === undefined ? key : `${key}=${name}`)).join('/');
    let key = way;
    for (let n = 2; this.found.has(key); n += 1) key = `${way}~${n}`;
    this.found.set(key, { path, kind, value });
  }

  value(path: readonly Segment[], value: unknown): void {
    if (typeof value === 'boolean') this.add(path, 'flag', String(value));
    else if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''))
      this.add(path, 'text', String(value).trim());
  }

  /** What an element says of itself; what stands in it is an element of its own. */
  element(element: Moddle, path: readonly Segment[]): void {
    const described = element.$descriptor?.properties;
    if (described) {
      for (const description of described) this.described(element, description, path);
      for (const [name, value] of Object.entries(element.$attrs ?? {})) this.attribute(name, value, path);
      for (const extension of listOf(element.extensionElements))
        for (const value of listOf(extension.values)) this.child(value, path);
      return;
    }
    // What it is told apart by stands in the path.
    for (const [name, value] of Object.entries(element))
      if (!name.startsWith('$') && value !== path.at(-1)?.name) this.attribute(name, value, path);
    this.value(path, element.$body);
    for (const child of element.$children ?? []) this.child(child, path);
  }

  private attribute(name: string, value: unknown, path: readonly Segment[]): void {
    if (!/^(xmlns|xsi)(:|$)/.test(name)) this.value([...path, { key: local(name) }], value);
  }

  private described(
    element: Moddle,
    { name, isReference, isBody }: Description,
    path: readonly Segment[],
  ): void {
    if (PASSED_OVER.has(name)) return;
    const value = element[name];
    const own = isBody ? path : [...path, { key: name }];
    if (isReference) {
      const ids = listOf(value).map(idOf).filter(Boolean).sort();
      if (ids.length > 0) this.add(own, 'parts', ids.join(','));
    } else if (Array.isArray(value)) {
      for (const child of listOf(value)) this.child(child, path);
    } else if (isModdle(value)) this.nested(value, own);
    else this.value(own, value);
  }

  /** One of several children: told apart by what it calls itself. */
  private child(child: Moddle, path: readonly Segment[]): void {
    const own = child.$descriptor?.properties ? [child.name] : [child.id, child.key, child.name, child.event];
    const name = own.find((one) => typeof one === 'string' && one !== '');
    const key = local(child.$type);
    const segment = { key: `${key[0]?.toLowerCase()}${key.slice(1)}`, name: name as string | undefined };
    if (segment.key === 'form' && child.$body !== undefined) {
      const drawn = formProperties(child.$body, [...path, segment]);
      if (drawn) {
        for (const property of drawn) this.add(property.path, property.kind, property.value);
        return;
      }
    }
    this.nested(child, [...path, segment]);
  }

  private nested(element: Moddle, path: readonly Segment[]): void {
    const before = this.found.size;
    this.element(element, path);
    // A timer without a time is still a timer.
    if (this.found.size === before) this.add(path, 'whole', '');
  }
}

interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

function placesOf(definitions: Moddle): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const diagram of listOf(definitions.diagrams)) {
    for (const plane of listOf(diagram.plane)) {
      for (const drawn of listOf(plane.planeElement)) {
        const bounds = drawn.bounds as Bounds | undefined;
        const points = (drawn.waypoint ?? []) as readonly { x: number; y: number }[];
        const first = bounds ?? points[0];
        if (!first) continue;
        const shape = bounds
          ? `${bounds.width}x${bounds.height}`
          : points.map(({ x, y }) => `${x - first.x},${y - first.y}`).join(' ');
        places.set(idOf(drawn.bpmnElement), { x: first.x, y: first.y, shape });
      }
    }
  }
  return places;
}

/** Reads the tree that bpmn-moddle makes of a file. It must be as it was parsed, before names were put into another language. */
export function read(definitions: Moddle): Drawing {
  const places = placesOf(definitions);
  const parts = new Map<string, Part>();

  const visit = (container: Moddle, parent: string) => {
    for (const element of CONTENT.flatMap((name) => listOf(container[name]))) {
      const id = idOf(element);
      const type = local(element.$type);
      const counts = id !== '' && type !== 'LaneSet';
      if (counts) {
        const properties = new Properties();
        properties.element(element, []);
        parts.set(id, {
          id,
          type,
          name: textOf(element.name) || textOf(element.text),
          nameEn: textOf(
            Object.entries(element.$attrs ?? {}).find(([name]) => local(name) === 'nameEn')?.[1],
          ),
          parent: idOf(element.attachedToRef) || parent,
          source: idOf(element.sourceRef),
          target: idOf(element.targetRef),
          properties: properties.found,
          place: places.get(id),
        });
      }
      visit(element, counts ? id : parent);
    }
  };
  visit(definitions, '');
  return parts;
}
