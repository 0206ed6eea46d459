/** Decides which sensors this container should run. */
export interface Partition {
  /** The containers that have one divide all sensors among themselves. */
  readonly isShared: boolean;
  /**
   * @param refs of every sensor that is switched on
   * @param sharers the living containers whose partition is shared, this one included
   */
  owned(refs: readonly string[], sharers: readonly string[]): Promise<ReadonlySet<string>>;
}
