import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import type { Answer } from './answer';

export interface Sent {
  readonly method: string;
  /** The path in the API document with the query, percent-encoded as sent. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent unchanged if it is a string or bytes, otherwise as JSON. */
  readonly body?: unknown;
  readonly timeoutMs?: number;
  /** Does not wait for the end of the body, for streams. */
  readonly headOnly?: boolean;
}

export interface Caller {
  /** The headers of the logged-in user, or empty. */
  token(): string;
  send(sent: Sent): Promise<Answer>;
  /** A body is JSON. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  close(): void;
}

export type Credentials = Readonly<Record<string, string>>;

/** Called for every response. */
export type Watch = (sent: Sent, answer: Answer) => void;

const TIMEOUT_MS = 120_000;
/** Longer bodies are counted but not kept. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** @param urlOf the URL of a path of the API document, which changes when the system restarts */
export function createCaller(urlOf: (path: string) => string, credentials: () => Credentials, watch: Watch): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const send = async (sent: Sent): Promise<Answer> => {
    const whole = { ...sent, headers: { ...credentials(), ...sent.headers } };
    const first = await exchange(agent, urlOf(sent.path), whole);
    // The server may close a keep-alive connection just as it is reused, so every client retries once.
    const answer = first.isStale && sent.method === 'GET' ? await exchange(agent, urlOf(sent.path), whole) : first;
    watch(sent, answer);
    return answer;
  };
  return {
    token: () => credentials()['x-auth-token'] ?? '',
    send,
    call: (method, path, body) =>
      send({ method, path, body, headers: body === undefined ? {} : { 'content-type': 'application/json' } }),
    close: () => agent.destroy(),
  };
}

/** Never rejects: any outcome of a hostile request is a response. */
function exchange(agent: Agent, url: string, sent: Sent): Promise<Answer & { readonly isStale: boolean }> {
  const { method, headers = {}, body, timeoutMs = TIMEOUT_MS, headOnly = false } = sent;
  const start = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let [status, bytes, kept] = [0, 0, 0];
    const end = (failure?: string) => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString();
      resolve({
        isStale: status === 0 && outgoing.reusedSocket && performance.now() - start < timeoutMs,
        status,
        text,
        bytes,
        durationMs: performance.now() - start,
        ...(failure !== undefined && { failure }),
      });
    };
    const payload = payloadOf(body);
    const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) };
    const outgoing = request(url, { method, agent, headers: { ...length, ...headers } }, (response) => {
      status = response.statusCode ?? 0;
      if (headOnly && status < 400) {
        response.destroy();
        return end();
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (kept < KEPT_BYTES) kept += chunks.push(chunk) && chunk.length;
      });
      response.on('end', () => end());
      response.on('error', (error) => end(error.message));
    });
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    outgoing.on('error', (error) => end(error.message));
    outgoing.end(payload);
  });
}

function payloadOf(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}
