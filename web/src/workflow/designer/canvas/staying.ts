/** A click on what is chosen leaves it chosen: the panel beside speaks of it. The library would take the choice back. */
import type { Element } from 'bpmn-js/lib/model/Types';
import type Selection from 'diagram-js/lib/features/selection/Selection';

interface Click {
  element: Element;
  originalEvent?: { shiftKey?: boolean; ctrlKey?: boolean; metaKey?: boolean };
}

interface Events {
  on: (event: string, priority: number, listener: (click: Click) => boolean | undefined) => void;
}

/** Before the library's own. */
const FIRST = 2000;

export class Staying {
  static $inject = ['eventBus', 'selection'];

  constructor(events: Events, selection: Selection) {
    events.on('element.click', FIRST, ({ element, originalEvent: { shiftKey, ctrlKey, metaKey } = {} }) => {
      const [chosen, ...others] = selection.get();
      const isAlone = chosen === element && others.length === 0;
      // An answer ends it here.
      return isAlone && !shiftKey && !ctrlKey && !metaKey ? true : undefined;
    });
  }
}
