import type { Transport } from '../transport/transport';

/** A trigger that fires by the clock. */
export interface Timer {
  id: string;
  uid: string;
  ref: string;
  name: string;
  pack: string;
  /** Reference of the trigger type: interval, date or cron timer. */
  type: string;
  parameters: Record<string, unknown>;
  description?: string;
}

export interface Timers {
  /** @param type only of this trigger type */
  list(query?: { readonly type?: string | undefined }): Promise<Timer[]>;
  /** @throws ApiError with status 404 when there is none */
  get(refOrId: string): Promise<Timer>;
}

const PATH = ['timers'];

export const createTimers = (transport: Transport): Timers => ({
  async list({ type } = {}) {
    const query = { timer_type: type };
    return (await transport.json<Timer[]>({ service: 'api', method: 'GET', path: PATH, query })).body;
  },
  get: async (refOrId) =>
    (await transport.json<Timer>({ service: 'api', method: 'GET', path: [...PATH, refOrId] })).body,
});
