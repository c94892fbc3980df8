/** A file before it is imported: whether it can be drawn here, and what the reader does not know. */
import type { ModdleElement } from 'bpmn-js/lib/model/Types';
import { type Drawing, processOf } from './drawing';

export interface Read {
  /** With the key of the draft that it comes into. */
  xml: string;
  key: string;
  /** The file's own key, where it was another one. */
  oldKey?: string;
  /** Why it cannot be drawn: no BPMN, no process or several, or nothing that says where things stand. */
  refused?: 'notBpmn' | 'oneProcess' | 'noDiagram';
  /** Attributes and elements without a meaning here; they stay in the file. */
  unknown: readonly string[];
}

interface Moddle {
  fromXML: (xml: string) => Promise<{ rootElement: ModdleElement; warnings: { message: string }[] }>;
  toXML: (element: ModdleElement, options: object) => Promise<{ xml: string }>;
}

export async function readFile(drawing: Drawing, text: string): Promise<Read> {
  const moddle = drawing.get<Moddle>('moddle');
  const key: string = processOf(drawing)?.id ?? '';
  const refused = (why: Read['refused']): Read => ({ xml: text, key, refused: why, unknown: [] });
  let parsed: Awaited<ReturnType<Moddle['fromXML']>>;
  try {
    parsed = await moddle.fromXML(text);
  } catch {
    return refused('notBpmn');
  }
  const { rootElement, warnings } = parsed;
  const processes = ((rootElement.rootElements ?? []) as ModdleElement[]).filter(
    ({ $type }) => $type === 'bpmn:Process',
  );
  const [process] = processes;
  if (!process || processes.length > 1) return refused('oneProcess');
  if (!rootElement.diagrams?.length) return refused('noDiagram');
  const oldKey: string = process.id;
  process.id = key;
  const { xml } = await moddle.toXML(rootElement, { format: true });
  return {
    xml,
    key,
    oldKey: oldKey === key ? undefined : oldKey,
    // Their sentences are English; the names in them are the file's own.
    unknown: warnings.map(({ message }) => /<([^>]+)>/.exec(message)?.[1] ?? message),
  };
}
