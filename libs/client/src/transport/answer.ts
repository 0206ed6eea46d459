import { networkReason } from '@switchyard/base';
import { ApiError } from '../api-error';

/** The value of a JSON text; undefined for an empty one. @throws ApiError when it is not JSON */
export function parsed(text: string, status: number): unknown {
  if (text.trim() === '') return undefined;
  const value = safeParse(text);
  if (value !== undefined) return value;
  throw new ApiError(status, 'The response is not JSON. Is this the address of the service?');
}

export function safeParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Why there was no response, in one line. */
export const connectionReason = (error: unknown): string => networkReason(error, REASONS);

const UNTRUSTED = 'its certificate is not trusted. To trust it, configure the certificate of its authority (CA)';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused. Is the service running at this address?',
  ECONNRESET: 'the connection was closed before a response arrived',
  UND_ERR_SOCKET: 'the connection was closed before a response arrived',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
};
