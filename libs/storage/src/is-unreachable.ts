/** Names of driver errors that mean that the server was unavailable, whatever the request. */
const AWAY = /^Mongo(ose)?(Network|ServerSelection|NotConnected|PoolCleared|TopologyClosed|ServerClosed)/;

/** Whether the same call may succeed once the store is available again. */
export const isUnreachable = (error: unknown): boolean => error instanceof Error && AWAY.test(error.name);
