import type { Id } from '@switchyard/base';

/** What a pack says about its configuration, as its `config.schema.yaml` has it. */
export interface ConfigSchemaRecord {
  _id: Id;
  /** Reference of the pack. */
  pack: string;
  /** The schemas of its attributes, by name. */
  attributes: Record<string, unknown>;
}

/** The configuration of a pack, as it was given: defaults are filled in and templates rendered whenever it is read. */
export interface ConfigRecord {
  _id: Id;
  /** Reference of the pack, which need not exist. */
  pack: string;
  values: Record<string, unknown>;
  /** Why the values could not be opened, in a list that has such a record in it: they are empty then. It is never stored. */
  problem?: string;
}
