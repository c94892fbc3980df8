/** What the library would drop or move when it reads a file stays as the file says. */
import type { ModdleElement } from 'bpmn-js/lib/model/Types';

interface Result {
  rootElement: ModdleElement;
  elementsById: Record<string, ModdleElement>;
  warnings: { element?: ModdleElement; property?: string; value?: string }[];
}

interface Property {
  name: string;
  isAttr?: boolean;
  isMany?: boolean;
  ns: { localName: string };
}

export interface Reader {
  fromXML: (...read: unknown[]) => Promise<Result>;
}

/** What people draw and choose here: a name that leads nowhere must not come back once they have chosen another. */
const CHOSEN = new Set(['sourceRef', 'targetRef', 'attachedToRef', 'default', 'messageRef']);

export function readWhole(reader: Reader): void {
  const fromXML = reader.fromXML.bind(reader);
  reader.fromXML = async (...read) => {
    const result = await fromXML(...read);
    for (const { element, property, value } of result.warnings)
      if (element && property && value) keep(element, property, value, result);
    for (const { plane } of (result.rootElement.diagrams ?? []) as ModdleElement[]) expand(plane);
    return result;
  };
}

/**
 * A sub-process of which nobody says that it is open is open where its steps are drawn beside it, as Flowable does; the
 * library would close it and move them to a drawing of their own.
 */
function expand(plane: ModdleElement | undefined): void {
  const shapes: ModdleElement[] = plane?.planeElement ?? [];
  const drawn = new Set(shapes.map(({ bpmnElement }) => bpmnElement?.$parent));
  for (const shape of shapes)
    if (/SubProcess$|Transaction$/.test(shape.bpmnElement?.$type ?? '') && shape.isExpanded === undefined)
      if (drawn.has(shape.bpmnElement)) shape.isExpanded = true;
}

/** What refers to something outside of the file, as `xsd:string` does, is not resolved. */
function keep(element: ModdleElement, name: string, value: string, file: Result): void {
  const property: Property | undefined = element.$descriptor.propertiesByName[name];
  // The list of several is another engine's variable; the writer asks for nothing but the id.
  if (property?.ns.localName === 'loopDataInputRef') element.set(name, { id: value });
  if (!property?.isAttr || property.isMany) return;
  const { rootElement: root, elementsById } = file;
  const [, prefix, id = ''] = /^([^:]+):(.+)$/.exec(value) ?? [];
  // With the prefix of the file's own namespace it is another way to write the id.
  const isOwn = prefix !== undefined && root.$attrs[`xmlns:${prefix}`] === root.targetNamespace;
  if (isOwn && elementsById[id]) element.set(name, elementsById[id]);
  else if (!CHOSEN.has(property.ns.localName)) element.$attrs[property.ns.localName] = value;
}
