/** Why fetch failed, in one line. Its own message is "fetch failed"; the reason is somewhere below. */
export function connectionReason(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== undefined && REASONS[code]) return REASONS[code];
    if (cause.cause === undefined) return withCode(cause, code);
  }
  return String(error);
}

const withCode = (error: Error, code: string | undefined): string => {
  const text = error.message || error.name;
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
};

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
