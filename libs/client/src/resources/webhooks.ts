import type { Transport } from '../transport/transport';
import type { Trigger } from './triggers';
import { readAll } from './list-query';

export interface Webhooks {
  /** The triggers behind webhooks. @param pack only of this pack */
  list(query?: { readonly pack?: string | undefined }): Promise<Trigger[]>;
  /** @throws ApiError with status 404 when nothing listens there */
  get(url: string): Promise<Trigger>;
}

const PATH = ['webhooks'];

export const createWebhooks = (transport: Transport): Webhooks => ({
  list: ({ pack } = {}) => readAll<Trigger>(transport, PATH, { filters: { pack } }),
  async get(url) {
    // A slash separates parts of the path here as anywhere else.
    const path = [...PATH, ...url.split('/').filter((part) => part !== '')];
    return (await transport.json<Trigger>({ service: 'api', method: 'GET', path })).body;
  },
});
