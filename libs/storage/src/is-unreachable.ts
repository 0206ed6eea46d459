/** Names of the driver's errors that say that the server was not there, and nothing about what was asked of it. */
const AWAY = /^Mongo(ose)?(Network|ServerSelection|NotConnected|PoolCleared|TopologyClosed|ServerClosed)/;

/** True for errors after which the same call may well succeed, once the store is back. */
export const isUnreachable = (error: unknown): boolean => error instanceof Error && AWAY.test(error.name);
