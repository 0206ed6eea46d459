import { MASK } from '@switchyard/model';
import type { ClientOptions } from '../client-options';
import type { Call } from './call';

/** What may not show up in any text about a call. */
export const secretsOf = (options: ClientOptions, call: Call): string[] =>
  [options.token, options.apiKey, options.basicAuth?.password, call.login?.password, ...(call.secrets ?? [])].filter(
    (secret): secret is string => Boolean(secret),
  );

/** The text with these secrets masked, plain or encoded for an address. */
export const scrubbed = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK).replaceAll(encodeURIComponent(secret), MASK), text);
