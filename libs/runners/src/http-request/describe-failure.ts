import { fault, isFault, networkReason, type Fault } from '@switchyard/base';

/** Explains why a request failed. Names only the server of the URL, because paths and queries may contain secrets. */
export function describeHttpFailure(thrown: unknown, { origin }: URL): Fault {
  if (isFault(thrown)) return thrown;
  return fault('runner.http-failed', { origin, reason: networkReason(thrown, REASONS) }, { cause: thrown });
}

const CLOSED = 'the connection was closed before the response was complete';
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused (ECONNREFUSED)',
  ECONNRESET: `${CLOSED} (ECONNRESET)`,
  UND_ERR_SOCKET: `${CLOSED} (UND_ERR_SOCKET)`,
  ENOTFOUND: 'the name of the host is not known (ENOTFOUND)',
  EAI_AGAIN: 'the name of the host cannot be looked up at the moment (EAI_AGAIN)',
};
