/** The parts of the diagram library that our diagrams speak to, and how one looks at a drawing. */
import type { Element } from './diagram';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Canvas {
  zoom(level: number | 'fit-viewport', center?: 'auto'): number;
  zoom(): number;
  /** Tells it that its frame has another size. */
  resized(): void;
  /** `inner` holds all that is drawn; `outer` is the frame's size. */
  viewbox(box?: Box): Box & { inner: Box; outer: Box };
  addMarker(element: string, marker: string): void;
  removeMarker(element: string, marker: string): void;
}

interface Shape extends Box {
  id: string;
  type: string;
  /** Of a flow. */
  waypoints?: readonly { x: number; y: number }[];
}

export interface Registry {
  get(id: string): Shape | undefined;
}

export interface Overlays {
  add(element: string, overlay: object): string;
  add(element: string, type: string, overlay: object): string;
  remove(filter: { type: string }): void;
}

export interface Selection {
  select(shape: Shape | null): void;
}

/** What a listener may be told, as far as ours ask. */
export interface Told {
  elementsById?: Record<string, Element>;
  definitions?: object;
  element?: { id: string; labelTarget?: { id: string } };
  viewbox?: Box;
}

export interface Events {
  on(event: string, listener: (event: Told) => void): void;
  off(event: string, listener: (event: Told) => void): void;
}

/** Anything of the library that its parts are asked of. */
export interface Parts {
  get<Part>(name: string): Part;
}

const CLOSE = 0.85;
/** Pixels between what is drawn and the frame. */
const AIR = 24;
const [SMALLEST, LARGEST] = [0.2, 3];

/** At this scale names are read. */
export const LEGIBLE = 0.7;

/** Of what hangs on a step: legible when one stands far off, never larger than the step. */
export const AT_ANY_ZOOM = { show: { minZoom: 0, maxZoom: 5 }, scale: { min: 0.6, max: 1.2 } };

export function badge(text: string, className: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.textContent = text;
  return element;
}

/** The whole, with a little air: the browser's own fit cuts the outermost lines. Returns the scale. */
export function showAll(canvas: Canvas): number {
  return canvas.zoom(canvas.zoom('fit-viewport', 'auto') * 0.95, 'auto');
}

/**
 * The whole where its scale is `least` or larger; else its beginning at the scale `near`, or as far from it as brings
 * `from` into sight: never beyond the edges of what is drawn.
 */
export function openAt(parts: Parts, least: number, near: number, from?: string): void {
  const canvas = parts.get<Canvas>('canvas');
  if (showAll(canvas) >= least) return;
  const { inner, outer } = canvas.viewbox();
  const [width, height] = [outer.width / near, outer.height / near];
  const shape = from ? parts.get<Registry>('elementRegistry').get(from) : undefined;
  const at = (start: number, room: number, length: number, middle: number) => {
    const edge = AIR / near;
    if (length + 2 * edge <= room) return start - (room - length) / 2;
    return Math.max(start - edge, Math.min(middle - room / 2, start + length + edge - room));
  };
  canvas.viewbox({
    x: at(inner.x, width, inner.width, shape ? shape.x + shape.width / 2 : inner.x),
    y: at(inner.y, height, inner.height, shape ? shape.y + shape.height / 2 : inner.y + inner.height / 2),
    width,
    height,
  });
}

/** Of what is drawn the height in pixels with the whole width in sight, and air. */
export function heightOf(canvas: Canvas): number {
  const { inner, outer } = canvas.viewbox();
  const scale = Math.min(1, outer.width / (inner.width + 2 * AIR));
  return Math.ceil(inner.height * scale + 2 * AIR);
}

/** Larger or smaller about the middle, as far as it makes sense. */
export function zoomBy(canvas: Canvas, factor: number): void {
  canvas.zoom(Math.min(LARGEST, Math.max(SMALLEST, canvas.zoom() * factor)), 'auto');
}

/** Puts an element into the middle, large enough to be read; false when it is not drawn. */
export function lookAt(parts: Parts, id: string | undefined): boolean {
  const shape = id && parts.get<Registry>('elementRegistry').get(id);
  if (!shape) return false;
  const middle = shape.waypoints?.[Math.floor(shape.waypoints.length / 2)] ?? {
    x: shape.x + shape.width / 2,
    y: shape.y + shape.height / 2,
  };
  if (!Number.isFinite(middle.x)) return false;
  const canvas = parts.get<Canvas>('canvas');
  const { outer } = canvas.viewbox();
  const [width, height] = [outer.width / CLOSE, outer.height / CLOSE];
  canvas.viewbox({ x: middle.x - width / 2, y: middle.y - height / 2, width, height });
  return true;
}
