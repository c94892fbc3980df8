/** Our services in the library's modeler, some in place of its own. */
import minimap from 'diagram-js-minimap/dist/index.esm.js';
import { PadEntries } from './contextPad';
import { Finding } from './finding';
import { CountingFactory } from './ids';
import { Keys } from './keys';
import { Menus } from './menus';
import { NameEditing, NameRenderer } from './names';
import { Offer } from './offer';
import { PaletteEntriesProvider } from './palette';
import { Placing } from './placing';
import { Staying } from './staying';
import { TogetherCommand } from './together';
import { translate } from './words';

/** What a viewer needs too. */
export const showing = {
  __init__: ['nameRenderer'],
  nameRenderer: ['type', NameRenderer],
  translate: ['value', translate],
};

const sameMenus = (menus: Menus) => menus;
sameMenus.$inject = ['menus'];

export const drawingTools = [
  minimap,
  {
    __init__: ['keys', 'staying'],
    bpmnFactory: ['type', CountingFactory],
    offer: ['type', Offer],
    together: ['type', TogetherCommand],
    placing: ['type', Placing],
    menus: ['type', Menus],
    keys: ['type', Keys],
    staying: ['type', Staying],
    // In place of the library's, which offer what no engine of ours runs.
    paletteProvider: ['type', PaletteEntriesProvider],
    contextPadProvider: ['type', PadEntries],
    replaceMenuProvider: ['factory', sameMenus],
    labelEditingProvider: ['type', NameEditing],
    bpmnSearch: ['type', Finding],
  },
];
