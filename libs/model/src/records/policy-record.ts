import type { Id, Micros } from '@switchyard/base';

/** A rule about the executions of one action. */
export interface PolicyRecord {
  _id: Id;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  /** Reference of the action. It need not exist. */
  resource_ref: string;
  /** Reference of its type; see POLICY_TYPES. */
  policy_type: string;
  /** As its type describes them, with defaults. */
  parameters: Record<string, unknown>;
  metadata_file: string;
}

/** Who takes up the room that a policy gives to one group of executions. */
export interface LimitRecord {
  /** The group: its policy, and a digest of what its executions have in common. */
  _id: string;
  /** Differs with every write. */
  revision: number;
  /** Executions that may run at present, of a policy that limits how many do so at once. */
  holders: Id[];
  /** Executions that were started lately, in order, of a policy that limits how many are in a time. */
  starts: LimitedStart[];
}

export interface LimitedStart {
  id: Id;
  at: Micros;
}
