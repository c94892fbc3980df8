/** Changes of the drawing that the panel makes: several properties of several elements as one step that can be undone. */
import type { Element } from 'bpmn-js/lib/model/Types';
import { together } from '../canvas/together';
import { useDesigner } from '../context';
import type { Business } from './model';

export interface Change {
  of: Business;
  /** By name with prefix; undefined takes the property away. */
  set: Readonly<Record<string, unknown>>;
}

interface Modeling {
  updateProperties: (element: Element, properties: object) => void;
  updateModdleProperties: (element: Element, of: Business, properties: object) => void;
}

interface Registry {
  get: (id: string) => Element | undefined;
}

interface Factory {
  create: (type: string, properties: object) => Business & { $parent?: Business };
}

export interface Edit {
  /** Makes the changes as one step. */
  (...changes: readonly Change[]): void;
  /** A new element inside `parent`; it becomes part of the drawing by a change. */
  make: (type: string, parent: Business | undefined, properties: object) => Business;
}

export function useEdit(): Edit {
  const { drawing, selected } = useDesigner();
  const edit = (...changes: readonly Change[]) => {
    const modeling = drawing.get<Modeling>('modeling');
    const registry = drawing.get<Registry>('elementRegistry');
    together(drawing, () => {
      for (const { of, set } of changes) {
        const drawn = of.id ? registry.get(of.id) : undefined;
        // What is drawn is told to the canvas, which knows it by its id and shows its name; the rest is not.
        if (drawn?.businessObject === of) modeling.updateProperties(drawn, set);
        else if (selected) modeling.updateModdleProperties(selected, of, set);
      }
    });
  };
  return Object.assign(edit, {
    make: (type: string, parent: Business | undefined, properties: object) => {
      const made = drawing.get<Factory>('bpmnFactory').create(type, properties);
      made.$parent = parent;
      return made;
    },
  });
}
