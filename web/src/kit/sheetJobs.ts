/** Exports of many rows, which the server makes in the background. */
import type { Params } from '@/api/calls';
import { ApiError, api } from '@/api/client';
import type { Noun } from '@/api/noun';

/** Where they are listed. */
export const SHEETS = '/desk/sheet';

/** Whether an export was refused because it has too many rows to be answered at once. */
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
