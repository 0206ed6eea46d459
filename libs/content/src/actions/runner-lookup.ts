import { unknownRunner, type RunnerTypeRecord } from '@switchyard/model';
import type { Checked } from '../check/issue';

/** A runner as its package declares it. */
export type RunnerType = Omit<RunnerTypeRecord, '_id' | 'uid'>;

/** What actions can run on. */
export interface RunnerTypes {
  runnerTypes: readonly RunnerType[];
  /** Of criteria and formats; the default of `limits.max_pattern_length` when absent. */
  maxPatternLength?: number | undefined;
}

/** The runner that an action names, or why there is none. */
export function findRunner(name: string, { runnerTypes }: RunnerTypes): Checked<RunnerType> {
  const found = runnerTypes.find((runner) => runner.name === name);
  if (found) return { value: found, issues: [] };
  const thrown = unknownRunner(name);
  return { issues: [{ path: ['runner_type'], text: thrown.message, fault: thrown }] };
}
