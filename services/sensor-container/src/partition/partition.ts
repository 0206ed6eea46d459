/** Decides which sensors this container should run. */
export interface Partition {
  /** Whether the containers with this partition divide all sensors among themselves. */
  readonly isShared: boolean;
  /**
   * @param refs of every enabled sensor
   * @param sharers the living containers that share the partition, including this one
   */
  owned(refs: readonly string[], sharers: readonly string[]): Promise<ReadonlySet<string>>;
}
