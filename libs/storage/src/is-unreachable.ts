import { types } from 'node:util';

/** Names of driver errors that mean that the server was unavailable, whatever the request. */
const AWAY = /^Mongo(ose)?(Network|ServerSelection|NotConnected|PoolCleared|TopologyClosed|ServerClosed)/;
/** SQLITE_FULL: there is no room on the disk. */
const SQLITE_FULL = 13;
/** MongoDB's OutOfDiskSpace. */
const OUT_OF_DISK_SPACE = 14031;

/** Whether the same call may succeed once the store is available again, or has room. */
export function isUnreachable(error: unknown): boolean {
  const reason = bulkFailure(error) ?? error;
  return types.isNativeError(reason) && (AWAY.test(reason.name) || hasNoRoom(reason));
}

function hasNoRoom(error: Error): boolean {
  const { sqliteCode, code } = error as { sqliteCode?: unknown; code?: unknown };
  return sqliteCode === SQLITE_FULL || code === OUT_OF_DISK_SPACE;
}

/** The error with which a bulk write failed as a whole. The driver wraps it. */
export function bulkFailure(error: unknown): Error | undefined {
  if (!(error instanceof Error) || error.name !== 'MongoBulkWriteError') return undefined;
  const { errorResponse } = error as { errorResponse?: unknown };
  return errorResponse instanceof Error ? errorResponse : undefined;
}
