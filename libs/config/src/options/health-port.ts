import { int } from '../option';

/** Services without an HTTP interface of their own answer liveness and readiness here. */
export const healthPort = int(0, 'Port of the health endpoints of this service; 0 for none.', { minimum: 0 });
