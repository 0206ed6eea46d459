import type { Id } from '@switchyard/base';
import type { Tag } from './action-record';

/** What can happen, and what it tells. */
export interface TriggerTypeRecord {
  _id: Id;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  /** JSON Schema of the payload; empty: payloads are not checked. */
  payload_schema: Record<string, unknown>;
  /** JSON Schema of the parameters; empty: there is exactly one trigger, of the type's own name. */
  parameters_schema: Record<string, unknown>;
  tags: Tag[];
  metadata_file: string;
}

/** A trigger type with parameters: what rules listen to. */
export interface TriggerRecord {
  _id: Id;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  /** Reference of the trigger type. */
  type: string;
  parameters: Record<string, unknown>;
  /** Digest of the canonical JSON of `parameters`: equal ones are one trigger, whatever the order of their keys. */
  parameters_hash: string;
  description?: string;
}
