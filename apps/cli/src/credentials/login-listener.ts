import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError } from '../exit-codes';

/** Waits for a browser on this computer (RFC 8252). Other users of the computer can send requests, too. */
export interface LoginListener {
  /** The address of the login. Anybody who knows it could complete another user's login at this listener. */
  readonly loginAddress: string;
  /** Redirects to the login, once. Other users see it in the list of processes when a browser is opened with it. */
  readonly startAddress: string;
  /** The code from the browser. @throws CommandError if somebody else has used the start address */
  code(signal: AbortSignal): Promise<string>;
  close(): void;
}

const PATH_BYTES = 16;

/**
 * @param state what the browser must send with the code. Other requests are refused, and the listener keeps waiting.
 * @param loginAddress the address of the login that ends at this port
 */
export async function listenForLogin(state: string, loginAddress: (port: number) => string): Promise<LoginListener> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const start = { path: `/${randomBytes(PATH_BYTES).toString('base64url')}`, address: loginAddress(port) };
  const received = receivedCode(server, `127.0.0.1:${port}`, state, start);
  // It is not an unhandled rejection, because `code` rejects, too.
  received.catch(() => undefined);
  return {
    loginAddress: start.address,
    startAddress: `http://127.0.0.1:${port}${start.path}`,
    code: (signal) => Promise.race([received, rejectedBy(signal)]),
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function receivedCode(
  server: Server,
  host: string,
  state: string,
  start: { readonly path: string; readonly address: string },
): Promise<string> {
  let isStarted = false;
  return new Promise((resolve, reject) => {
    server.on('request', ({ method, url = '/', headers }, response) => {
      const { pathname, searchParams } = new URL(url, `http://${host}`);
      const code = searchParams.get('code');
      // A website could reach this port under a name of its own (DNS rebinding).
      if (method !== 'GET' || headers.host !== host) return send(response, 400, WRONG);
      if (pathname === start.path && !isStarted) {
        isStarted = true;
        return send(response, 303, '', { Location: start.address });
      }
      if (pathname === start.path) {
        send(response, 410, USED);
        return reject(new CommandError(INTERFERENCE));
      }
      if (pathname !== '/' || code === null || !isSame(searchParams.get('state') ?? '', state)) {
        return send(response, 400, WRONG);
      }
      send(response, 200, RECEIVED);
      resolve(code);
    });
  });
}

const RECEIVED = 'The login has arrived. Go back to svc, and close this page.';
const WRONG = 'This is not the login that svc is waiting for. Use the address that svc shows.';
const USED = 'This address works once. Start svc login again.';
const INTERFERENCE =
  'The browser opened an address that had already been used. If you did not open it twice, another user of this computer did: start again with --no-browser.';

function send(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  const always = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', Connection: 'close' };
  response.writeHead(status, { ...always, ...headers }).end(text);
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function rejectedBy(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}
