/** What can be wrong in a store. */
export type Problem =
  | 'unreadable'
  | 'too-deep'
  | 'bad-result'
  | 'sealed'
  | 'no-owner'
  | 'no-parent'
  | 'no-definition'
  | 'no-workflow'
  | 'index'
  | 'file';

/** What a repair does about it. */
export const remedies = {
  note: 'puts a note in its place',
  end: 'keeps it as ended, with a note',
  remove: 'removes it',
  detach: 'shows it without a parent',
  'stand-in': 'stores a stand-in',
  rebuild: 'builds the indexes anew',
  none: 'nothing',
} as const;

export type Remedy = keyof typeof remedies;

/** Something that is wrong: with a record, with records that belong together, or with a collection. */
export interface Finding {
  readonly problem: Problem;
  readonly collection: string;
  /** Of the record, or of what the records belong to. Empty for a collection as a whole. */
  readonly id: string;
  /** One sentence without its stop. */
  readonly detail: string;
  /** Of the records. */
  readonly bytes: number;
  readonly remedy: Remedy;
  /** The keys of the records; see `RawRecord`. */
  readonly keys: readonly string[];
}
