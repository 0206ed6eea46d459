/** What the last query or write was answered from. */
export interface PlanSummary {
  readonly collection: string;
  /** Names of indexes, `_id_` for the documents' own order; empty for a look at every document. */
  readonly indexes: readonly string[];
  /** The index gave the order that was asked for. */
  readonly sorted: boolean;
}

/** Counters since the store was opened, for tests and metrics. */
export interface StoreStats {
  /** Documents that were looked at to answer queries and to find what to write. */
  documentsExamined: number;
  keysExamined: number;
  /** Operations that had to look at every document of a collection. */
  scans: number;
  lastPlan: PlanSummary | undefined;
}

export const newStats = (): StoreStats => ({ documentsExamined: 0, keysExamined: 0, scans: 0, lastPlan: undefined });
