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
    hours: 'Enter times of the day in order without overlaps, such as 08:00-12:00,13:00-17:00',
    removeHint: 'System parameters are reset to their default; other parameters are deleted.',
  },
  holiday: {
    takeOver: 'Import the official calendar',
    takeOverHint: 'Only missing days are added; days that are there stay as they are.',
    year: '{{year}}',
    missing_one: '{{count}} day, {{missing}} missing',
    missing_other: '{{count}} days, {{missing}} missing',
    take: 'Import',
    complete: 'Complete',
    taken_one: '{{count}} day added, {{known}} already there',
    taken_other: '{{count}} days added, {{known}} already there',
    dayHint: 'Due times in working time follow; waiting timers are updated within seconds.',
    removeHint: 'Due times in working time are updated.',
    none: 'No holidays yet',
    noneHint:
      'Other days follow the working days of the week. Import an official year, or add days one by one.',
  },
  noFiles: 'No attachments yet',
  noFilesHint: 'Uploaded files, and pictures and files of records, appear here.',
  releaseHint: 'If empty, it is released at once; until then only people who may edit notices see it.',
  upload: 'Upload a file',
  download: 'Download',
  open: 'Open',
};
