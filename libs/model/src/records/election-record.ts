import type { Id, Micros } from '@switchyard/base';

/** Who holds an office that one process may hold at a time. The id is the name of the office. */
export interface ElectionRecord {
  _id: string;
  /** Id of an instance; absent when the last holder has given the office back. */
  holder?: Id;
  /** Grows with each change of the holder. */
  term: number;
  /** When the term began. */
  since: Micros;
}
