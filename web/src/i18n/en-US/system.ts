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
  credential: {
    codeHint: 'Models name the credential by it: a letter, then letters, digits, _ - and .',
    headerHint: 'Such as Authorization or X-API-Key',
    secretHint:
      'The whole value of the header, such as Bearer …; it is stored encrypted and never shown again',
    secretKept: 'If empty, the secret stays as it is; enter it again to add a host',
    hostsHint:
      'Separated by commas, such as erp.example.com, 10.0.0.5:8080. The secret is sent to these only, outside of private networks over https.',
    removeHint: 'Its secret is erased. Processes that use it have an incident at their next request.',
    none: 'No credentials yet',
    noneHint: 'A credential lets processes sign in to other systems without a secret in the model.',
  },
  extfield: {
    keyHint:
      'Programs and filters use it, as in ext.color: a letter, then letters, digits and underscores. It cannot be changed later.',
    typeHint: 'Cannot be changed once it has been filled in',
    optionsHint: 'Records keep the value. Options that have been chosen cannot be deleted.',
    sealedHint: 'A sealed field no longer appears in forms; what was filled in stays visible',
    removeHint: 'A field that has been filled in cannot be deleted, only sealed.',
    none: 'No extra fields yet',
    noneHint:
      'Add the fields that your company needs to assets and work orders. They appear in forms, lists, filters and sheets.',
  },
  noFiles: 'No attachments yet',
  noFilesHint: 'Uploaded files, and pictures and files of records, appear here.',
  releaseHint: 'If empty, it is released at once; until then only people who may edit notices see it.',
  upload: 'Upload a file',
  download: 'Download',
  open: 'Open',
};
