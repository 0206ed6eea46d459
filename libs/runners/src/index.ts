export { actionEnvironment, EXECUTION_MARKER, type ActionFacts } from './run-process';
export { serviceEnvironment } from './service-environment';
export type {
  NodeAction as Action,
  ActionClass,
  ActionFunction,
  ActionLogger,
  ActionOutcome,
  ActionService,
} from './node-script/contract';
export { RUNNER_PYTHON_MODULES } from './python-script/python-environment';
export { pluginRunners } from './plugin-runners';
export { runnerNamed, runnerRegistry, runnerTypes, type RunnerParts, type RunnerRegistry } from './registry';
export {
  type OutputType,
  type RunAbilities,
  type RunHandle,
  type RunnerPlugin,
  type RunnerSettings,
  type RunnerDeclaration,
  type RunRequest,
  type RunResult,
} from './runner-plugin';
export { UserAccess, type ServiceUser } from './shell/run-as';
