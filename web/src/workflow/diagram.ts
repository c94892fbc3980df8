/** What a process has done, written into its drawing before it is drawn: names in the person's language, and colours. */
import type { Wire } from '@/api/wire';
import type { Language } from '@/site';

/** As much of a moddle element as is needed here. */
export interface Element {
  $type: string;
  $attrs?: Readonly<Record<string, string>>;
  id?: string;
  name?: string;
  bpmnElement?: Element;
  isExpanded?: boolean;
  /** Of a name that stands outside its shape, or at a flow. */
  label?: { bounds?: { x: number; width: number } };
  set: (name: string, value: string) => void;
}

export type Progress = Pick<Wire<'ModelView'>, 'done' | 'flows' | 'open' | 'returned'>;

/** Border and ground of what is behind, at work and ahead; legible on white and told apart by the badges too. */
export const COLOURS = {
  done: { stroke: '#17673a', fill: '#e3f4e8' },
  now: { stroke: '#0a58a8', fill: '#cfe4fd' },
  returned: { stroke: '#a8470a', fill: '#fdebd3' },
  ahead: { stroke: '#6b7682', fill: '#ffffff' },
} as const;

const ENGLISH = 'xw:nameEn';

function phaseOf(id: string, progress: Progress): keyof typeof COLOURS {
  if (progress.open.some(({ node }) => node === id)) return 'now';
  if (progress.returned.includes(id)) return 'returned';
  return (progress.done[id] ?? 0) > 0 || (progress.flows[id] ?? 0) > 0 ? 'done' : 'ahead';
}

const LETTER = 6;
const [PADDING, WIDEST] = [8, 90];

/** The drawing leaves room for Chinese names only: more for longer ones, so that words are not cut into pieces. */
function widen({ $type, label, bpmnElement }: Element): void {
  const bounds = label?.bounds;
  const name = bpmnElement?.name ?? '';
  if (!bounds) return;
  const width = Math.max(bounds.width, Math.min(WIDEST, name.length * LETTER + PADDING));
  // A flow's name stands at the right of its line and grows away from it; a shape's is centred.
  if ($type !== 'bpmndi:BPMNEdge') bounds.x -= (width - bounds.width) / 2;
  bounds.width = width;
}

/** Puts the names of a parsed drawing into the person's language, where it has them. */
export function localise(all: readonly Element[], language: Language): void {
  if (language !== 'en-US') return;
  for (const element of all) element.name = element.$attrs?.[ENGLISH] || element.name;
  all.forEach(widen);
}

/** Changes the parsed drawing in place. */
export function prepare(elements: Iterable<Element>, progress: Progress, language: Language): void {
  const all = [...elements];
  localise(all, language);
  for (const element of all) {
    const id = element.bpmnElement?.id;
    if (!id) continue;
    const { stroke, fill } = COLOURS[phaseOf(id, progress)];
    element.set('bioc:stroke', stroke);
    // A frame round other steps keeps a white ground, so that what is inside stays readable.
    if (element.$type === 'bpmndi:BPMNShape' && !element.isExpanded) element.set('bioc:fill', fill);
  }
}
