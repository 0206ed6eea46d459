import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Client } from 'undici';
import { fault, HOUR_MS, MIB, SECOND_MS } from '@switchyard/base';
import { describeFailure } from '../../http-request/describe-failure';
import { readBytes } from '../../http-request/read-bytes';
import { openSocket, type Route } from './open-socket';

export interface HttpAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** One connection to a host, on which requests follow each other: logging in by NTLM is for a connection, not for a request. */
export interface HttpLine {
  /** The host may close a connection, and then the next request opens another one: this counts them. */
  readonly connections: number;
  /** That of the host, DER, where the connection is encrypted. */
  readonly certificate: Buffer | undefined;
  /** @throws Fault `runner.http-failed`, or the reason of `signal` */
  post(headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** Hosts answer within the operation timeout, see `soapEnvelope`. */
const SILENCE_MS = 90 * SECOND_MS;
/** Far more than the envelopes that are asked for. */
const MOST_ANSWER_BYTES = 4 * MIB;

/** Connects. undici is loaded with the first connection: it costs a tenth of a second. */
export async function openHttpLine(route: Route, signal: AbortSignal): Promise<HttpLine> {
  const { Client } = await import('undici');
  try {
    return new UndiciLine(route, await openSocket(route, signal), Client);
  } catch (thrown) {
    throw signal.aborted ? signal.reason : describeFailure(thrown, route.url);
  }
}

class UndiciLine implements HttpLine {
  readonly #route: Route;
  readonly #client: Client;
  readonly #closing = new AbortController();
  #socket: Socket;
  #isUsed = false;
  connections = 1;

  constructor(route: Route, socket: Socket, UndiciClient: typeof Client) {
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
      throw signal.aborted ? signal.reason : describeFailure(thrown, this.#route.url);
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
    const { bytes, truncated } = await readBytes(answer.body, encoding, MOST_ANSWER_BYTES);
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
