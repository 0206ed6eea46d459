import { fault } from '@switchyard/base';
import type { RouteRequest } from '@switchyard/http';

const LONGEST = 200;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The key from the header `Idempotency-Key`, which keeps a request from taking effect twice. Keys of different users are
 * separate.
 * @throws Fault `execution.request-key`
 */
export function requestKey({ header, requester }: Pick<RouteRequest, 'header' | 'requester'>): string | undefined {
  const key = header('idempotency-key');
  if (key === undefined) return undefined;
  if (key.length > LONGEST || !PRINTABLE.test(key)) throw fault('execution.request-key', { maximum: LONGEST });
  return `http:${encodeURIComponent(requester.user)}:${key}`;
}
