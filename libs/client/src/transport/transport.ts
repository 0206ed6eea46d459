import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, SECOND_MS, type Backoff } from '@switchyard/base';
import { ApiError, ConnectionError } from '../api-error';
import type { ClientOptions } from '../client-options';
import { connectionReason, parsed } from './answer';
import { baseOf, callUrl, plainAddress, requestInit, withoutUserinfo, type ApiCall } from './call';
import { fetchFunction } from './fetch-function';
import { observe } from './observer';
import { apiError } from './secrets';

const DEFAULT_TIMEOUT_MS = 60 * SECOND_MS;
/** Retries of a GET without a response. Other methods are never retried, because they may already have had an
 * effect. */
const RETRIES = 2;
const RETRY: Backoff = { initialMs: 150, factor: 3, maxMs: SECOND_MS };

/** Sends calls. All methods throw ApiError for a status of 400 or above, ConnectionError without a response. */
export interface ApiTransport {
  /** The parsed body and the headers. An empty body is undefined. */
  json<T>(call: ApiCall): Promise<{ body: T; headers: Headers }>;
  text(call: ApiCall): Promise<string>;
  /** Resolves once the response starts. The caller reads the body and ends it with the signal of the call. */
  open(call: ApiCall): Promise<Response>;
}

export function createApiTransport(given: ClientOptions): ApiTransport {
  const sender = createSender(withoutUserinfo(given));
  return {
    async json<T>(call: ApiCall) {
      const { text, response } = await sender.whole(call);
      return { body: parsed(text, response.status) as T, headers: response.headers };
    },
    text: async (call) => (await sender.whole(call)).text,
    open: (call) => sender.begin(call),
  };
}

function createSender(options: ClientOptions) {
  const send = fetchFunction(options);

  async function attempt<T>(call: ApiCall, read: (response: Response, url: string) => Promise<T>): Promise<T> {
    const url = callUrl(baseOf(options, call), call);
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    for (let failures = 1; ; failures++) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), timeoutMs);
      try {
        return await read(await send(url, requestInit(options, call, limit.signal)), url);
      } catch (error) {
        if (call.signal?.aborted || error instanceof ApiError || error instanceof ConnectionError) throw error;
        const reason = limit.signal.aborted ? `no response within ${timeoutMs / SECOND_MS} s` : connectionReason(error);
        const failure = new ConnectionError(plainAddress(baseOf(options, call)), reason, error);
        if (call.method !== 'GET' || limit.signal.aborted || failures > RETRIES) throw failure;
      } finally {
        clearTimeout(timer);
      }
      await sleep(backoffMs(RETRY, failures), undefined, call.signal ? { signal: call.signal } : {});
    }
  }

  return {
    whole: async (call: ApiCall) => {
      const answered = await observe(options, call);
      return attempt(call, async (response) => {
        const text = await response.text();
        answered(response.status, text);
        if (!response.ok) throw await apiError(options, call, response, text);
        return { text, response };
      });
    },
    begin: async (call: ApiCall) => {
      const answered = await observe(options, call);
      return attempt(call, async (response) => {
        answered(response.status);
        if (response.ok) return response;
        throw await apiError(options, call, response, await response.text());
      });
    },
  };
}
