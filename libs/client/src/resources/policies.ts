import type { Transport } from '../transport/transport';
import { readAll, type ListQuery } from './list-query';

/** A rule about the executions of an action. */
export interface Policy {
  id: string;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  /** Reference of the action. */
  resource_ref: string;
  policy_type: string;
  parameters: Record<string, unknown>;
  metadata_file?: string;
}

export interface PolicyType {
  id: string;
  ref: string;
  uid: string;
  name: string;
  resource_type: string;
  description?: string;
  enabled: boolean;
  /** A schema for each parameter. */
  parameters: Record<string, Record<string, unknown>>;
}

export interface Policies {
  list(query?: ListQuery): Promise<Policy[]>;
  /** @throws ApiError with status 404 when there is none */
  get(refOrId: string): Promise<Policy>;
  create(policy: Record<string, unknown>): Promise<Policy>;
  /** Replaces the whole policy. */
  update(refOrId: string, policy: Record<string, unknown>): Promise<Policy>;
  delete(refOrId: string): Promise<void>;
}

export interface PolicyTypes {
  list(query?: ListQuery): Promise<PolicyType[]>;
  /** @throws ApiError with status 404 when there is none */
  get(refOrId: string): Promise<PolicyType>;
}

const PATH = ['policies'];
const TYPES = ['policytypes'];

export const createPolicies = (transport: Transport): Policies => ({
  list: (query = {}) => readAll<Policy>(transport, PATH, query),
  get: async (refOrId) =>
    (await transport.json<Policy>({ service: 'api', method: 'GET', path: [...PATH, refOrId] })).body,
  create: async (body) => (await transport.json<Policy>({ service: 'api', method: 'POST', path: PATH, body })).body,
  update: async (refOrId, body) =>
    (await transport.json<Policy>({ service: 'api', method: 'PUT', path: [...PATH, refOrId], body })).body,
  async delete(refOrId) {
    await transport.text({ service: 'api', method: 'DELETE', path: [...PATH, refOrId] });
  },
});

export const createPolicyTypes = (transport: Transport): PolicyTypes => ({
  list: (query = {}) => readAll<PolicyType>(transport, TYPES, query),
  get: async (refOrId) =>
    (await transport.json<PolicyType>({ service: 'api', method: 'GET', path: [...TYPES, refOrId] })).body,
});
