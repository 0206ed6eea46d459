import type { Publisher } from '@switchyard/messaging';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { TriggerTypeDraft, Triggers } from '@switchyard/triggers';
import type { RunnerSchemas } from '../actions/inspect-action';
import type { Checked } from '../check/issue';

/** The fields shared by all records created from files of packs. */
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

/** The location of a file, and what its content may refer to. */
export interface FilePlace extends RunnerSchemas {
  pack: string;
  packDirectory: string;
  metadataFile: string;
}

/** Destination of registered content. */
export interface ContentTarget {
  store: StoreWithoutExecutions;
  triggers: Triggers;
  /** Announces changes to sensor containers, which otherwise find them by polling. */
  publisher?: Publisher;
}

/** Everything the registrar needs to know about one kind of content. */
export interface Loader<T extends ContentRecord = ContentRecord> {
  /** Name in requests and messages, such as `action`. */
  readonly type: string;
  /** Name in counts, overrides and requests, such as `actions`. */
  readonly plural: string;
  /** Folder of the pack whose `.yaml` and `.yml` files are of this kind. */
  readonly folder: string;
  /** Files in that folder to skip. */
  readonly otherFiles: readonly string[];
  /** Kinds registered together with this one. */
  readonly implies: readonly string[];
  /**
   * Unchanged files can be skipped, and files can be registered in portions, because the record depends only on the file and
   * the runners.
   */
  readonly remembers: boolean;
  inspect(content: Record<string, unknown>, place: FilePlace): Checked<Draft<T>>;
  /** Lists the stored records of a pack; of a kind that `remembers`, only the fields of `ContentRecord`. */
  stored(store: StoreWithoutExecutions, pack: string): Promise<ContentRecord[]>;
  /** Stores the record of a file. @param stored the existing record, as last read */
  write(draft: Draft<T>, stored: ContentRecord | undefined, target: ContentTarget): Promise<void>;
  /** Stores new records with one call. @throws Fault `storage.duplicate` if there is one already; some may have been stored */
  insertAll?(drafts: readonly Draft<T>[], target: ContentTarget): Promise<void>;
  /** Trigger types that the resource defines. */
  provides?(draft: Draft<T>): readonly TriggerTypeDraft[];
  /** The trigger that the resource listens to. */
  listensTo?(draft: Draft<T>): { readonly type: string; readonly parameters: Readonly<Record<string, unknown>> };
}
