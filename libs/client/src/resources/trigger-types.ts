import type { Transport } from '../transport/transport';
import { readAll, type ListQuery } from './list-query';

export interface TriggerType {
  id: string;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  payload_schema: Record<string, unknown>;
  parameters_schema: Record<string, unknown>;
  tags: { name: string; value: string }[];
  metadata_file?: string;
}

export interface TriggerTypes {
  list(query?: ListQuery): Promise<TriggerType[]>;
  /** @throws ApiError with status 404 when there is none */
  get(refOrId: string): Promise<TriggerType>;
  create(type: Record<string, unknown>): Promise<TriggerType>;
  /** Replaces the whole type. */
  update(refOrId: string, type: Record<string, unknown>): Promise<TriggerType>;
  delete(refOrId: string): Promise<void>;
}

const PATH = ['triggertypes'];

export const createTriggerTypes = (transport: Transport): TriggerTypes => ({
  list: (query = {}) => readAll<TriggerType>(transport, PATH, query),
  get: async (refOrId) =>
    (await transport.json<TriggerType>({ service: 'api', method: 'GET', path: [...PATH, refOrId] })).body,
  create: async (body) =>
    (await transport.json<TriggerType>({ service: 'api', method: 'POST', path: PATH, body })).body,
  update: async (refOrId, body) =>
    (await transport.json<TriggerType>({ service: 'api', method: 'PUT', path: [...PATH, refOrId], body })).body,
  async delete(refOrId) {
    await transport.text({ service: 'api', method: 'DELETE', path: [...PATH, refOrId] });
  },
});
