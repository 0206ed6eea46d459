import type { Publisher } from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { TriggerTypeDraft, Triggers } from '@switchyard/triggers';
import type { RunnerTypes } from '../actions/runner-lookup';
import type { Checked } from '../check/issue';

/** What every record has that a file of a pack makes. */
export interface ContentRecord {
  _id: string;
  ref: string;
  pack: string;
  name: string;
  enabled?: boolean;
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

/** Where content is written to. */
export interface ContentTarget {
  store: Store;
  triggers: Triggers;
  /** Tells sensor containers what has changed; without one they find out by themselves. */
  publisher?: Publisher;
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
  /** A file that is as it was needs no second look: its record depends on nothing but the file and the runners. */
  readonly remembers: boolean;
  /** A bad file costs its own resource alone, not the whole pack, unless failures are to stop the registration. */
  readonly standsAlone?: boolean;
  inspect(content: Record<string, unknown>, place: FilePlace): Checked<Draft<T>>;
  /** The records of a pack. */
  stored(store: Store, pack: string): Promise<ContentRecord[]>;
  /** Stores what a file makes. @param stored the record of that reference, when somebody last looked */
  write(draft: Draft<T>, stored: ContentRecord | undefined, target: ContentTarget): Promise<void>;
  /** Trigger types that come with it. */
  provides?(draft: Draft<T>): readonly TriggerTypeDraft[];
  /** The trigger that it listens to. */
  listensTo?(draft: Draft<T>): { readonly type: string; readonly parameters: Readonly<Record<string, unknown>> };
}
