/** Every call to the server goes through here: same origin, headers, time-out, and the envelope taken off the answer.
 * `api` takes its paths, parameters, bodies and answers from the server's document; see `calls.ts`. */
import { language, t } from '@/i18n';
import { site } from '@/site';
import type { Answer, Body, ErrorWord, FilePath, Params, Path, Query, UploadPath } from './calls';
import type { Token } from './wire';

const BASE = '/api';
const CLIENT = `Basic ${btoa('xunwei-web:')}`;

/** Codes after which the session is over, whatever the HTTP status says. */
const SESSION_OVER = new Set([401, 40001, 40002]);

/** A call that was refused or never arrived. `code` is 0 when there was no answer at all. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly msg: string,
    /** The server's code word, such as `workflow.taskTaken`. */
    readonly error: ErrorWord = '',
    /** One sentence a field, by the names that were sent. */
    readonly fields: Readonly<Record<string, string>> = {},
    readonly requestId = '',
    /** What else the server says of it, such as the faulty rows of a sheet. */
    readonly data: unknown = undefined,
  ) {
    super(msg);
    this.name = 'ApiError';
  }

  get silent(): boolean {
    return (site.silentCodes as readonly number[]).includes(this.code);
  }
}

/** What the session lends to the client; filled once at start-up, since `api` stands below `session`. */
export interface Identity {
  current(): { access: string; tenantId: string; userId: string } | undefined;
  /** Resolves when the token is young enough to be used. */
  ready(): Promise<void>;
  /** The server refused this access token for good. */
  over(access: string): void;
}

let identity: Identity = { current: () => undefined, ready: () => Promise.resolve(), over: () => undefined };

export function connect(session: Identity): void {
  identity = session;
}

/** Where the answer of a reading call is kept for a time without a network. */
export interface Place {
  keep(data: unknown): void;
  /** Returns what was answered last. */
  find(): Promise<{ data: unknown } | undefined>;
}

/** What is told of calls; filled in once at start-up. */
export interface Watch {
  /** Undefined where an answer is not kept. */
  place(address: string): Place | undefined;
  /** Whether a call has reached the server. */
  reached(is: boolean): void;
}

let watch: Watch = { place: () => undefined, reached: () => undefined };

export function watchCalls(given: Watch): void {
  watch = given;
}

interface Call {
  params?: Params;
  json?: unknown;
  form?: Record<string, string>;
  files?: FormData;
  /** Whoever has to be signed in when it is sent, as `session/own.ts` names people. */
  owner?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A public call: no token, and no sign-out when it is refused. */
  anonymous?: boolean;
}

/** Empty values are left out, lists are joined by commas. */
export function query(params: Params = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    if (text !== '') pairs.set(name, text);
  }
  const text = pairs.toString();
  return text && `?${text}`;
}

function address(path: string, params?: Params): string {
  // A path from data must never carry the token to another host.
  if (!path.startsWith('/') || path.startsWith('//')) throw new Error(`not a path of this server: ${path}`);
  return BASE + path + query(params);
}

function headers(anonymous = false): Record<string, string> {
  const session = anonymous ? undefined : identity.current();
  return {
    Authorization: CLIENT,
    'Accept-Language': language(),
    ...(session && { 'Blade-Auth': `bearer ${session.access}`, 'Tenant-Id': session.tenantId }),
  };
}

/** The envelope of a business call, or the bare fields of a token call. */
interface Envelope {
  code?: number;
  success?: boolean;
  data?: unknown;
  msg?: string;
  error?: ErrorWord;
  error_code?: number;
  error_description?: string;
  requestId?: string;
}

function parse(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    // A proxy's error page.
    return {};
  }
}

function refusal(status: number, body: Envelope): ApiError | undefined {
  const code = body.code ?? body.error_code ?? status;
  if (code === 200 && body.error_description === undefined) return undefined;
  const data = body.data as { fields?: Record<string, string> } | null | undefined;
  const text = body.msg || body.error_description || t('kit.error.unknown');
  return new ApiError(code, text, body.error, data?.fields, body.requestId, body.data);
}

function checked(status: number, text: string, access: string | undefined): Envelope {
  const body = parse(text);
  const error = text === '' ? new ApiError(status, t('kit.error.unknown')) : refusal(status, body);
  if (!error) return body;
  if (access && SESSION_OVER.has(error.code)) identity.over(access);
  throw error;
}

