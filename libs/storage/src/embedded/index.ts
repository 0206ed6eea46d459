export { createEmbeddedDriver, type EmbeddedDriver } from './driver';
export { copyStoreFiles } from './engine/log-hold';
export type { EmbeddedOptions } from './engine/database';
export type { PlanSummary, StoreStats } from './engine/stats';
export { embeddedStats, flushEmbedded, openEmbedded, verifyAllIndexes } from './open-embedded';
