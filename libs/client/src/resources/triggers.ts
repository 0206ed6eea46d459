import type { Trigger, TriggerType } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { readAll, records, type Records } from './records';

export interface TriggersResource {
  /** @param type only of this trigger type */
  list(query?: { readonly type?: string | undefined }): Promise<Trigger[]>;
}

export const triggersResource = (transport: ApiTransport): TriggersResource => ({
  list: ({ type } = {}) => readAll<Trigger>(transport, ['triggers'], { filters: { type } }),
});

export type TriggerTypesResource = Records<TriggerType>;

export const triggerTypesResource = (transport: ApiTransport): TriggerTypesResource =>
  records(transport, ['triggertypes']);

/** Triggers that fire at set times. */
export interface Timers {
  /** @param type only of this trigger type */
  list(query?: { readonly type?: string | undefined }): Promise<Trigger[]>;
  /** @throws ApiError with status 404 if it does not exist */
  get(refOrId: string): Promise<Trigger>;
}

const TIMERS = ['timers'];

export const timersResource = (transport: ApiTransport): Timers => ({
  async list({ type } = {}) {
    const query = { timer_type: type };
    return (await transport.json<Trigger[]>({ service: 'api', method: 'GET', path: TIMERS, query })).body;
  },
  get: async (refOrId) =>
    (await transport.json<Trigger>({ service: 'api', method: 'GET', path: [...TIMERS, refOrId] })).body,
});

export interface Webhooks {
  /** The triggers of webhooks. @param pack only of this pack */
  list(query?: { readonly pack?: string | undefined }): Promise<Trigger[]>;
  /** @throws ApiError with status 404 if no webhook has this URL */
  get(url: string): Promise<Trigger>;
}

const WEBHOOKS = ['webhooks'];

export const createWebhooks = (transport: ApiTransport): Webhooks => ({
  list: ({ pack } = {}) => readAll<Trigger>(transport, WEBHOOKS, { filters: { pack } }),
  async get(url) {
    // Slashes in the URL separate path segments, so they must not be encoded.
    const path = [...WEBHOOKS, ...url.split('/').filter((part) => part !== '')];
    return (await transport.json<Trigger>({ service: 'api', method: 'GET', path })).body;
  },
});
