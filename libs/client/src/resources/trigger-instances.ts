import type { TriggerInstance } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { requestPage, type ListQuery, type ListPage } from './records';

export interface TriggerInstances {
  list(query?: ListQuery): Promise<ListPage<TriggerInstance>>;
  /** @throws ApiError with status 404 if it does not exist */
  get(id: string): Promise<TriggerInstance>;
  /** Emits the event again, as a new trigger instance. */
  reEmit(id: string): Promise<{ message: string; payload: Record<string, unknown> }>;
  /** Processes failed instances again, without repeating what they have already caused. */
  replay(query?: ReplayQuery): Promise<{ replayed: string[]; left: number }>;
}

export interface ReplayQuery {
  readonly ids?: readonly string[] | undefined;
  /** Reference of the trigger. */
  readonly trigger?: string | undefined;
  /** An age such as `7d`, or a time. */
  readonly since?: string | undefined;
  readonly limit?: number | undefined;
}

const PATH = ['triggerinstances'];

export const createTriggerInstances = (transport: ApiTransport): TriggerInstances => ({
  list: (query = {}) => requestPage<TriggerInstance>(transport, PATH, query),
  get: async (id) =>
    (await transport.json<TriggerInstance>({ service: 'api', method: 'GET', path: [...PATH, id] })).body,
  async reEmit(id) {
    const path = [...PATH, id, 're_emit'];
    type Answer = { message: string; payload: Record<string, unknown> };
    return (await transport.json<Answer>({ service: 'api', method: 'POST', path, body: {} })).body;
  },
  async replay(body = {}) {
    const path = [...PATH, 'replay'];
    type Answer = { replayed: string[]; left: number };
    return (await transport.json<Answer>({ service: 'api', method: 'POST', path, body })).body;
  },
});
