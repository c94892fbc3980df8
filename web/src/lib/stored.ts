/** A value that outlives the page: kept in the browser's storage, told to whoever listens, in other tabs too. */

export interface Stored<T> {
  get: () => T;
  set: (value: T) => void;
  /** Calls `listener` at every change; returns the way to stop. */
  listen: (listener: () => void) => () => void;
}

/** The same stored text gives the same object, so that it can be compared. */
export function stored<T>(name: string, empty: T, storage: Storage = localStorage): Stored<T> {
  const listeners = new Set<() => void>();
  let text: string | null | undefined;
  let value = empty;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    if (event.storageArea === storage && (event.key === name || event.key === null)) tell();
  });
  return {
    get: () => {
      const found = storage.getItem(name);
      if (found !== text) {
        text = found;
        try {
          value = found === null ? empty : (JSON.parse(found) as T);
        } catch {
          value = empty;
        }
      }
      return value;
    },
    set: (next) => {
      storage.setItem(name, JSON.stringify(next));
      tell();
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
