import { fault } from '@switchyard/base';
import type { ExecutionRecord } from '@switchyard/model';
import { requestExecution, type ExecutionRequest, type RequestDeps } from './request';

export interface RerunRequest {
  parameters?: Record<string, unknown>;
  tasks?: readonly string[];
  reset?: readonly string[];
  /** On whose behalf the new execution runs. */
  user: string;
  delay?: number;
  /** See `ExecutionRequest`. */
  requestKey?: string;
  /** Start from no parameters instead of those of the old execution. */
  noMerge?: boolean;
}

/** Requests an execution once more, with its own parameters and those given. @throws Fault as `requestExecution` */
export async function rerunExecution(
  deps: RequestDeps,
  old: ExecutionRecord,
  rerun: RerunRequest,
): Promise<ExecutionRecord> {
  const { parameters = {}, tasks = [], reset = [] } = rerun;
  if ((tasks.length > 0 || reset.length > 0) && Object.keys(parameters).length > 0)
    throw fault('execution.rerun-with-parameters');
  if (reset.some((task) => !tasks.includes(task))) throw fault('execution.rerun-reset');
  if (tasks.length > 0 && old.runner_name !== 'orquesta') throw fault('execution.rerun-tasks');
  const before = rerun.noMerge ? {} : deps.secrets.openParameters(old);
  const kept = (name: string) => Object.hasOwn(before, name) && !Object.hasOwn(parameters, name);
  const request: ExecutionRequest = {
    action: old.action_ref,
    parameters: { ...before, ...parameters },
    // What came of templates is a value, also where it looks like a template.
    literal: Object.keys(before).filter(kept),
    derivedSecrets: (old.derived_secrets ?? []).filter(kept),
    user: rerun.user,
    context: {
      trace_context: { id_: (await deps.traces.ofExecution(old)).id_ },
      're-run': { ref: old._id, ...(tasks.length > 0 ? { tasks } : {}), ...(reset.length > 0 ? { reset } : {}) },
    },
    ...(rerun.delay === undefined ? {} : { delay: rerun.delay }),
    ...(rerun.requestKey === undefined ? {} : { requestKey: rerun.requestKey }),
    pool: old.pool,
    priority: old.priority,
    idempotent: old.idempotent,
  };
  return requestExecution(deps, request);
}
