/** A response with a status of 400 or above, or one that did not come from this API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    /** The server's message, without secrets. */
    readonly faultstring: string,
  ) {
    super(faultstring);
  }
}

/** No response: refused, reset, unknown host, untrusted certificate, timeout. The address has no query and no login. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  constructor(
    readonly address: string,
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`Cannot reach ${address}: ${reason}`, { cause });
  }
}

export const isNotFound = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 404;
