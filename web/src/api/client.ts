/** The one way to the server: same origin, the headers of the contract, a time-out, and the envelope taken off. */
import { language, t } from '@/i18n';
import { site } from '@/site';

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
    readonly error = '',
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
  current(): { access: string; tenantId: string } | undefined;
  /** Resolves when the token is young enough to be used. */
  ready(): Promise<void>;
  /** The server refused this access token for good. */
  over(access: string): void;
}

let identity: Identity = { current: () => undefined, ready: () => Promise.resolve(), over: () => undefined };

export function connect(session: Identity): void {
  identity = session;
}

export type Value = string | number | boolean | null | undefined;
export type Params = Readonly<Record<string, Value | readonly (string | number)[]>>;

interface Call {
  params?: Params;
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A public call: no token, and no sign-out when it is refused. */
  anonymous?: boolean;
}

/** Empty values are left out, lists are joined by commas. */
function query(params: Params = {}): string {
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

interface Body {
  code?: number;
  success?: boolean;
  data?: unknown;
  msg?: string;
  error?: string;
  error_code?: number;
  error_description?: string;
  requestId?: string;
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    // A proxy's error page.
    return {};
  }
}

function refusal(status: number, body: Body): ApiError | undefined {
  const code = body.code ?? body.error_code ?? status;
  if (code === 200 && body.error_description === undefined) return undefined;
  const data = body.data as { fields?: Record<string, string> } | null | undefined;
  const text = body.msg || body.error_description || t('kit.error.unknown');
  return new ApiError(code, text, body.error, data?.fields, body.requestId, body.data);
}

function checked(status: number, text: string, access: string | undefined): Body {
  const body = parse(text);
  const error = text === '' ? new ApiError(status, t('kit.error.unknown')) : refusal(status, body);
  if (!error) return body;
  if (access && SESSION_OVER.has(error.code)) identity.over(access);
  throw error;
}

async function exchange(method: string, path: string, call: Call): Promise<Body> {
  if (!call.anonymous) await identity.ready();
  const access = call.anonymous ? undefined : identity.current()?.access;
  const timeout = AbortSignal.timeout(site.requestTimeout);
  const init: RequestInit = {
    method,
    headers: { ...headers(call.anonymous), ...call.headers },
    signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
  };
  if (call.form) init.body = new URLSearchParams(call.form);
  if (call.json !== undefined) {
    init.body = JSON.stringify(call.json);
    init.headers = { ...init.headers, 'Content-Type': 'application/json' };
  }
  let status: number;
  let text: string;
  try {
    const response = await fetch(address(path, call.params), init);
    status = response.status;
    text = await response.text();
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new ApiError(0, timeout.aborted ? t('kit.error.timeout') : t('kit.error.network'), 'network');
  }
  return checked(status, text, access);
}

async function data<T>(method: string, path: string, call: Call): Promise<T> {
  return (await exchange(method, path, call)).data as T;
}

export const api = {
  get: <T>(path: string, params?: Params, signal?: AbortSignal) => data<T>('GET', path, { params, signal }),

  post: <T>(path: string, json?: unknown, params?: Params, headers?: Record<string, string>) =>
    data<T>('POST', path, { json, params, headers }),

  /** A file, and the name the server gives it. */
  download: async (path: string, params?: Params): Promise<{ blob: Blob; name: string }> => {
    await identity.ready();
    const access = identity.current()?.access;
    const signal = AbortSignal.timeout(site.requestTimeout);
    let response: Response;
    try {
      response = await fetch(address(path, params), { headers: headers(), signal });
    } catch {
      throw new ApiError(0, t(signal.aborted ? 'kit.error.timeout' : 'kit.error.network'), 'network');
    }
    if (response.headers.get('Content-Type')?.startsWith('application/json') || !response.ok) {
      checked(response.status, await response.text(), access);
    }
    const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
    return { blob: await response.blob(), name: name ?? 'download' };
  },

  /** A call that needs no session. */
  open: <T>(path: string, signal?: AbortSignal) => data<T>('GET', path, { anonymous: true, signal }),

  /** The token calls: form in, bare answer out. */
  token: async <T>(path: string, form: Record<string, string>, extra?: Record<string, string>): Promise<T> =>
    (await exchange('POST', path, { form, headers: extra, anonymous: true })) as T,

  /** One file, or a form with several, as multipart. `progress` is told the share sent, 0 to 1; fetch cannot tell it, so
   * this one is XHR. */
  upload: async <T>(
    path: string,
    content: File | FormData,
    progress: (share: number) => void,
    signal?: AbortSignal,
  ): Promise<T> => {
    await identity.ready();
    const access = identity.current()?.access;
    return new Promise<T>((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('POST', address(path));
      for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
      request.timeout = site.requestTimeout;
      request.upload.onprogress = (event) => event.total > 0 && progress(event.loaded / event.total);
      request.onload = () => {
        try {
          resolve(checked(request.status, request.responseText, access).data as T);
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
  },
};
