import type { Transport } from '../transport/transport';
import { readAll, type ListQuery } from './list-query';

/** What every record shows that comes out of a pack, or belongs to one. */
export interface PackContent {
  id: string;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  /** Path of the file that it came from, inside the pack. */
  metadata_file?: string;
}

/** Records of a kind that the API shows one by one, by reference, name or id, and in lists. */
export interface ReadableRecords<T> {
  list(query?: ListQuery): Promise<T[]>;
  /** @throws ApiError with status 404 when there is none */
  get(refOrId: string): Promise<T>;
}

/** Those that can be changed as a whole as well. */
export interface Records<T> extends ReadableRecords<T> {
  create(record: Record<string, unknown>): Promise<T>;
  /** Replaces the whole record. */
  update(refOrId: string, record: Record<string, unknown>): Promise<T>;
  delete(refOrId: string): Promise<void>;
}

/** What the API answers to a body under a path of its own. */
export const answerOf = async <T>(
  transport: Transport,
  method: 'GET' | 'POST' | 'PUT',
  path: readonly string[],
  body?: unknown,
): Promise<T> =>
  (await transport.json<T>({ service: 'api', method, path: [...path], ...(body === undefined ? {} : { body }) })).body;

export const readableRecords = <T>(transport: Transport, path: readonly string[]): ReadableRecords<T> => ({
  list: (query = {}) => readAll<T>(transport, path, query),
  get: (refOrId) => answerOf<T>(transport, 'GET', [...path, refOrId]),
});

export const records = <T>(transport: Transport, path: readonly string[]): Records<T> => ({
  ...readableRecords<T>(transport, path),
  create: (record) => answerOf<T>(transport, 'POST', path, record),
  update: (refOrId, record) => answerOf<T>(transport, 'PUT', [...path, refOrId], record),
  async delete(refOrId) {
    await transport.text({ service: 'api', method: 'DELETE', path: [...path, refOrId] });
  },
});
