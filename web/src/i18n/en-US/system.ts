/** Dictionaries, regions, attachments. */
import type { Texts } from '../zh-CN';
import type { system as zh } from '../zh-CN/system';

export const system: Texts<typeof zh> = {
  dictionaries: 'Dictionaries',
  sealed: 'Sealed',
  chooseDictionary: 'Choose a dictionary to see its values',
  addValue: 'Add a value',
  noValues: 'No values yet',
  region: {
    pane: 'Regions',
    parentHint: 'Code of the region above; the country is 00',
    levelHint: 'Left empty, it is the one below that of the region above',
    removeHint: 'A region with others below it cannot be removed.',
  },
  param: {
    valueHint: 'A change counts for the whole company at once',
    removeHint: 'System parameters only go back to their default; others are removed.',
  },
  upload: 'Upload a file',
  download: 'Download',
  open: 'Open',
};
