import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import type { Surroundings } from './evaluator';

/** What the expressions of a task see before it runs: a rollback sees the task that it undoes as the current one. */
export function surroundingsOf(core: Core, run: Staged | Entry): Surroundings {
  const { state } = core;
  const undone = run.undoes === undefined ? undefined : state.entries.all[run.undoes];
  const { task, route } = undone ?? run;
  const status = (undone ?? state.entries.latestOf(task, route))?.status ?? 'null';
  const result = undone === undefined ? {} : { result: undone.result };
  return { variables: core.variablesOf(run), currentTask: { id: task, route, status, ...result } };
}
