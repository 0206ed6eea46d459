import { catalogue, isFault, KIB } from '@switchyard/base';
import type { RouteResponse } from '../routing/route';

/** The response to a failure: the text of a fault, or, for internal errors, only that one occurred. */
export function faultResponse(thrown: unknown): RouteResponse {
  if (!isFault(thrown) || thrown.status === 500)
    return { status: 500, body: { faultstring: catalogue.internal.template } };
  const { status, extra, message } = thrown;
  const headers: Record<string, string> = {};
  if (typeof extra['retry_after'] === 'number') headers['Retry-After'] = String(extra['retry_after']);
  // The rest of the body is not read, so the connection cannot be reused.
  if (status === 413 || thrown.code === 'request.too-many-bodies') headers['Connection'] = 'close';
  return { status, headers, body: { ...extra, faultstring: shortened(message) } };
}

/** Messages may quote the input, which can be megabytes. */
const LONGEST_MESSAGE = 16 * KIB;

const shortened = (message: string): string =>
  message.length <= LONGEST_MESSAGE
    ? message
    : `${message.slice(0, LONGEST_MESSAGE)}… [${message.length} characters in total, truncated]`;
