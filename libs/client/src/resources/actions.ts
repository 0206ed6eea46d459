import type { Definitions } from '@switchyard/model';
import type { Transport } from '../transport/transport';
import { readAll, type ListQuery } from './list-query';

/** An action as the API shows it. */
export interface Action {
  id: string;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  runner_type: string;
  entry_point: string;
  parameters: Definitions;
  output_schema?: Record<string, unknown>;
  tags?: { name: string; value: string }[];
  notify?: Record<string, unknown>;
  metadata_file?: string;
}

export interface Actions {
  list(query?: ListQuery): Promise<Action[]>;
  /** @throws ApiError with status 404 when there is none */
  get(refOrId: string): Promise<Action>;
  create(action: Record<string, unknown>): Promise<Action>;
  /** Replaces the whole action. */
  update(refOrId: string, action: Record<string, unknown>): Promise<Action>;
  delete(refOrId: string, options?: { removeFiles?: boolean }): Promise<void>;
  clone(source: string, destination: { pack: string; name: string; overwrite?: boolean }): Promise<Action>;
}

const PATH = ['actions'];

export const createActions = (transport: Transport): Actions => ({
  list: (query = {}) => readAll<Action>(transport, PATH, query),
  get: async (refOrId) =>
    (await transport.json<Action>({ service: 'api', method: 'GET', path: [...PATH, refOrId] })).body,
  create: async (body) => (await transport.json<Action>({ service: 'api', method: 'POST', path: PATH, body })).body,
  update: async (refOrId, body) =>
    (await transport.json<Action>({ service: 'api', method: 'PUT', path: [...PATH, refOrId], body })).body,
  async delete(refOrId, { removeFiles = false } = {}) {
    const body = { remove_files: removeFiles };
    await transport.text({ service: 'api', method: 'DELETE', path: [...PATH, refOrId], body });
  },
  async clone(source, { pack, name, overwrite = false }) {
    const body = { dest_pack: pack, dest_action: name, overwrite };
    const path = [...PATH, source, 'clone'];
    return (await transport.json<Action>({ service: 'api', method: 'POST', path, body })).body;
  },
});
