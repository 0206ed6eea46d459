import type { Transport } from '../transport/transport';
import { readPage, type ListQuery, type Page } from './list-query';

/** A question that waits for an answer. */
export interface Inquiry {
  id: string;
  route: string;
  /** Minutes; 0 for ever. */
  ttl: number;
  users: string[];
  roles: string[];
  /** JSON schema of the answer. */
  schema: Record<string, unknown>;
}

export interface Inquiries {
  list(query?: ListQuery): Promise<Page<Inquiry>>;
  /** @throws ApiError with status 404 when there is none, 400 when it cannot be answered any more */
  get(id: string): Promise<Inquiry>;
  /** @returns the answer as the server has taken it, secrets masked @throws ApiError */
  respond(id: string, response: Record<string, unknown>): Promise<{ id: string; response: Record<string, unknown> }>;
}

const PATH = ['inquiries'];

export const createInquiries = (transport: Transport): Inquiries => ({
  list: (query = {}) => readPage<Inquiry>(transport, PATH, query),
  get: async (id) => (await transport.json<Inquiry>({ service: 'api', method: 'GET', path: [...PATH, id] })).body,
  respond: async (id, response) =>
    (
      await transport.json<{ id: string; response: Record<string, unknown> }>({
        service: 'api',
        method: 'PUT',
        path: [...PATH, id],
        body: { id, response },
      })
    ).body,
});
