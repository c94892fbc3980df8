/** The browser's database for the tests of a file: the others of its worker find none, as before. */
import 'fake-indexeddb/auto';
import { indexedDB } from 'fake-indexeddb';
import { afterAll, beforeAll } from 'vitest';
import { reached } from '@/session/net';
import { removeDatabase } from '@/session/offline/db';

Reflect.deleteProperty(globalThis, 'indexedDB');

/** To be called at a file's top; of these people nothing is left behind. */
export function withIndexedDb(people: readonly string[]): void {
  beforeAll(() => {
    Object.assign(globalThis, { indexedDB });
  });
  afterAll(async () => {
    for (const person of people) await removeDatabase(person);
    reached(true);
    Reflect.deleteProperty(globalThis, 'indexedDB');
  });
}
