/** Why fetch failed, in one line. Its own message is "fetch failed"; the reason is somewhere below. */
export function connectionReason(error: unknown): string {
  let deepest: ErrorFacts = {};
  for (let each = error; isErrorLike(each); each = each.cause) {
    const known = each.code === undefined ? undefined : REASONS[each.code];
    if (known !== undefined) return known;
    deepest = each;
  }
  const { message = 'no reason is known', code } = deepest;
  return typeof code === 'string' && !message.includes(code) ? `${message} (${code})` : message;
}

interface ErrorFacts {
  readonly message?: string;
  readonly code?: string;
  readonly cause?: unknown;
}

/** Errors of Node.js itself need not be instances of this context's Error. */
const isErrorLike = (value: unknown): value is ErrorFacts =>
  typeof value === 'object' && value !== null && 'message' in value;

const UNTRUSTED = 'its certificate is not trusted. Name the certificate of its authority (CA) to trust it';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused. Is the service running, and is this its address?',
  ECONNRESET: 'the connection was closed before an answer came',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up at the moment',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
};
