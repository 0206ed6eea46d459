import type { Inquiry } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { requestPage, type ListQuery, type ListPage } from './records';

export interface InquiriesResource {
  list(query?: ListQuery): Promise<ListPage<Inquiry>>;
  /** @throws ApiError with status 404 if it does not exist, 400 if it can no longer be answered */
  get(id: string): Promise<Inquiry>;
  /** @returns the answer as the server accepted it, secrets masked @throws ApiError */
  respond(id: string, response: Record<string, unknown>): Promise<{ id: string; response: Record<string, unknown> }>;
}

const PATH = ['inquiries'];

export const inquiriesResource = (transport: ApiTransport): InquiriesResource => ({
  list: (query = {}) => requestPage<Inquiry>(transport, PATH, query),
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
