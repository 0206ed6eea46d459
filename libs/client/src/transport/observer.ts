import type { ClientOptions } from '../client-options';
import { safeParse } from './answer';
import { baseOf, callUrl, headersOf, type ApiCall } from './call';
import { scrubber } from './secrets';

/** Receives every request and response, with credentials and secret fields masked. */
export interface Observer {
  request?(request: ObservedRequest): void;
  answer?(answer: ObservedAnswer): void;
}

export interface ObservedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ObservedAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
  /** Absent for streams. */
  readonly body?: unknown;
}

/** Fields of bodies that hold API keys or their hashes. */
const KEY_NAMES = ['key', 'key_hash'];

/** Reports a request to the observer, if there is one. The returned function reports the response. */
export async function observe(options: ClientOptions, call: ApiCall): Promise<(status: number, text?: string) => void> {
  const { observer } = options;
  if (!observer) return () => undefined;
  const { maskNames, maskQuery } = await import('@switchyard/model');
  const scrub = await scrubber(options, call);
  const { method } = call;
  const hidden = [...KEY_NAMES, ...(call.secretNames ?? [])];
  const url = scrub(maskQuery(callUrl(baseOf(options, call), call)));
  const sent = call.text ?? call.body;
  const body = sent === undefined ? {} : { body: maskNames(sent, hidden) };
  observer.request?.({ method, url, headers: maskNames(headersOf(options, call)), ...body });
  const start = performance.now();
  return (status, text) => {
    const durationMs = Math.round(performance.now() - start);
    const answer = text === undefined ? {} : { body: maskNames(safeParse(text) ?? scrub(text), hidden) };
    observer.answer?.({ method, url, status, durationMs, ...answer });
  };
}
