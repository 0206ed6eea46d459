import type { Id } from '@switchyard/base';
import type { WrittenFormat } from '../alias';

/** What a chat command looks like, and the action that it runs. */
export interface ActionAliasRecord {
  _id: Id;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  /** Reference of the action. It need not exist. */
  action_ref: string;
  formats: WrittenFormat[];
  /** What is said when the command was taken. Members that are not named here are for chat adapters. */
  ack: AliasAck;
  /** What is said when the execution has ended. */
  result: AliasResult;
  /** For chat adapters. */
  extra: Record<string, unknown>;
  /** Parameters that each execution has and no command may give; their templates are rendered. */
  immutable_parameters: Record<string, unknown>;
  metadata_file: string;
  /** Why the immutable parameters could not be opened: they are empty then, and nothing may run with them. It is never stored. */
  problem?: string;
}

export interface AliasResult {
  enabled?: boolean | null;
  /** A template. */
  format?: string | null;
  /** For chat adapters; its texts are templates. */
  extra?: Record<string, unknown> | null;
  [adapter: string]: unknown;
}

export interface AliasAck extends AliasResult {
  append_url?: boolean | null;
}
