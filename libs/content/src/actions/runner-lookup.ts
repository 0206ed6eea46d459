import { fault, type Fault } from '@switchyard/base';
import type { RunnerTypeRecord } from '@switchyard/model';
import type { Checked } from '../check/issue';

/** A runner as its package declares it. */
export type RunnerType = Omit<RunnerTypeRecord, '_id' | 'uid'>;

/** What actions can run on. */
export interface RunnerTypes {
  runnerTypes: readonly RunnerType[];
  /** The error for a name that no runner has: the registry of runners knows the former names. */
  unknownRunner?: (name: string) => Fault;
}

/** The runner that an action names, or why there is none. */
export function findRunner(
  name: string,
  { runnerTypes, unknownRunner = (unknown) => fault('runner.unknown', { name: unknown }) }: RunnerTypes,
): Checked<RunnerType> {
  const found = runnerTypes.find((runner) => runner.name === name);
  if (found) return { value: found, issues: [] };
  const thrown = unknownRunner(name);
  return { issues: [{ path: ['runner_type'], text: thrown.message, fault: thrown }] };
}
