import type { Store, ResourceRepository } from '@switchyard/storage';
import type { RunnerTypes } from '../actions/runner-lookup';
import type { Checked } from '../check/issue';

/** A record that a file of a pack makes. */
export interface ContentRecord {
  _id: string;
  ref: string;
  pack: string;
  name: string;
  enabled: boolean;
  metadata_file: string;
  content_hash?: string;
}

export type Draft<T> = Omit<T, '_id'>;

/** Where a file lies, and what its content may refer to. */
export interface FilePlace extends RunnerTypes {
  pack: string;
  packDirectory: string;
  metadataFile: string;
}

/** One kind of content. All that the registrar knows about a kind stands here. */
export interface Loader<T extends ContentRecord = ContentRecord> {
  /** As it appears in requests and messages: `action`. */
  readonly type: string;
  /** As it appears in counts, overrides and requests: `actions`. */
  readonly plural: string;
  /** The folder of a pack whose `.yaml` and `.yml` files are of this kind. */
  readonly folder: string;
  /** Names in that folder that are something else. */
  readonly otherFiles: readonly string[];
  /** Kinds that are registered along with this one. */
  readonly implies: readonly string[];
  inspect(content: Record<string, unknown>, place: FilePlace): Checked<Draft<T>>;
  repository(store: Store): ResourceRepository<T>;
}
