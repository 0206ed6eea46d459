/**
 * Why a request got no response, in one line. The message of `fetch` is only "fetch failed"; the reason is one of its causes.
 * @param reasons texts for the error codes of Node.js and undici, such as `ECONNREFUSED`
 * @returns the message of the deepest cause, with its code, if none of them has a known code
 */
export function networkReason(thrown: unknown, reasons: Readonly<Record<string, string>>): string {
  let deepest: ErrorFacts = {};
  for (let each = thrown; isErrorLike(each); each = each.cause ?? each.errors?.[0]) {
    const known = each.code === undefined ? undefined : reasons[each.code];
    if (known !== undefined) return known;
    deepest = each;
  }
  const { message = 'unknown reason', code } = deepest;
  return typeof code === 'string' && !message.includes(code) ? `${message} (${code})` : message;
}

interface ErrorFacts {
  readonly message?: string;
  readonly code?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/** Errors of Node.js may come from another realm, so `instanceof Error` can be false. */
const isErrorLike = (value: unknown): value is ErrorFacts =>
  typeof value === 'object' && value !== null && 'message' in value;
