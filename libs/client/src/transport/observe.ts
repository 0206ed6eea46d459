import { maskNames, maskQuery } from '@switchyard/model';
import type { ClientOptions } from '../client-options';
import { safeParse } from './answer';
import { callUrl, type Call } from './call';
import { baseOf, headersOf } from './request-init';
import { scrubbed, secretsOf } from './secrets';

/** How API keys and their hashes are called in bodies. */
const KEY_NAMES = ['key', 'key_hash'];

/** Tells the observer of a request; what it returns tells it of the answer. */
export function observe(options: ClientOptions, call: Call): (status: number, text?: string) => void {
  const { observer } = options;
  if (!observer) return () => undefined;
  const { method } = call;
  const secrets = secretsOf(options, call);
  const hidden = [...KEY_NAMES, ...(call.secretNames ?? [])];
  const url = scrubbed(maskQuery(callUrl(baseOf(options, call), call)), secrets);
  const body = call.body === undefined ? {} : { body: maskNames(call.body, hidden) };
  observer.request?.({ method, url, headers: maskNames(headersOf(options, call)), ...body });
  const start = performance.now();
  return (status, text) => {
    const durationMs = Math.round(performance.now() - start);
    const answer = text === undefined ? {} : { body: maskNames(safeParse(text) ?? scrubbed(text, secrets), hidden) };
    observer.answer?.({ method, url, status, durationMs, ...answer });
  };
}
