export * from '../platform';
export { gathered, type Gathered } from '../gathered';
export { manualRunner, type ManualOptions, type ManualRun, type ManualRunner } from './manual-runner';
export { isAlive, untilGone } from './processes';
export { startSystem, type RunnerOptions, type SystemOptions, type TestSystem } from './start-system';
export { untilStatus } from './until-status';
