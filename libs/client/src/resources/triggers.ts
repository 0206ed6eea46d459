import type { Transport } from '../transport/transport';
import { readAll } from './list-query';

/** A trigger type with parameters: what rules listen to. */
export interface Trigger {
  id: string;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  /** Reference of the trigger type. */
  type: string;
  parameters: Record<string, unknown>;
  description?: string;
}

export interface Triggers {
  /** @param type only of this trigger type */
  list(query?: { readonly type?: string | undefined }): Promise<Trigger[]>;
}

export const createTriggers = (transport: Transport): Triggers => ({
  list: ({ type } = {}) => readAll<Trigger>(transport, ['triggers'], { filters: { type } }),
});
