/** How the last query or write was executed. */
export interface PlanSummary {
  readonly collection: string;
  /** Names of indexes, `_id_` for the order of the documents; empty for a full scan. */
  readonly indexes: readonly string[];
  /** Whether the index provided the requested order. */
  readonly sorted: boolean;
}

/** Counters since the store was opened, for tests and metrics. */
export interface StoreStats {
  /** Documents read for queries and to find the targets of writes. */
  documentsExamined: number;
  keysExamined: number;
  /** Operations that scanned a whole collection. */
  scans: number;
  lastPlan: PlanSummary | undefined;
}

export const newStats = (): StoreStats => ({ documentsExamined: 0, keysExamined: 0, scans: 0, lastPlan: undefined });
