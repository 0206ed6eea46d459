import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A request that a server received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  /** Names in their original case. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Handler = (request: Received, response: ServerResponse) => void;

export interface TestServer {
  readonly port: number;
  /** Listens on 127.0.0.1. */
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

/** A server on its own loopback port. */
export async function startServer(handle: Handler): Promise<TestServer> {
  const received: Received[] = [];
  return listening(createServer(collect(handle, received)), 'http', received);
}

export interface Certificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
  /** Path of the certificate. */
  readonly file: string;
  remove(): void;
}

/** A self-signed certificate for 127.0.0.1. */
export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'http-request-test-'));
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', file, '-days', '2', ...subject], {
    stdio: 'ignore',
  });
  const remove = () => rmSync(folder, { recursive: true });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(file, 'utf8'), file, remove };
}

export async function startTlsServer({ key, cert }: Certificate, handle: Handler): Promise<TestServer> {
  const received: Received[] = [];
  return listening(createTlsServer({ key, cert }, collect(handle, received)), 'https', received);
}

/** A proxy that responds to plain requests itself, and tunnels encrypted ones. */
export async function startProxy(): Promise<TestServer> {
  const received: Received[] = [];
  const answer = collect((_, response) => response.end('from the proxy'), received);
  const server = createServer(answer);
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    received.push({ ...partsOf(request), body: head });
    const [host = '', port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  return listening(server, 'http', received);
}

const collect =
  (handle: Handler, received: Received[]): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const whole = { ...partsOf(request), body: Buffer.concat(chunks) };
      received.push(whole);
      handle(whole, response);
    });
  };

const partsOf = ({ method = '', url = '', rawHeaders, headers }: IncomingMessage) => ({
  method,
  url,
  rawHeaders,
  headers,
});

async function listening(server: Server, protocol: string, received: Received[]): Promise<TestServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${protocol}://127.0.0.1:${port}`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
