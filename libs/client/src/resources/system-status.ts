import type { SystemStatus } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf } from './records';

/** Reads what is running, what waits, and why. */
export const readSystemStatus = (transport: ApiTransport): Promise<SystemStatus> =>
  answerOf(transport, 'GET', ['status']);