const MORE_TRIES = 2;
/** Seconds; who has to wait longer is told so. */
const LONGEST_WAIT = 5;

/** A call that came too soon after others has done nothing, and says when it may come again: then it is sent again. */
async function ask(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(url, init);
    const seconds = Number(response.headers.get('Retry-After') ?? NaN);
    if (response.status !== 429 || tries === MORE_TRIES || !(seconds <= LONGEST_WAIT)) return response;
    // Not all the calls of a page at the same moment.
    await pause((seconds + Math.random()) * 1000, init.signal);
  }
}

function pause(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function exchange(method: string, path: string, call: Call): Promise<Envelope> {
  if (!call.anonymous) await identity.ready();
  const session = call.anonymous ? undefined : identity.current();
  if (call.owner !== undefined && call.owner !== (session ? `${session.tenantId}/${session.userId}` : ''))
    throw new ApiError(401, t('kit.error.unknown'));
  const access = session?.access;
  const timeout = AbortSignal.timeout(site.requestTimeout);
  const init: RequestInit = {
    method,
    headers: { ...headers(call.anonymous), ...call.headers },
    signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
  };
  if (call.form) init.body = new URLSearchParams(call.form);
  if (call.files) init.body = call.files;
  if (call.json !== undefined) {
    init.body = JSON.stringify(call.json);
    init.headers = { ...init.headers, 'Content-Type': 'application/json' };
  }
  let status: number;
  let text: string;
  try {
    const response = await ask(address(path, call.params), init);
    status = response.status;
    text = await response.text();
    answers += 1;
    watch.reached(true);
  } catch (error) {
    if (call.signal?.aborted) throw error;
    watch.reached(false);
    throw new ApiError(0, timeout.aborted ? t('kit.error.timeout') : t('kit.error.network'), 'network');
  }
  return checked(status, text, access);
}

/** Returns the `data` of the answer. */
async function data(method: string, path: string, call: Call): Promise<unknown> {
  return (await exchange(method, path, call)).data;
}

/** Milliseconds without any answer after which one looks what is kept. */
const SLOW = 6_000;
/** How many calls were answered. */
let answers = 0;
/** No answer at all, or a proxy's word that the server behind it does not answer. */
const AWAY = new Set([0, 502, 504]);

/** The same of a reading call. Where the server is out of reach it is what was answered before, if that is kept. */
async function read(path: string, params?: Params, signal?: AbortSignal): Promise<unknown> {
  const asked = data('GET', path, { params, signal });
  const place = watch.place(path + query(params));
  if (!place) return asked;
  const settled = asked.then(
    (found) => {
      place.keep(found);
      return found;
    },
    async (error) => {
      const kept = error instanceof ApiError && AWAY.has(error.code) ? await place.find() : undefined;
      if (kept === undefined) throw error;
      return kept.data;
    },
  );
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  settled.then(end, end);
  const begun = answers;
  // A network that takes everything and gives nothing.
  const late = pause(SLOW, signal).then(async () => {
    if (isSettled || answers > begun) return settled;
    watch.reached(false);
    return (await place.find())?.data ?? settled;
  });
  return Promise.race([settled, late]);
}

/** A file of the server, under the name that the server gives it. */
export interface Download {
  blob: Blob;
  name: string;
}

async function download(path: string, params?: Params): Promise<Download> {
  await identity.ready();
  const access = identity.current()?.access;
  const signal = AbortSignal.timeout(site.requestTimeout);
  let response: Response;
  try {
    response = await ask(address(path, params), { headers: headers(), signal });
  } catch {
    throw new ApiError(0, t(signal.aborted ? 'kit.error.timeout' : 'kit.error.network'), 'network');
  }
  if (response.headers.get('Content-Type')?.startsWith('application/json') || !response.ok) {
    checked(response.status, await response.text(), access);
  }
  return { blob: await response.blob(), name: nameOf(response) ?? 'download' };
}

/** The name that the server gives a file: plain where it is ASCII, else encoded (RFC 6266). */
function nameOf(response: Response): string | undefined {
  const said = response.headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(said)?.[1];
  return encoded ? decodeURIComponent(encoded) : /filename="([^"]+)"/.exec(said)?.[1];
}

