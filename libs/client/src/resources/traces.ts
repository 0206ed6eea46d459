import type { Trace } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { requestPage, type ListQuery, type ListPage } from './records';

export interface TracesResource {
  list(query?: ListQuery): Promise<ListPage<Trace>>;
  /** @throws ApiError with status 404 if it does not exist */
  get(id: string): Promise<Trace>;
}

const PATH = ['traces'];

export const tracesResource = (transport: ApiTransport): TracesResource => ({
  list: (query = {}) => requestPage<Trace>(transport, PATH, query),
  get: async (id) => (await transport.json<Trace>({ service: 'api', method: 'GET', path: [...PATH, id] })).body,
});
