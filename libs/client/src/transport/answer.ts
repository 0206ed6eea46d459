import { isPlainObject } from '@switchyard/base';
import { ApiError } from '../api-error';
import { plainAddress } from './call';
import { scrubbed } from './secrets';

/** What an answer that is no success says. */
export function apiError(response: Response, text: string, secrets: readonly string[]): ApiError {
  const { status, statusText } = response;
  if (status < 400) {
    const target = plainAddress(response.headers.get('location') ?? '');
    return new ApiError(status, `The address answers with a redirection to ${target}. Configure that one instead.`);
  }
  const fault: unknown = safeParse(text);
  const stated = isPlainObject(fault) && typeof fault['faultstring'] === 'string' ? fault['faultstring'] : undefined;
  return new ApiError(status, scrubbed(stated || statusText || `HTTP status ${status}`, secrets));
}

/** The value of a JSON text; undefined for an empty one. @throws ApiError when it is no JSON */
export function parsed(text: string, status: number): unknown {
  if (text.trim() === '') return undefined;
  const value = safeParse(text);
  if (value !== undefined) return value;
  throw new ApiError(status, 'The answer is not JSON. Is this the address of the service?');
}

export function safeParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
