import type { Transport } from '../transport/transport';
import { readPage, type ListQuery, type Page } from './list-query';

/** Something that has happened. */
export interface TriggerInstance {
  id: string;
  /** Reference of the trigger. */
  trigger: string;
  payload: Record<string, unknown>;
  occurrence_time: string;
  status: string;
}

export interface TriggerInstances {
  list(query?: ListQuery): Promise<Page<TriggerInstance>>;
  /** @throws ApiError with status 404 when there is none */
  get(id: string): Promise<TriggerInstance>;
  /** Lets it happen once more. */
  reEmit(id: string): Promise<{ message: string; payload: Record<string, unknown> }>;
  /** Has instances processed again that could not be; what they have led to already is not repeated. */
  replay(query?: ReplayQuery): Promise<{ replayed: string[]; left: number }>;
}

export interface ReplayQuery {
  readonly ids?: readonly string[] | undefined;
  /** Reference. */
  readonly trigger?: string | undefined;
  /** Such as `7d`, or a time. */
  readonly since?: string | undefined;
  readonly limit?: number | undefined;
}

const PATH = ['triggerinstances'];

export const createTriggerInstances = (transport: Transport): TriggerInstances => ({
  list: (query = {}) => readPage<TriggerInstance>(transport, PATH, query),
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
