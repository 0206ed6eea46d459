/** How often records of one kind have changed. */
export interface RevisionRecord {
  /** The kind. */
  _id: string;
  revision: number;
}
