/** A server for tests: answers by method and path, and remembers what it was asked. Reached by nothing but tests. */
import { vi } from 'vitest';

export interface Asked {
  method: string;
  /** Without /api and query. */
  path: string;
  params: Record<string, string>;
  headers: Record<string, string>;
  /** JSON as it was meant, a form as an object. */
  body: unknown;
}

type Answer = (asked: Asked) => unknown;

/** Thrown by an answer: HTTP status and body. */
export class Refused {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}

/** Marks an answer that goes out without the envelope. */
export class Bare {
  constructor(readonly body: object) {}
}

function asObject(body: unknown): unknown {
  if (body instanceof URLSearchParams || body instanceof FormData) return Object.fromEntries(body);
  return typeof body === 'string' ? JSON.parse(body) : undefined;
}

/** `answers` by "GET /path". What is not among them is answered 404. Returns the list of what was asked. */
export function serve(answers: Record<string, Answer>): Asked[] {
  const log: Asked[] = [];
  const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://server.test');
    const asked: Asked = {
      method: init.method ?? 'GET',
      path: url.pathname.replace(/^\/api/, ''),
      params: Object.fromEntries(url.searchParams),
      headers: init.headers as Record<string, string>,
      body: asObject(init.body),
    };
    log.push(asked);
    const answer = answers[`${asked.method} ${asked.path}`];
    if (!answer) return json(404, { code: 404, success: false, msg: `no ${asked.path}` });
    try {
      const data = await answer(asked);
      return data instanceof Bare
        ? json(200, data.body)
        : json(200, { code: 200, success: true, data, msg: '' });
    } catch (refused) {
      if (refused instanceof Refused) return json(refused.status, refused.body);
      throw refused;
    }
  });
  return log;
}
