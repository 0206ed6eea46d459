export * from '../platform';
export { gathered, type Gathered } from '../gathered';
export { manualRunner, type ManualOptions, type ManualRun, type ManualRunner } from './manual-runner';
export { startSystem, type RunnerOptions, type SystemOptions, type TestSystem } from './start-system';
export { isAlive, keepAlive, untilGone, untilStatus } from './until';
