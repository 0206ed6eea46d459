/** Upper bounds of histograms in seconds: from a write into the store to one that hangs. */
export const SHORT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** From an action that does nothing to one that works through the night. */
export const LONG_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60, 300, 1800, 7200] as const;
