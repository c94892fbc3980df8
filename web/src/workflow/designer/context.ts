/** What the parts of the designer share: the drawing, what is chosen in it, and how often it has changed. */
import type { Element } from 'bpmn-js/lib/model/Types';
import { createContext, useContext } from 'react';
import type { Wire } from '@/api/wire';
import type { Language } from '@/site';
import type { Drawing } from './canvas/drawing';

export type Problem = Wire<'ProblemRow'>;

/** What stands in the drawer below the canvas; closed when there is none. The panel only where there is no room beside. */
export type DrawerTab = 'panel' | 'problems' | 'dryrun' | 'xml';

export interface Designer {
  /** The modeler, or the viewer where nobody may draw; `drawing.get('modeling')` gives its services. */
  drawing: Drawing;
  /** The element chosen; the process itself while nothing or more than one is. A label stands for what it names. */
  selected: Element | undefined;
  /** How many elements are chosen. */
  chosen: number;
  /** Counts every change of the drawing, undo and redo too: what is read from business objects is read again. */
  changes: number;
  language: Language;
  readOnly: boolean;
  /** What the gate says of the drawing as it stands; undefined until it has said anything. */
  problems: readonly Problem[] | undefined;
  /** Chooses an element by its id and brings it into sight; the process where there is no such element. */
  select: (id: string) => void;
  drawer: DrawerTab | undefined;
  openDrawer: (tab: DrawerTab | undefined) => void;
}

export const DesignerContext = createContext<Designer | undefined>(undefined);

export function useDesigner(): Designer {
  const designer = useContext(DesignerContext);
  if (!designer) throw new Error('outside of the designer');
  return designer;
}