export interface Upload<Asked = Params> {
  query?: Asked;
  /** Is told the share that has been sent, from 0 to 1. */
  progress?: (share: number) => void;
  signal?: AbortSignal;
}

/** Sends one file, or a form with several, as multipart. `fetch` cannot tell the progress, so this one is XHR. */
async function upload(path: string, content: File | FormData, options: Upload): Promise<unknown> {
  const { query: params, progress, signal } = options;
  await identity.ready();
  const access = identity.current()?.access;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address(path, params));
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.timeout = site.requestTimeout;
    request.upload.onprogress = (event) => event.total > 0 && progress?.(event.loaded / event.total);
    request.onload = () => {
      try {
        resolve(checked(request.status, request.responseText, access).data);
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(new ApiError(0, t('kit.error.network'), 'network'));
    request.ontimeout = () => reject(new ApiError(0, t('kit.error.timeout'), 'network'));
    signal?.addEventListener('abort', () => request.abort());
    if (content instanceof FormData) request.send(content);
    else {
      const body = new FormData();
      body.append('file', content);
      request.send(body);
    }
  });
}

/** Calls whose path is put together while the console runs. Their answers are unknown; only `nounCalls.ts`, which has
 * the types of a noun's calls from the noun itself, and what is sent later than it was entered use them. */
export const untyped = {
  get: read,
  post: (path: string, json?: unknown, params?: Params, headers?: Record<string, string>) =>
    data('POST', path, { json, params, headers }),
  /** Sends something for a person, and not at all where somebody else is signed in by then. */
  postFor: (owner: string, path: string, sent: object, headers?: Record<string, string>) =>
    data('POST', path, { owner, headers, ...(sent instanceof FormData ? { files: sent } : { json: sent }) }),
  download,
  upload,
};

/** An argument that must be given only where the document requires it. */
type Given<T, Rest extends unknown[]> = undefined extends T
  ? [value?: T, ...Rest]
  : Record<never, never> extends T
    ? [value?: T, ...Rest]
    : [value: T, ...Rest];

export const api = {
  get: async <P extends Path<'get'>>(path: P, ...asked: Given<Query<'get', P>, [signal?: AbortSignal]>) => {
    const [params, signal] = asked as unknown as [Params?, AbortSignal?];
    return (await read(path, params, signal)) as Answer<'get', P>;
  },

  /** Asks for a list by filters that the person has set; their names come from the list's declaration. */
  list: async <P extends Path<'get'>>(path: P, params: Params, signal?: AbortSignal) =>
    (await read(path, params, signal)) as Answer<'get', P>,

  post: async <P extends Path<'post'>>(
    path: P,
    ...sent: Given<Body<P>, Given<Query<'post', P>, [headers?: Record<string, string>]>>
  ) => {
    const [json, params, headers] = sent as unknown as [unknown?, Params?, Record<string, string>?];
    return (await data('POST', path, { json, params, headers })) as Answer<'post', P>;
  },

  download: (path: FilePath, params?: Params) => download(path, params),

  /** A call that needs no session. */
  open: async <P extends Path<'get'>>(path: P, ...asked: Given<Query<'get', P>, [signal?: AbortSignal]>) => {
    const [params, signal] = asked as unknown as [Params?, AbortSignal?];
    return (await data('GET', path, { anonymous: true, params, signal })) as Answer<'get', P>;
  },

  /** The same for one that sends something. */
  openPost: async <P extends Path<'post'>>(path: P, ...sent: Given<Body<P>, Given<Query<'post', P>, []>>) => {
    const [json, params] = sent as unknown as [unknown?, Params?];
    const body = json instanceof FormData ? { files: json } : { json };
    return (await data('POST', path, { anonymous: true, params, ...body })) as Answer<'post', P>;
  },

  /** The token calls take a form and answer without an envelope; the document leaves them out. */
  token: async (
    path: '/blade-auth/oauth/token' | '/equip-auth/oauth/token',
    form: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Token> => (await exchange('POST', path, { form, headers, anonymous: true })) as unknown as Token,

  upload: async <P extends UploadPath & Path<'post'>>(
    path: P,
    content: File | FormData,
    options: Upload<Query<'post', P>> = {},
  ) => (await upload(path, content, options as Upload)) as Answer<'post', P>,
};
