/** Dictionaries, regions, attachments. */
import type { Texts } from '../zh-CN';
import type { system as zh } from '../zh-CN/system';

export const system: Texts<typeof zh> = {
  sealed: 'Sealed',
  chooseDictionary: 'Select a dictionary to see its values',
  addValue: 'Add a value',
  noValues: 'No values yet',
  region: {
    pane: 'Regions',
    parentHint: 'Code of the parent region; the country is 00',
    levelHint: 'If empty, one level below the parent region',
    removeHint: 'A region with child regions cannot be deleted.',
  },
  param: {
    valueHint: 'A change takes effect immediately for the whole company.',
    byPriority:
      'Enter three whole numbers from {{a}} to {{b}} for critical, urgent and normal, separated by commas',
    removeHint: 'System parameters are reset to their default; other parameters are deleted.',
  },
  noFiles: 'No attachments yet',
  noFilesHint: 'Uploaded files, and pictures and files of records, appear here.',
  releaseHint: 'If empty, it is released at once; until then only people who may edit notices see it.',
  upload: 'Upload a file',
  download: 'Download',
  open: 'Open',
};
