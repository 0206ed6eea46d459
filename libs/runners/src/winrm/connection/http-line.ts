import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fault, HOUR_MS, MIB, SECOND_MS } from '@switchyard/base';
import type { Client } from 'undici';
import { describeHttpFailure } from '../../http-request/describe-failure';
import { readResponseBytes } from '../../http-request/read-bytes';
import { openSocket, type SocketRoute } from './open-socket';

export interface HttpAnswer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A connection for sequential requests: NTLM authenticates a connection, not a request. */
export interface HttpLine {
  /** Number of connections so far: if the host closes one, the next request opens another. */
  readonly connections: number;
  /** The host's certificate, DER, if the connection is encrypted. */
  readonly certificate: Buffer | undefined;
  /** @throws Fault `runner.http-failed`, or the reason of `signal` */
  post(headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** Hosts respond within the operation timeout, see `soapEnvelope`. */
const SILENCE_MS = 90 * SECOND_MS;
/** Far more than the requested envelope size. */
const MOST_ANSWER_BYTES = 4 * MIB;

/** Connects. Loads undici on first use, because loading takes a tenth of a second. */
export async function openHttpLine(route: SocketRoute, signal: AbortSignal): Promise<HttpLine> {
  const { Client } = await import('undici');
  try {
    return new UndiciLine(route, await openSocket(route, signal), Client);
  } catch (thrown) {
    throw signal.aborted ? signal.reason : describeHttpFailure(thrown, route.url);
  }
}

class UndiciLine implements HttpLine {
  readonly #route: SocketRoute;
  readonly #client: Client;
  readonly #closing = new AbortController();
  #socket: Socket;
  #isUsed = false;
  connections = 1;

  constructor(route: SocketRoute, socket: Socket, UndiciClient: typeof Client) {
    this.#route = route;
    this.#socket = socket;
    this.#client = new UndiciClient(route.url.origin, {
      connect: (_options, callback) => {
        this.#connect().then(
          (ready) => callback(null, ready),
          (thrown: unknown) => callback(thrown as Error, null),
        );
      },
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      keepAliveTimeout: HOUR_MS,
      keepAliveMaxTimeout: HOUR_MS,
    });
  }

  get certificate(): Buffer | undefined {
    return this.#socket instanceof TLSSocket ? this.#socket.getPeerX509Certificate()?.raw : undefined;
  }

  async post(headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal): Promise<HttpAnswer> {
    try {
      return await this.#post(headers, body, signal);
    } catch (thrown) {
      throw signal.aborted ? signal.reason : describeHttpFailure(thrown, this.#route.url);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (!this.#isUsed) this.#socket.destroy();
    await this.#client.destroy();
  }

  async #post(headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal): Promise<HttpAnswer> {
    const { host, pathname: path } = this.#route.url;
    const answer = await this.#client.request({ path, method: 'POST', headers: { ...headers }, body, signal });
    const encoding = String(answer.headers['content-encoding'] ?? '');
    const { bytes, truncated } = await readResponseBytes(answer.body, encoding, MOST_ANSWER_BYTES);
    if (truncated) throw fault('winrm.answer', { host, reason: 'it is too long' });
    return { status: answer.statusCode, headers: answer.headers, body: bytes };
  }

  async #connect(): Promise<Socket> {
    if (this.#isUsed) {
      this.connections++;
      this.#socket = await openSocket(this.#route, this.#closing.signal);
    }
    this.#isUsed = true;
    return this.#socket;
  }
}

/** Sends messages in the form that the host accepts. */
export interface Login {
  readonly name: string;
  send(message: Buffer, signal: AbortSignal): Promise<HttpAnswer>;
}

export const SOAP_TYPE = 'application/soap+xml;charset=UTF-8';
