import { isPlainObject } from '@switchyard/base';
import { ApiError } from '../api-error';
import type { ClientOptions } from '../client-options';
import { safeParse } from './answer';
import { plainAddress, type ApiCall } from './call';

/** The error for a response without success, with the secrets of the call masked in the server's message. */
export async function apiError(
  options: ClientOptions,
  call: ApiCall,
  response: Response,
  text: string,
): Promise<ApiError> {
  const { status, statusText } = response;
  if (status < 400) {
    const target = plainAddress(response.headers.get('location') ?? '');
    return new ApiError(status, `The address redirects to ${target}. Configure that address instead.`);
  }
  const fault: unknown = safeParse(text);
  const stated = isPlainObject(fault) && typeof fault['faultstring'] === 'string' ? fault['faultstring'] : undefined;
  const scrub = await scrubber(options, call);
  return new ApiError(status, scrub(stated || statusText || `HTTP status ${status}`));
}

/** Masks the secrets of a call in texts, both as they are and URL-encoded. Loads the mask on first use: see `loadStatuses`. */
export async function scrubber(options: ClientOptions, call: ApiCall): Promise<(text: string) => string> {
  const { MASK } = await import('@switchyard/model');
  const secrets = secretsOf(options, call);
  return (text) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK).replaceAll(encodeURIComponent(secret), MASK), text);
}

const secretsOf = (options: ClientOptions, call: ApiCall): string[] =>
  [options.token, options.apiKey, options.basicAuth?.password, call.login?.password, ...(call.secrets ?? [])].filter(
    (secret): secret is string => Boolean(secret),
  );
