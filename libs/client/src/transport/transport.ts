import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, SECOND_MS, type Backoff } from '@switchyard/base';
import { ApiError, ConnectionError } from '../api-error';
import type { ClientOptions } from '../client-options';
import { apiError, parsed } from './answer';
import { callUrl, plainAddress, type Call } from './call';
import { connectionReason } from './connection-reason';
import { fetchFunction } from './fetch-function';
import { observe } from './observe';
import { baseOf, requestInit } from './request-init';
import { secretsOf } from './secrets';
import { withoutUserinfo } from './userinfo';

const DEFAULT_TIMEOUT_MS = 60 * SECOND_MS;
/** Repetitions of a GET that got no answer. Anything else may have had its effect, and is never repeated. */
const RETRIES = 2;
const RETRY: Backoff = { initialMs: 150, factor: 3, maxMs: SECOND_MS };

/** Sends calls. All methods throw ApiError for answers of 400 and above, ConnectionError when there is no answer. */
export interface Transport {
  /** The parsed body and the headers. An empty body is undefined. */
  json<T>(call: Call): Promise<{ body: T; headers: Headers }>;
  text(call: Call): Promise<string>;
  /** The answer as soon as it begins; its body is left to the caller, who ends it with the call's signal. */
  open(call: Call): Promise<Response>;
}

export function createTransport(given: ClientOptions): Transport {
  const sender = createSender(withoutUserinfo(given));
  return {
    async json<T>(call: Call) {
      const { text, response } = await sender.whole(call);
      return { body: parsed(text, response.status) as T, headers: response.headers };
    },
    text: async (call) => (await sender.whole(call)).text,
    open: (call) => sender.begin(call),
  };
}

function createSender(options: ClientOptions) {
  const send = fetchFunction(options);

  async function attempt<T>(call: Call, read: (response: Response, url: string) => Promise<T>): Promise<T> {
    const url = callUrl(baseOf(options, call), call);
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    for (let failures = 1; ; failures++) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), timeoutMs);
      try {
        return await read(await send(url, requestInit(options, call, limit.signal)), url);
      } catch (error) {
        if (call.signal?.aborted || error instanceof ApiError || error instanceof ConnectionError) throw error;
        const reason = limit.signal.aborted ? `no answer within ${timeoutMs / SECOND_MS} s` : connectionReason(error);
        const failure = new ConnectionError(plainAddress(baseOf(options, call)), reason, error);
        if (call.method !== 'GET' || limit.signal.aborted || failures > RETRIES) throw failure;
      } finally {
        clearTimeout(timer);
      }
      await sleep(backoffMs(RETRY, failures), undefined, call.signal ? { signal: call.signal } : {});
    }
  }

  return {
    whole: (call: Call) => {
      const answered = observe(options, call);
      return attempt(call, async (response) => {
        const text = await response.text();
        answered(response.status, text);
        if (!response.ok) throw apiError(response, text, secretsOf(options, call));
        return { text, response };
      });
    },
    begin: (call: Call) => {
      const answered = observe(options, call);
      return attempt(call, async (response) => {
        answered(response.status);
        if (response.ok) return response;
        throw apiError(response, await response.text(), secretsOf(options, call));
      });
    },
  };
}
