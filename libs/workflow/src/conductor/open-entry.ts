import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { RetryState } from '../state/documents';
import type { Core } from './core';
import { passJoin } from './join';
import { attempt, isProblem } from './problem';
import { retryState } from './retry';

/** Turns a staged task into an entry without a status yet. */
export function openEntry(core: Core, staged: Staged): Entry {
  const { task, route, round, phase, context, items, undoes, runOnFail } = staged;
  const { barrier } = core.graph.tasks.get(task)!;
  const prev = barrier === undefined || phase !== 'body' ? staged.prev : passJoin(core, barrier, staged);
  const retry = retryOf(core, staged);
  const entry = core.state.entries.add({
    ...{ task, route, round, phase, context, prev, next: {}, out: {}, status: null, terminal: false },
    ...(retry === undefined ? {} : { retry }),
    ...(items === undefined ? {} : { items, runOnFail }),
    ...(undoes === undefined ? {} : { undoes }),
  });
  core.state.staging.remove(staged);
  core.state.entries.feed(entry);
  return entry;
}

/** The rule for retries is evaluated once, before the first attempt. */
export function retryOf(core: Core, { task, route, context }: Pick<Staged, 'task' | 'route' | 'context'>) {
  const rule = core.graph.tasks.get(task)?.retry;
  if (rule === undefined) return undefined;
  const variables = core.variablesOf({ context });
  const around = { variables, currentTask: { id: task, route, status: 'null' } };
  const outcome = attempt((): RetryState => retryState(core.evaluator, task, rule, around));
  if (!isProblem(outcome)) return outcome.value;
  core.logError(outcome.problem, { task_id: task, route });
  core.fail();
  return undefined;
}
