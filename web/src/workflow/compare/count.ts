/** How many elements of two drawings differ, without drawing them. */
import { compare, type Kind } from './diff';
import { type Moddle, read } from './read';

export type Counts = Readonly<Record<Kind, number>>;

interface Reader {
  fromXML: (xml: string) => Promise<{ rootElement: Moddle }>;
}

/** Loads the reader of drawings first; fails where one of the two is no drawing. */
export async function countDifferences(before: string, after: string): Promise<Counts> {
  const { default: Viewer } = await import('bpmn-js/lib/NavigatedViewer');
  const viewer = new Viewer();
  try {
    const reader = viewer.get<Reader>('moddle');
    const [old, now] = [await reader.fromXML(before), await reader.fromXML(after)];
    const counts = { added: 0, removed: 0, changed: 0, moved: 0 };
    for (const { kind } of compare(read(old.rootElement), read(now.rootElement))) counts[kind] += 1;
    return counts;
  } finally {
    viewer.destroy();
  }
}
