/** Where the run stands, on the canvas: what is behind, where tokens are, how many, and the token that moves. */
import type Canvas from 'diagram-js/lib/core/Canvas';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type Overlays from 'diagram-js/lib/features/overlays/Overlays';
import { useEffect } from 'react';
import { useTranslation } from '@/i18n';
import { COLOURS } from '../../diagram';
import type { Drawing } from '../canvas/drawing';
import { useDesigner } from '../context';
import { type Point, travel } from './motion';
import { type Progress, progressOf, type Step } from './run';

const OVERLAY = 'dryrun';
const DONE = 'x-run-done';
const NOW = 'x-run-now';
const FRAME = 'x-run-frame';
/** Above the drawing, below the overlays. */
const LAYER = 'dryrun';
const ON_TOP = 10;

function badge(count: number, title: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'x-run-token';
  element.textContent = String(count);
  element.title = title;
  return element;
}

function paint(drawing: Drawing, progress: Progress, say: (n: number) => string): () => void {
  const canvas = drawing.get<Canvas>('canvas');
  const registry = drawing.get<ElementRegistry>('elementRegistry');
  const overlays = drawing.get<Overlays>('overlays');
  const container = canvas.getContainer();
  for (const [phase, { stroke, fill }] of Object.entries(COLOURS)) {
    container.style.setProperty(`--x-run-${phase}`, stroke);
    container.style.setProperty(`--x-run-${phase}-ground`, fill);
  }
  const marked: [string, string][] = [];
  const mark = (id: string, marker: string) => {
    const shape = registry.get(id) as { type: string; collapsed?: boolean } | undefined;
    if (!shape) return;
    // A frame round other steps keeps a white ground, so that what is inside stays readable.
    const isFrame = shape.type === 'bpmn:SubProcess' && !shape.collapsed;
    for (const name of isFrame ? [marker, FRAME] : [marker]) {
      canvas.addMarker(id, name);
      marked.push([id, name]);
    }
  };
  for (const id of progress.flows.keys()) mark(id, DONE);
  for (const id of progress.passed.keys()) if (!progress.tokens.has(id)) mark(id, DONE);
  for (const [id, count] of progress.tokens) {
    mark(id, NOW);
    if (registry.get(id))
      overlays.add(id, OVERLAY, { position: { top: -14, right: 12 }, html: badge(count, say(count)) });
  }
  return () => {
    for (const [id, marker] of marked) if (registry.get(id)) canvas.removeMarker(id, marker);
    overlays.remove({ type: OVERLAY });
  };
}

/** Shows the steps on the canvas for as long as it is asked to. */
export function useMarks(steps: readonly Step[] | undefined): void {
  const { t } = useTranslation();
  const { drawing } = useDesigner();
  useEffect(
    () => (steps ? paint(drawing, progressOf(steps), (n) => t('dryrun.tokens', { n })) : undefined),
    [drawing, steps, t],
  );
}

/** Lets a token move over the flow; resolves at once where it is not drawn. */
export function moveAlong(drawing: Drawing, flow: string, signal: AbortSignal): Promise<void> {
  const connection = drawing.get<ElementRegistry>('elementRegistry').get(flow);
  const waypoints = (connection as { waypoints?: Point[] } | undefined)?.waypoints ?? [];
  const layer = drawing.get<Canvas>('canvas').getLayer(LAYER, ON_TOP) as SVGElement;
  return travel(layer, waypoints, signal);
}
