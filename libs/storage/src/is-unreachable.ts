/** Names of driver errors that mean that the server was unavailable, whatever the request. */
const AWAY = /^Mongo(ose)?(Network|ServerSelection|NotConnected|PoolCleared|TopologyClosed|ServerClosed)/;

/** Whether the same call may succeed once the store is available again. */
export function isUnreachable(error: unknown): boolean {
  const reason = bulkFailure(error) ?? error;
  return reason instanceof Error && AWAY.test(reason.name);
}

/** The error with which a bulk write failed as a whole. The driver wraps it. */
export function bulkFailure(error: unknown): Error | undefined {
  if (!(error instanceof Error) || error.name !== 'MongoBulkWriteError') return undefined;
  const { errorResponse } = error as { errorResponse?: unknown };
  return errorResponse instanceof Error ? errorResponse : undefined;
}
