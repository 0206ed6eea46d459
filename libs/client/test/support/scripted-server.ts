import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  // Tests read bodies without types.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown; text?: string };
/** Returns the response as an object, or writes it itself and returns nothing. */
export type Handler = (request: SeenRequest, response: ServerResponse) => Answer | void | Promise<Answer | void>;

export interface ScriptedServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Requests by method and path, such as `GET /v1/user`. */
  readonly lines: () => string[];
  on(line: string, handler: Handler): void;
  close(): Promise<void>;
}

/** A real server with the responses that a test scripts. `*` in a line matches one path segment. */
export async function startServer(tls?: { key: string; cert: string }): Promise<ScriptedServer> {
  const handlers: [RegExp, Handler][] = [];
  const seen: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://server');
    const line = `${request.method} ${url.pathname}`;
    void readBody(request).then(async (body) => {
      const facts = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
      };
      seen.push(facts);
      const handler = handlers.find(([pattern]) => pattern.test(line))?.[1] ?? notFound;
      const answer = await handler(facts, response);
      if (answer) send(response, answer);
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    lines: () => seen.map(({ method, path }) => `${method} ${path}`),
    on: (line, handler) => void handlers.unshift([pattern(line), handler]),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The frame of a server-sent event. */
export const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

const pattern = (line: string): RegExp =>
  new RegExp(`^${line.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]+')}$`);

const notFound: Handler = () => ({ status: 404, body: { faultstring: 'The resource could not be found.' } });

function send(response: ServerResponse, { status = 200, headers = {}, body, text }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text ?? (body === undefined ? '' : JSON.stringify(body)));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const piece of request) text += String(piece);
  if (request.headers['content-type'] === 'text/plain') return text;
  return text === '' ? undefined : JSON.parse(text);
}
