/** What is kept on the device. */
import type { ApiError } from '@/api/client';
import type { Draft } from '@/session/drafts';

/** An answer of the server, and when it came, in milliseconds of this device's clock. */
export interface Answered {
  at: number;
  data: unknown;
}

export interface Refusal {
  code: number;
  msg: string;
  error: ApiError['error'];
  fields: Readonly<Record<string, string>>;
  requestId: string;
}

/** What a person has sent and the server has not taken yet. Each try of it says the same, so that the server takes it once. */
export interface Unsent {
  /** Its place in the order in which it is sent. */
  seq?: number;
  /** Made by whoever entered it: the server knows a second try by it. */
  id: string;
  kind: 'start' | 'point' | 'report';
  /** What it is about: a task, a point of a task, a report. No two of a person are about the same. */
  about: string;
  /** The task that it belongs to. */
  task?: string;
  /** While an earlier one of the same chain is refused it is not sent. */
  chain?: string;
  title: string;
  group: string;
  /** When it was entered. */
  at: number;
  /** Where it is corrected. */
  page: string;
  body: Readonly<Record<string, unknown>>;
  /** What the form held. */
  form?: { name: string; draft: Draft };
  state: 'waiting' | 'refused';
  refusal?: Refusal;
  /** The server asks back: its answer. */
  asks?: unknown;
}

export interface Outcome {
  about: string;
  id: string;
  at: number;
  answer: unknown;
}

export interface StoredPhoto {
  id: string;
  at: number;
  type: string;
  bytes: ArrayBuffer;
  /** What it is for and is called, where it is no picture. */
  place?: 'voice' | 'file';
  name?: string;
  /** Once the server has it. */
  link?: string;
}
