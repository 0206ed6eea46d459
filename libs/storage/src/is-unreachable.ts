import { types } from 'node:util';

/** Names of driver errors that mean that the server was unavailable, whatever the request. */
const AWAY = /^Mongo(ose)?(Network|ServerSelection|NotConnected|PoolCleared|TopologyClosed|ServerClosed)/;
/** SQLITE_FULL: there is no room on the disk. */
const SQLITE_FULL = 13;
/** Codes with which a MongoDB server reports its own state, whatever the request. */
const SERVER_STATES: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  89, // NetworkTimeout
  91, // ShutdownInProgress
  133, // FailedToSatisfyReadPreference
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
]);
/** What servers with the protocol of MongoDB pass on from below, with codes of their own: a full disk, a storage engine that has given up. */
const PASSED_ON = /\b(No space left on device|ENOSPC|WT_PANIC)\b/;

/** Whether the same call may succeed once the store is available again, or has room. */
export function isUnreachable(error: unknown): boolean {
  const reason = bulkFailure(error) ?? error;
  return types.isNativeError(reason) && (AWAY.test(reason.name) || isStateOfServer(reason));
}

function isStateOfServer(error: Error): boolean {
  const { sqliteCode, code } = error as { sqliteCode?: unknown; code?: unknown };
  if (sqliteCode === SQLITE_FULL) return true;
  return error.name.startsWith('Mongo') && (SERVER_STATES.has(code) || PASSED_ON.test(error.message));
}

/** The error with which a bulk write failed as a whole. The driver wraps it. */
export function bulkFailure(error: unknown): Error | undefined {
  if (!(error instanceof Error) || error.name !== 'MongoBulkWriteError') return undefined;
  const { errorResponse } = error as { errorResponse?: unknown };
  return errorResponse instanceof Error ? errorResponse : undefined;
}
