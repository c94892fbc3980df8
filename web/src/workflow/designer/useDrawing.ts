/** The drawing in a component: made once a draft, with what is chosen and how often it changed as state. */
import type { Element } from 'bpmn-js/lib/model/Types';
import type Canvas from 'diagram-js/lib/core/Canvas';
import type Dragging from 'diagram-js/lib/features/dragging/Dragging';
import type PopupMenu from 'diagram-js/lib/features/popup-menu/PopupMenu';
import type Selection from 'diagram-js/lib/features/selection/Selection';
import type DirectEditing from 'diagram-js-direct-editing/lib/DirectEditing';
import { startTransition, useEffect, useRef, useState } from 'react';
import type { Language } from '@/site';
import { type Drawing, makeDrawing, selectedIn, speakAnew } from './canvas/drawing';
import { showFirst } from './canvas/keys';

interface Events {
  on: (events: string | string[], listener: () => void) => void;
  off: (events: string | string[], listener: () => void) => void;
}

/** When a name has been typed, or a menu left. */
const BUSY_ENDS = ['directEditing.deactivate', 'popupMenu.close'];

export interface DrawingState {
  frame: React.RefObject<HTMLDivElement | null>;
  /** Undefined until the first import is done. */
  drawing: Drawing | undefined;
  selected: Element | undefined;
  chosen: number;
  changes: number;
  failed: unknown;
}

export function useDrawing(xml: string, readOnly: boolean, language: Language): DrawingState {
  const frame = useRef<HTMLDivElement>(null);
  const first = useRef(xml);
  const [drawing, setDrawing] = useState<Drawing>();
  const [selected, setSelected] = useState<Element>();
  const [chosen, setChosen] = useState(0);
  const [changes, setChanges] = useState(0);
  const [failed, setFailed] = useState<unknown>();

  useEffect(() => {
    if (!frame.current) return;
    const made = makeDrawing({ container: frame.current, readOnly });
    let gone = false;
    const events = made.get<Events>('eventBus');
    const read = () => {
      setSelected(selectedIn(made));
      setChosen(made.get<Selection>('selection').get().length);
    };
    // A drag takes what is chosen away, and gives it back when it is over: the panel has nothing to do with that.
    events.on('selection.changed', () => {
      if (!made.get<Dragging>('dragging', false)?.context()) read();
    });
    events.on('drag.cleanup', () => queueMicrotask(read));
    // What is said about the drawing may come a moment after it: the next stroke does not wait for the panel.
    events.on(['commandStack.changed', 'import.done'], () =>
      startTransition(() => {
        setSelected(selectedIn(made));
        setChanges((count) => count + 1);
      }),
    );
    made
      .importXML(first.current)
      .then(() => {
        if (!gone) setDrawing(made);
      })
      .catch((error) => {
        if (!gone) setFailed(error);
      });
    return () => {
      gone = true;
      setDrawing(undefined);
      made.destroy();
    };
  }, [readOnly]);

  // The panel takes its place beside the canvas once there is a drawing.
  useEffect(() => {
    if (!drawing || !frame.current) return;
    const canvas = drawing.get<Canvas>('canvas');
    const events = drawing.get<Events>('eventBus');
    let before: DOMRectReadOnly | undefined;
    let latest: DOMRectReadOnly | undefined;
    const fitIn = () => {
      // Moving the drawing ends the typing of a name and closes a menu, and the library itself moves it to keep what is
      // chosen in sight: the canvas hears of its new size when the name is there, or the menu has been left.
      const isTyped = drawing.get<DirectEditing | null>('directEditing', false)?.isActive();
      if (!latest || isTyped || drawing.get<PopupMenu | null>('popupMenu', false)?.isOpen()) return;
      canvas.resized();
      if (!before) showFirst(canvas);
      // What was in the middle stays there when the drawer opens.
      else canvas.scroll({ dx: (latest.width - before.width) / 2, dy: (latest.height - before.height) / 2 });
      before = latest;
      latest = undefined;
    };
    // The name is written, or what was picked in the menu is done, before the drawing moves.
    const left = () => queueMicrotask(fitIn);
    events.on(BUSY_ENDS, left);
    const observer = new ResizeObserver(([entry]) => {
      latest = entry?.contentRect;
      fitIn();
    });
    observer.observe(frame.current);
    return () => {
      events.off(BUSY_ENDS, left);
      observer.disconnect();
      latest = undefined;
    };
  }, [drawing]);

  // Names, and the words of palette and menus, are in the language of the person.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language is read by what is drawn anew
  useEffect(() => {
    if (drawing) speakAnew(drawing);
  }, [drawing, language]);

  return { frame, drawing, selected, chosen, changes, failed };
}
