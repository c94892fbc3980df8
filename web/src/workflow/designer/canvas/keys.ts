/** Keys of the canvas beyond the library's: menus, going along the flow, seeing the whole. */
import type { Element } from 'bpmn-js/lib/model/Types';
import { is } from 'bpmn-js/lib/util/ModelUtil';
import type Canvas from 'diagram-js/lib/core/Canvas';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type Keyboard from 'diagram-js/lib/features/keyboard/Keyboard';
import type Selection from 'diagram-js/lib/features/selection/Selection';
import type { Dimensions, Rect } from 'diagram-js/lib/util/Types';
import type { Menus } from './menus';

/** Before the library's own bindings, which move what is chosen with the arrows. */
const FIRST = 3000;

export class Keys {
  static $inject = ['keyboard', 'menus', 'selection', 'canvas', 'elementRegistry'];

  constructor(
    keyboard: Keyboard,
    menus: Menus,
    private readonly selection: Selection,
    private readonly canvas: Canvas,
    private readonly registry: ElementRegistry,
  ) {
    const plain: Readonly<Record<string, () => void>> = {
      a: () => menus.open(this.chosen() ? 'append' : 'create'),
      n: () => {
        this.selection.select(null);
        menus.open('create');
      },
      r: () => menus.open('replace'),
      f: () => showAll(this.canvas),
    };
    keyboard.addListener(FIRST, ({ keyEvent }: { keyEvent: KeyboardEvent }) => {
      const { key, altKey, ctrlKey, metaKey } = keyEvent;
      if (ctrlKey || metaKey) return undefined;
      if (altKey && (key === 'ArrowRight' || key === 'ArrowLeft')) {
        this.go(key === 'ArrowRight');
        return true;
      }
      const act = altKey ? undefined : plain[key.toLowerCase()];
      act?.();
      return act && true;
    });
  }

  private chosen(): Element | undefined {
    return this.selection.get()[0] as Element | undefined;
  }

  /** To the next or the previous element along the flow; from nowhere to the first one. */
  private go(forward: boolean): void {
    const chosen = this.chosen();
    const next = chosen ? (forward ? after(chosen) : before(chosen)) : this.first();
    if (!next) return;
    this.selection.select(next);
    this.canvas.scrollToElement(next, 120);
  }

  private first(): Element | undefined {
    const nodes = this.registry.filter((element) => is(element, 'bpmn:FlowNode')) as Element[];
    return nodes.find((element) => is(element, 'bpmn:StartEvent')) ?? nodes[0];
  }
}

interface Linked {
  source?: Element;
  target?: Element;
  outgoing?: Element[];
  incoming?: Element[];
}

function after(element: Element): Element | undefined {
  const { target, outgoing } = element as Element & Linked;
  return target ?? outgoing?.[0];
}

function before(element: Element): Element | undefined {
  const { source, incoming } = element as Element & Linked;
  return source ?? incoming?.[0];
}

/** Pixels of air round a drawing; below it stands the mark of the library too, which has to stay in sight. */
const [AIR, MARK] = [24, 44];

/** Pixels at the left that are not the drawing's: there is a palette where one may draw. */
function leftOf(canvas: Canvas): number {
  const palette = canvas.getContainer().querySelector<HTMLElement>('.djs-palette');
  return (palette ? palette.offsetLeft + palette.offsetWidth : 0) + AIR;
}

/** The whole, beside the palette and not larger than life. Returns the scale. */
export function showAll(canvas: Canvas): number {
  const { inner, outer } = canvas.viewbox() as ReturnType<Canvas['viewbox']> & {
    inner: Rect;
    outer: Dimensions;
  };
  if (!inner.width || !outer.width) return 1;
  const left = leftOf(canvas);
  const room = { width: outer.width - left - AIR, height: outer.height - AIR - MARK };
  const scale = Math.min(1, room.width / inner.width, room.height / inner.height);
  canvas.viewbox({
    x: inner.x - (left + (room.width - inner.width * scale) / 2) / scale,
    y: inner.y - (AIR + (room.height - inner.height * scale) / 2) / scale,
    width: outer.width / scale,
    height: outer.height / scale,
  });
  return scale;
}

/** Below this nobody can read the names: then the beginning is worth more than the whole. */
const READABLE = 0.5;
const BEGINNING = 0.7;

/** How a drawing is opened. */
export function showFirst(canvas: Canvas): void {
  if (showAll(canvas) >= READABLE) return;
  const { inner, outer } = canvas.viewbox() as ReturnType<Canvas['viewbox']> & {
    inner: Rect;
    outer: Dimensions;
  };
  canvas.viewbox({
    x: inner.x - leftOf(canvas) / BEGINNING,
    y: inner.y - AIR,
    width: outer.width / BEGINNING,
    height: outer.height / BEGINNING,
  });
}
