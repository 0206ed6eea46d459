/** An answer with a status of 400 or above, or one that is no answer of this API at all (status of the answer). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    /** What the server says is wrong, without secrets. */
    readonly faultstring: string,
  ) {
    super(faultstring);
  }
}

/** No answer: refused, reset, unknown host, untrusted certificate, too slow. The address has neither query nor login. */
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
