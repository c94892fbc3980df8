/** Answers of the server, kept for a time without a network. */
import { owner } from '@/session/own';
import { databaseOf } from './db';
import type { Answered } from './kinds';

const OLDEST = 7 * 86_400_000;
const MOST = 300;

/** By address, in any language: when the answer came that is kept. */
let times: { owner: string; at: Map<string, number> } = { owner: '', at: new Map() };
/** By person and address: when the answer came that is shown in place of a new one. */
const stale = new Map<string, number>();
const listeners = new Set<() => void>();
let version = 0;

function tell(): void {
  version += 1;
  for (const listener of listeners) listener();
}

export const kept = {
  listen: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  /** Differs after each change. */
  version: () => version,
  /** When the answer came that is kept of this address, in milliseconds of this device's clock. */
  at: (address: string) => (times.owner === owner() ? times.at.get(address) : undefined),
  /** The same where it is shown in place of a new one. */
  asOf: (address: string) => stale.get(`${owner()} ${address}`),
};

const addressOf = (name: string) => name.slice(name.indexOf(' ') + 1);

export async function keep(person: string, name: string, answered: Answered): Promise<void> {
  // Nothing of anybody is stored again once they have signed out.
  if (person !== owner()) return;
  await (await databaseOf(person)).put('answers', answered, name);
  if (person !== owner()) return;
  if (times.owner === person) times.at.set(addressOf(name), answered.at);
  stale.delete(`${person} ${addressOf(name)}`);
  tell();
}

/** Returns what was answered last, rather in another language than not at all. */
export async function find(person: string, name: string): Promise<Answered | undefined> {
  const db = await databaseOf(person);
  const address = addressOf(name);
  let found = await db.get('answers', name);
  if (!found) {
    const other = (await db.getAllKeys('answers')).find((key) => addressOf(key) === address);
    found = other === undefined ? undefined : await db.get('answers', other);
  }
  if (found && person === owner()) {
    stale.set(`${person} ${address}`, found.at);
    tell();
  }
  return found;
}

export async function readTimes(person: string): Promise<void> {
  const db = await databaseOf(person);
  const [names, answers] = await Promise.all([db.getAllKeys('answers'), db.getAll('answers')]);
  const at = new Map(names.map((name, place) => [addressOf(name), answers[place]?.at ?? 0]));
  if (person !== owner()) return;
  times = { owner: person, at };
  tell();
}

/** Removes what is too old, and the oldest of too much. */
export async function clearAnswers(person: string): Promise<void> {
  const db = await databaseOf(person);
  const [names, answers] = await Promise.all([db.getAllKeys('answers'), db.getAll('answers')]);
  const byAge = names
    .map((name, place) => ({ name, at: answers[place]?.at ?? 0 }))
    .sort((one, other) => other.at - one.at);
  const gone = byAge.filter(({ at }, place) => place >= MOST || Date.now() - at > OLDEST);
  for (const { name } of gone) await db.delete('answers', name);
}
