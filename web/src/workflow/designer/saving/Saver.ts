/** Saves a draft while it is drawn: what has changed is kept in the browser at once, and sent when the hand rests. */
import { ApiError, api } from '@/api/client';
import { drop, keep } from './kept';

/** Who saved in between, as the server says it. */
export interface Stale {
  userName: string;
  time: string;
  version: number;
}

export type State =
  | { kind: 'saved'; time?: number }
  | { kind: 'changed' }
  | { kind: 'saving' }
  /** It never arrived; kept in the browser as far as that had room. */
  | { kind: 'offline'; isKept: boolean; error: unknown }
  | { kind: 'refused'; error: unknown }
  | { kind: 'conflict'; stale: Stale };

/** The drawing as it stands, with what the draft is called after it. */
export interface Content {
  xml: string;
  name: string;
  modelKey: string;
}

interface Draft {
  /** Empty before the first change of a model that has no draft yet; saving makes one. */
  id: string;
  version: number;
  /** What a draft that is made gets beside the drawing. */
  category?: string;
  note?: string;
}

export const QUIET = 2_000;
export const RETRY = 15_000;
const SUBMIT = '/blade-flow/model/submit';

function isStale(error: unknown): error is ApiError {
  return error instanceof ApiError && error.error === 'model.stale';
}

function neverArrived(error: unknown): boolean {
  return error instanceof ApiError && error.code === 0;
}

export class Saver {
  private state: State = { kind: 'saved' };
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<State> | undefined;
  /** Counts the changes; what was saved is that of `savedAt`. */
  private count = 0;
  private savedAt = 0;

  constructor(
    private readonly draft: Draft,
    private readonly read: () => Promise<Content>,
  ) {}

  get = (): State => this.state;

  listen = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The version that the drawing was read in or saved as. */
  get version(): number {
    return this.draft.version;
  }

  get id(): string {
    return this.draft.id;
  }

  get isDirty(): boolean {
    return this.count !== this.savedAt;
  }

  /** The drawing goes on from another version than the one read: what was kept, or what somebody else saved. */
  goOnFrom(version: number): void {
    this.draft.version = version;
  }

  /** Something was drawn. */
  changed(): void {
    this.count += 1;
    if (this.state.kind === 'conflict') return;
    if (this.state.kind !== 'saving') this.say({ kind: 'changed' });
    this.plan(QUIET);
  }

  /** Keeps the drawing in the browser until it has reached the server. */
  keep(xml: string): boolean {
    return (
      this.isDirty &&
      this.id !== '' &&
      keep(this.draft.id, { xml, version: this.draft.version, time: Date.now() })
    );
  }

  /** The drawing is as the server has it. */
  settled(): void {
    this.savedAt = this.count;
    drop(this.draft.id);
    this.say({ kind: 'saved' });
  }

  /** Saves now what is not saved; with a note it is a version of its own in the history. Resolves to how that ended. */
  async save(note?: string): Promise<State> {
    if (this.sending) await this.sending;
    if (this.state.kind === 'conflict' || (!this.isDirty && note === undefined)) return this.state;
    return this.send(note);
  }

  /** Saves what is to be deployed: also a drawing that nobody has changed, as long as there is no draft. */
  saveToDeploy(): Promise<State> {
    return this.id === '' ? this.send(undefined) : this.save();
  }

  /** Saves over what somebody else has saved; theirs stays in the history. */
  async overwrite({ version }: Stale, note: string): Promise<State> {
    this.goOnFrom(version);
    this.count += 1;
    return this.send(note);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.listeners.clear();
  }

  private say(state: State): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  private plan(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), milliseconds);
  }

  private send(note?: string): Promise<State> {
    clearTimeout(this.timer);
    this.say({ kind: 'saving' });
    this.sending = this.submit(note).finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  private async submit(note?: string): Promise<State> {
    const count = this.count;
    const { id, version, category } = this.draft;
    const content = await this.read();
    try {
      const body =
        id === ''
          ? { category, ...content, note: note ?? this.draft.note }
          : { id, version, ...content, ...(note === undefined ? { auto: 1 } : { note }) };
      const saved = await api.post(SUBMIT, body);
      this.draft.id = saved.id;
      this.draft.version = saved.version;
      this.savedAt = count;
    } catch (error) {
      this.failed(error, content.xml);
      return this.state;
    }
    if (this.isDirty) {
      this.say({ kind: 'changed' });
      this.plan(QUIET);
    } else {
      drop(id);
      this.say({ kind: 'saved', time: Date.now() });
    }
    return this.state;
  }

  private failed(error: unknown, xml: string): void {
    const isKept = this.keep(xml);
    if (isStale(error)) this.say({ kind: 'conflict', stale: error.data as Stale });
    else if (neverArrived(error)) {
      this.say({ kind: 'offline', isKept, error });
      this.plan(RETRY);
    } else this.say({ kind: 'refused', error });
  }
}

/** Begins another draft with the content; resolves to its id. */
export async function saveAsNew(content: Content, note: string): Promise<string> {
  return (await api.post(SUBMIT, { ...content, note })).id;
}
