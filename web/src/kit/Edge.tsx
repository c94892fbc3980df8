/** The edge of a pane: dragged, or moved with the arrow keys, it makes the pane wider or narrower. */
import type { KeyboardEvent, PointerEvent } from 'react';

const STEP = 16;

interface EdgeProps {
  /** The side of the pane on which it lies. */
  side: 'left' | 'right';
  className: string;
  label: string;
  title?: string;
  /** Pixels; Home and End give the narrowest and the widest pane. */
  width: number;
  narrowest: number;
  widest: number;
  /** What is seen, where a narrow window shows less than `width`. */
  shown?: () => number;
  /** Is given a width between the two bounds. */
  onResize: (width: number) => void;
  onDoubleClick?: () => void;
}

export function Edge({ side, className, label, title, width, narrowest, widest, ...on }: EdgeProps) {
  const seen = on.shown ?? (() => width);
  const grows = side === 'right' ? 1 : -1;
  const resize = (to: number) => on.onResize(Math.round(Math.min(widest, Math.max(narrowest, to))));
  const drag = (event: PointerEvent<HTMLElement>) => {
    const [from, before] = [event.clientX, seen()];
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (move) => resize(before + grows * (move.clientX - from));
    handle.onpointerup = () => {
      handle.onpointermove = null;
    };
  };
  const nudge = (event: KeyboardEvent) => {
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: seen() - grows * STEP,
      ArrowRight: seen() + grows * STEP,
      Home: narrowest,
      End: widest,
    };
    const wanted = to[event.key];
    if (wanted === undefined) return;
    resize(wanted);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr takes neither focus nor pointer
    <div
      className={className}
      role="separator"
      title={title}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={nudge}
      onDoubleClick={on.onDoubleClick}
    />
  );
}
