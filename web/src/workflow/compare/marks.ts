/** Differences on the two diagrams: a frame by colour and a sign at each, both diagrams moved as one. */
import {
  AT_ANY_ZOOM,
  type Box,
  badge,
  type Canvas,
  type Events,
  type Overlays,
  type Parts,
  type Registry,
  type Selection,
} from '../canvas';
import type { Difference, Kind } from './diff';

export const SIGNS: Readonly<Record<Kind, string>> = { added: '+', removed: '−', changed: '≠', moved: '↔' };

const TYPE = 'x-difference';

/** Marks what `parts` shows of the differences; returns the way to take the marks off. */
export function mark(
  parts: Parts,
  differences: readonly Difference[],
  word: (kind: Kind) => string,
): () => void {
  const [shapes, canvas] = [parts.get<Registry>('elementRegistry'), parts.get<Canvas>('canvas')];
  const overlays = parts.get<Overlays>('overlays');
  const here = differences.filter(({ part }) => shapes.get(part.id));
  for (const { kind, part } of here) {
    canvas.addMarker(part.id, `x-compare-${kind}`);
    const html = badge(SIGNS[kind], `x-compare-sign x-compare-sign-${kind}`);
    html.title = word(kind);
    overlays.add(part.id, TYPE, { ...AT_ANY_ZOOM, position: { top: -10, left: -10 }, html });
  }
  return () => {
    overlays.remove({ type: TYPE });
    for (const { kind, part } of here)
      if (shapes.get(part.id)) canvas.removeMarker(part.id, `x-compare-${kind}`);
  };
}

/** Shows as chosen what is drawn of it. */
export function choose(parts: Parts, id: string): void {
  const shape = parts.get<Registry>('elementRegistry').get(id);
  parts.get<Selection>('selection').select(shape ?? null);
}

const AIR = 20;

/** What shows both drawings whole. */
function around(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x) - AIR, Math.min(one.y, other.y) - AIR];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x + AIR,
    height: Math.max(one.y + one.height, other.y + other.height) - y + AIR,
  };
}

/** With as much at either side as the frame has room for: what is asked for is shown from its upper left corner. */
function inMiddle(box: Box, outer: { width: number; height: number }): Box {
  const scale = Math.min(outer.width / box.width, outer.height / box.height) || 1;
  const [width, height] = [outer.width / scale, outer.height / scale];
  return { x: box.x - (width - box.width) / 2, y: box.y - (height - box.height) / 2, width, height };
}

/** Where one looks in the one diagram, the other one shows too. */
export function moveTogether(one: Parts, other: Parts): void {
  let following = false;
  const lead = (leader: Parts, follower: Parts) =>
    leader.get<Events>('eventBus').on('canvas.viewbox.changed', ({ viewbox }) => {
      if (following || !viewbox) return;
      following = true;
      const { x, y, width, height } = viewbox;
      follower.get<Canvas>('canvas').viewbox({ x, y, width, height });
      following = false;
    });
  lead(one, other);
  lead(other, one);
  const canvas = one.get<Canvas>('canvas');
  const { inner, outer } = canvas.viewbox();
  canvas.viewbox(inMiddle(around(inner, other.get<Canvas>('canvas').viewbox().inner), outer));
}
