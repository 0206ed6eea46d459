import type { Audit, AuditCheck } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf, requestPage, type ListPage, type ListQuery } from './records';

export interface AuditRecords {
  /** The newest first. */
  list(query?: ListQuery): Promise<ListPage<Audit>>;
  /** @throws ApiError with status 404 if it does not exist */
  get(id: string): Promise<Audit>;
  /** Checks the whole trail. */
  verify(): Promise<AuditCheck>;
}

export const createAuditRecords = (transport: ApiTransport): AuditRecords => ({
  list: (query = {}) => requestPage<Audit>(transport, ['audit'], query),
  get: (id) => answerOf(transport, 'GET', ['audit', id]),
  verify: () => answerOf(transport, 'GET', ['audit', 'verify']),
});
