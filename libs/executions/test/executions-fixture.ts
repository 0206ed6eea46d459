import { createExecutions, type ExecutionRequest, type Executions, type ExecutionsDeps } from '@switchyard/executions';
import type { ActionRecord, ExecutionRecord, RunnerTypeRecord } from '@switchyard/model';
import { anAction, aRunnerType, type TestPlatform } from '@switchyard/testkit/platform';

export function executionsOn(platform: TestPlatform, more: Partial<ExecutionsDeps> = {}): Executions {
  const { store, sealer, clock, logger, bus } = platform;
  return createExecutions({ store, sealer, clock, logger, publisher: bus.publisher(), webUrl: 'http://web', ...more });
}

let count = 0;

/** Stores an action with its own runner type. @returns the reference of the action */
export async function register(
  { store }: TestPlatform,
  action: Partial<ActionRecord> = {},
  runnerType: Partial<RunnerTypeRecord> = {},
): Promise<string> {
  const name = `a${++count}`;
  const runner = await store.runnerTypes.insert(aRunnerType({ name: `r${count}`, ...runnerType }));
  const stored = await store.actions.insert(anAction({ name, runner_type: runner.name, ...action }));
  return stored.ref;
}

export const by = (
  executions: Executions,
  action: string,
  more: Partial<ExecutionRequest> = {},
): Promise<ExecutionRecord> => executions.request({ action, user: 'ada', ...more });
