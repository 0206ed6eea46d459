export { createActionRunner, type ActionRunnerDeps } from './action-runner';
export type { RunSettings } from './prepare-run';
