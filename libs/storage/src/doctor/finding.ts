/** The kinds of defects in a store. */
export type DoctorProblem =
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

/** The effect of a repair. */
export const remedies = {
  note: 'replaces it with a note',
  end: 'stores it as ended, with a note',
  remove: 'removes it',
  detach: 'shows it without a parent',
  'stand-in': 'stores a stand-in',
  rebuild: 'rebuilds the indexes',
  none: 'nothing',
} as const;

export type Remedy = keyof typeof remedies;

/** A defect of a record, of related records, or of a collection. */
export interface DoctorFinding {
  readonly problem: DoctorProblem;
  readonly collection: string;
  /** The id of the record, or of the record that the records belong to. Empty for a collection as a whole. */
  readonly id: string;
  /** One sentence without a full stop. */
  readonly detail: string;
  /** The total size of the records. */
  readonly bytes: number;
  readonly remedy: Remedy;
  /** The keys of the records; see `RawRecord`. */
  readonly keys: readonly string[];
}
