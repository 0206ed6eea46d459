import { fault, isFault, type Fault } from '@switchyard/base';

/** Explains why a request failed. Names only the server of the URL, because paths and queries may contain secrets. */
export function describeHttpFailure(thrown: unknown, { origin }: URL): Fault {
  if (isFault(thrown)) return thrown;
  return fault('runner.http-failed', { origin, reason: reasonOf(thrown) }, { cause: thrown });
}

interface ErrorFacts {
  readonly message?: string;
  readonly code?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed before the response was complete',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up at the moment',
};

function reasonOf(thrown: unknown): string {
  let deepest: ErrorFacts = {};
  for (let each = thrown; isErrorLike(each); each = each.cause ?? each.errors?.[0]) {
    const known = each.code === undefined ? undefined : REASONS[each.code];
    if (known !== undefined) return `${known} (${each.code})`;
    deepest = each;
  }
  const { message = 'no reason is known', code } = deepest;
  return typeof code === 'string' && !message.includes(code) ? `${message} (${code})` : message;
}

/** Node.js errors may come from another realm, so `instanceof Error` is not reliable. */
const isErrorLike = (value: unknown): value is ErrorFacts =>
  typeof value === 'object' && value !== null && 'message' in value;
