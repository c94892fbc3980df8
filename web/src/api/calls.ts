/** The calls of the server as types, from the document that `make api` writes: paths, parameters, bodies and answers. */
import type { components, paths } from './schema';

export type Method = 'get' | 'post';

type Short<Key> = Key extends `/api${infer Path}` ? Path : never;

/** The paths that can be called this way, without /api. */
export type Path<M extends Method> = {
  [Key in keyof paths]: paths[Key] extends Record<M, object> ? Short<Key> : never;
}[keyof paths];

type Operation<M extends Method, P extends Path<M>> = `/api${P}` extends keyof paths
  ? paths[`/api${P}`][M]
  : never;

/** One text, number or flag of a query. */
export type Value = string | number | boolean | null | undefined;

/** A query whose names are known only while the console runs, such as the filters of a list. */
export type Params = Readonly<Record<string, Value | readonly (string | number)[]>>;

/** Several values are sent joined by commas; what may be left out may be null. */
type Sent<T> = T | readonly (string | number)[] | (undefined extends T ? null : never);

type Named<Q> = { [Name in keyof Q]: Sent<Q[Name]> };

type QueryOf<O> = O extends { parameters: { query?: infer Q } }
  ? [NonNullable<Q>] extends [never]
    ? undefined
    : Named<NonNullable<Q>>
  : undefined;

type BodyOf<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : undefined;

type AnswerOf<O> = O extends { responses: { 200: { content: { 'application/json': { data: infer D } } } } }
  ? D
  : null;

/** The parameters of a call, by the names in the document. */
export type Query<M extends Method, P extends Path<M>> = QueryOf<Operation<M, P>>;

/** What is sent as JSON. */
export type Body<P extends Path<'post'>> = BodyOf<Operation<'post', P>>;

/** What is answered inside the envelope; null where the call only says that it was done. */
export type Answer<M extends Method, P extends Path<M>> = AnswerOf<Operation<M, P>>;

/** Calls that take files and nothing but a form. */
export type UploadPath = {
  [Key in keyof paths]: paths[Key] extends {
    post: { requestBody?: { content: infer Kinds extends { 'multipart/form-data': unknown } } };
  }
    ? 'application/json' extends keyof Kinds
      ? never
      : Short<Key>
    : never;
}[keyof paths];

/** Calls that answer a file. */
export type FilePath = {
  [Key in keyof paths]: paths[Key] extends { get: { responses: { 200: { content: infer Kinds } } } }
    ? 'application/json' extends keyof Kinds
      ? never
      : Short<Key>
    : never;
}[keyof paths];

/** A stable word of a refusal, in `ApiError.error`; `network` where there was no answer. */
export type ErrorWord = components['schemas']['ErrorWord'] | 'network' | '';
