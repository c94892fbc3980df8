/** The library's modeler with our dialect of BPMN: made, filled, and read back. */

import Modeler from 'bpmn-js/lib/Modeler';
import type { Element, ModdleElement } from 'bpmn-js/lib/model/Types';
import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type EventBus from 'diagram-js/lib/core/EventBus';
import xw from '../xw.json';
import { drawingTools, showing } from '.';
import { type Reader, readWhole } from './reading';

export type Drawing = Modeler | NavigatedViewer;

export interface Options {
  container: HTMLElement;
  readOnly: boolean;
}

/** Ink on a white sheet: colours that drawings bring along were chosen for that. */
const INK = { defaultFillColor: '#ffffff', defaultStrokeColor: '#27323d', defaultLabelColor: '#1b2530' };

export function makeDrawing({ container, readOnly }: Options): Drawing {
  const options = {
    container,
    bpmnRenderer: INK,
    moddleExtensions: { xw },
    additionalModules: readOnly ? [showing] : [showing, ...drawingTools],
  };
  const drawing = readOnly ? new NavigatedViewer(options) : new Modeler(options);
  readWhole(drawing.get<Reader>('moddle'));
  return drawing;
}

/** Whether it is a modeler: a viewer cannot be drawn on. */
export function canBeDrawn(drawing: Drawing): boolean {
  return drawing instanceof Modeler;
}

interface Registry {
  get: (id: string) => Element | undefined;
}

interface Selection {
  get: () => Element[];
  select: (elements: Element | Element[] | null) => void;
}

interface Canvas {
  getRootElement: () => Element;
  scrollToElement: (element: Element, padding?: number) => void;
}

/** The one element chosen, else the process. */
export function selectedIn(drawing: Drawing): Element | undefined {
  const [first, ...others] = drawing.get<Selection>('selection').get();
  if (!first || others.length > 0) return drawing.get<Canvas>('canvas').getRootElement();
  return (first as Element & { labelTarget?: Element }).labelTarget ?? first;
}

export function selectIn(drawing: Drawing, id: string): void {
  const element = drawing.get<Registry>('elementRegistry').get(id);
  drawing.get<Selection>('selection').select(element ?? null);
  if (element) drawing.get<Canvas>('canvas').scrollToElement(element, 120);
}

/** Draws everything anew, after the language has changed. */
export function speakAnew(drawing: Drawing): void {
  const events = drawing.get<EventBus>('eventBus');
  const elements = drawing
    .get<ElementRegistry>('elementRegistry')
    .filter((element) => Boolean(element.parent));
  events.fire('i18n.changed');
  events.fire('elements.changed', { elements });
}

/** The root of the file. */
export function definitionsOf(drawing: Drawing): ModdleElement {
  return (drawing as Drawing & { getDefinitions: () => ModdleElement }).getDefinitions();
}

/** The business object of the process that is drawn; the first one where it stands in a pool. */
export function processOf(drawing: Drawing): ModdleElement | undefined {
  const { rootElements } = definitionsOf(drawing);
  return (rootElements as ModdleElement[]).find(({ $type }) => $type === 'bpmn:Process');
}

export async function xmlOf(drawing: Drawing): Promise<string> {
  const { xml } = await drawing.saveXML({ format: true });
  return xml ?? '';
}
