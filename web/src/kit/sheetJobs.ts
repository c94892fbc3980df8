/** Exports and imports of many rows, which the server does in the background. */
import type { Params } from '@/api/calls';
import { ApiError, api } from '@/api/client';
import type { Noun } from '@/api/noun';
import type { Wire } from '@/api/wire';
import { save } from '@/lib/save';

export type SheetJob = Wire<'SheetJob'>;

/** First part of the keys of queries about them. */
export const SHEET_JOBS = 'sheetjob';
export const [WAITING, RUNNING, DONE, FAILED, CANCELLED] = [1, 2, 3, 4, 5] as const;
export const [EXPORT, IMPORT] = [1, 2] as const;

/** Where they are listed. */
export const SHEETS = '/desk/sheet';

export const isOpen = (job: SheetJob) => job.state === WAITING || job.state === RUNNING;

/** Whether an export or import was refused because it has too many rows to be answered at once. */
export function isForLater(error: unknown): boolean {
  return error instanceof ApiError && error.error === 'sheet.tooMany';
}

/** Asks for the export of a list as a job; it gets the same parameters as the call that answers at once. */
export function exportLater(noun: Noun, params: Params) {
  const query = Object.fromEntries(
    Object.entries(params)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value ?? '')])
      .filter(([, text]) => text !== ''),
  );
  return api.post('/blade-desk/sheetjob/export', { call: `${noun.path}/export`.slice(1), query });
}

/** Asks for the import of a sheet as a job; answers its id. */
export function importLater(noun: Noun, file: File, mayChange: boolean, progress: (share: number) => void) {
  const body = new FormData();
  body.append('call', `${noun.path}/import`.slice(1));
  body.append('isCovered', mayChange ? '1' : '0');
  body.append('file', file);
  return api.upload('/blade-desk/sheetjob/import', body, { progress });
}

/** Saves what came of a job: an export's rows, or those that an import has left out. */
export async function saveSheet(id: string) {
  save(await api.download('/blade-desk/sheetjob/download', { id }));
}
