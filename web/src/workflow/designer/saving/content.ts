/** What of a drawing is saved, and a drawing under another key. */
import type { ModdleElement } from 'bpmn-js/lib/model/Types';
import type { Drawing } from '../canvas/drawing';
import { processOf, xmlOf } from '../canvas/drawing';
import type { Content } from './Saver';

/** The draft is called as the process is. */
export async function contentOf(drawing: Drawing, name: string): Promise<Content> {
  const xml = await xmlOf(drawing);
  const process = processOf(drawing);
  return { xml, name: process?.name?.trim() || name, modelKey: process?.id ?? '' };
}

interface Moddle {
  fromXML: (xml: string) => Promise<{ rootElement: ModdleElement }>;
  toXML: (element: ModdleElement, options: object) => Promise<{ xml: string }>;
}

/** The same drawing as a process with another key; what is on the canvas stays as it is. */
export async function underKey(drawing: Drawing, { xml, name }: Content, key: string): Promise<Content> {
  const moddle = drawing.get<Moddle>('moddle');
  const { rootElement } = await moddle.fromXML(xml);
  const process = (rootElement.rootElements as ModdleElement[]).find(({ $type }) => $type === 'bpmn:Process');
  process.id = key;
  return { xml: (await moddle.toXML(rootElement, { format: true })).xml, name, modelKey: key };
}
