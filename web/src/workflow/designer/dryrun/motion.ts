/** A token that moves along the flows taken, as a dot on the canvas. */

export interface Point {
  x: number;
  y: number;
}

/** Pixels of the drawing a second. */
const SPEED = 420;
const [SHORTEST, LONGEST] = [220, 1200];
const RADIUS = 8;
const SVG = 'http://www.w3.org/2000/svg';

function distance(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

function lengthOf(points: readonly Point[]): number {
  return points.reduce(
    (sum, point, index) => sum + distance(points[Math.max(index - 1, 0)] ?? point, point),
    0,
  );
}

/** The point after this part (0 to 1) of the way. */
export function pointAt(points: readonly Point[], part: number): Point {
  let left = lengthOf(points) * Math.min(Math.max(part, 0), 1);
  for (const [index, to] of points.entries()) {
    const from = points[index - 1];
    if (!from) continue;
    const step = distance(from, to);
    if (left <= step) {
      const share = step === 0 ? 0 : left / step;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    }
    left -= step;
  }
  return points.at(-1) ?? { x: 0, y: 0 };
}

/** Milliseconds that a token takes for a way. */
export function timeFor(points: readonly Point[]): number {
  return Math.min(Math.max((lengthOf(points) / SPEED) * 1000, SHORTEST), LONGEST);
}

export function wantsRest(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Moves a dot along the way inside the layer; resolves when it is there or was told to stop. */
export function travel(layer: SVGElement, points: readonly Point[], signal: AbortSignal): Promise<void> {
  if (points.length < 2 || signal.aborted) return Promise.resolve();
  const dot = document.createElementNS(SVG, 'circle');
  dot.setAttribute('r', String(RADIUS));
  dot.setAttribute('class', 'x-run-dot');
  layer.append(dot);
  const time = timeFor(points);
  return new Promise((resolve) => {
    let began: number | undefined;
    const frame = (now: number) => {
      began ??= now;
      const part = (now - began) / time;
      if (part >= 1 || signal.aborted) {
        dot.remove();
        resolve();
        return;
      }
      const { x, y } = pointAt(points, part);
      dot.setAttribute('cx', String(x));
      dot.setAttribute('cy', String(y));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** A pause that ends early when it is told to. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
