/** What is kept on this device, in a database for each person of each tenant: nobody's is opened for anybody else. */
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { Answered, Outcome, StoredPhoto, Unsent } from './kinds';

interface Schema extends DBSchema {
  /** By language and address. */
  answers: { key: string; value: Answered };
  unsent: { key: number; value: Unsent; indexes: { id: string } };
  /** What was sent, by what it was about. */
  outcomes: { key: string; value: Outcome };
  photos: { key: string; value: StoredPhoto };
}

export type Database = IDBPDatabase<Schema>;

const VERSION = 1;
const nameOf = (owner: string) => `xunwei.${owner}`;
const open = new Map<string, Promise<Database>>();

export function databaseOf(owner: string): Promise<Database> {
  const known = open.get(owner);
  if (known) return known;
  const close = () => {
    open.delete(owner);
    made.then(
      (db) => db.close(),
      () => undefined,
    );
  };
  const made = openFor(owner, close);
  made.catch(() => open.delete(owner));
  open.set(owner, made);
  return made;
}

/** Rejects where there is no such storage. */
async function openFor(owner: string, close: () => void): Promise<Database> {
  if (!owner) throw new Error('nobody is signed in');
  return openDB<Schema>(nameOf(owner), VERSION, {
    upgrade: (db) => {
      db.createObjectStore('answers');
      db.createObjectStore('unsent', { keyPath: 'seq', autoIncrement: true }).createIndex('id', 'id', {
        unique: true,
      });
      db.createObjectStore('outcomes', { keyPath: 'about' });
      db.createObjectStore('photos', { keyPath: 'id' });
    },
    // Another tab removes it, or brings a newer console.
    blocking: close,
    terminated: close,
  });
}

export async function removeDatabase(owner: string): Promise<void> {
  const known = open.get(owner);
  open.delete(owner);
  (await known?.catch(() => undefined))?.close();
  await deleteDB(nameOf(owner));
}
