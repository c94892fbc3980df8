/** The calls of a case that the pages know only as a type; see `nounCalls.ts`. */
import type { Case } from './case';
import { untyped } from './client';
import type { Wire } from './wire';

/** Returns the record as a document. */
export async function readCase<R>(of: Case, id: string, signal?: AbortSignal): Promise<R> {
  return (await untyped.get(`${of.path}/detail`, { [of.key]: id }, signal)) as R;
}

/** Returns what the form of a new record begins with. */
export async function beginCase<B>(of: Case, signal?: AbortSignal): Promise<B> {
  return (await untyped.get(`${of.path}/form`, undefined, signal)) as B;
}

/** The new record, or a question: sent again with `force` it is made. */
export type Started = { id: string; needConfirm?: undefined } | { needConfirm: true };

/** Makes a record and starts its process. The key makes a second try of the same input harmless. */
export async function startCase(of: Case, input: object, idempotencyKey: string): Promise<Started> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return (await untyped.post(`${of.path}/${of.start.call}`, input, undefined, headers)) as Started;
}

/** Carries out a command: `id`, `lockVersion`, `action` and its input. */
export async function updateCase(of: Case, input: object): Promise<void> {
  await untyped.post(`${of.path}/update`, input);
}

/** Deletes the record, where the case has that call. */
export async function removeCase(of: Case, id: string): Promise<void> {
  await untyped.post(`${of.path}/remove`, undefined, { ids: id });
}

export interface CommentInput {
  text: string;
  /** Links. */
  images: readonly string[];
  /** Ids of people. */
  mentions: readonly string[];
}

/** Writes a comment on the record. The key makes a second try of the same input harmless. */
export async function commentCase(of: Case, id: string, input: CommentInput, idempotencyKey: string) {
  await untyped.post(`${of.path}/comment`, { id, ...input }, undefined, {
    'Idempotency-Key': idempotencyKey,
  });
}

export async function removeComment(of: Case, id: string, commentId: string): Promise<void> {
  await untyped.post(`${of.path}/remove-comment`, undefined, { id, commentId });
}

/** Returns who may be mentioned in a comment on the record. */
export async function readersOf(of: Case, id: string, keyword: string, signal?: AbortSignal) {
  return (await untyped.get(`${of.path}/comment-people`, { id, keyword }, signal)) as Wire<'Reader'>[];
}

export async function saveCaseDraft(of: Case, input: object): Promise<void> {
  await untyped.post(`${of.path}/save-draft`, input);
}

export async function removeCaseDraft(of: Case, id: string): Promise<void> {
  await untyped.post(`${of.path}/remove-draft`, undefined, { id });
}
