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

/** Pixels that the palette takes at the left, and air at the other sides. */
const [PALETTE, AIR] = [120, 24];

/** The whole, beside the palette and not larger than life. Returns the scale. */
export function showAll(canvas: Canvas): number {
  const { inner, outer } = canvas.viewbox() as ReturnType<Canvas['viewbox']> & {
    inner: Rect;
    outer: Dimensions;
  };
  if (!inner.width || !outer.width) return 1;
  const room = { width: outer.width - PALETTE - AIR, height: outer.height - 2 * AIR };
  const scale = Math.min(1, room.width / inner.width, room.height / inner.height);
  canvas.viewbox({
    x: inner.x - PALETTE / scale,
    y: inner.y - Math.max(AIR, (outer.height - inner.height * scale) / 2) / scale,
    width: outer.width / scale,
    height: outer.height / scale,
  });
  return scale;
}

/** Below this nobody can read the names: then the beginning is worth more than the whole. */
const READABLE = 0.5;

/** How a drawing is opened. */
export function showFirst(canvas: Canvas): void {
  if (showAll(canvas) >= READABLE) return;
  const { inner, outer } = canvas.viewbox() as ReturnType<Canvas['viewbox']> & {
    inner: Rect;
    outer: Dimensions;
  };
  canvas.viewbox({
    x: inner.x - PALETTE / 0.7,
    y: inner.y - AIR,
    width: outer.width / 0.7,
    height: outer.height / 0.7,
  });
}
