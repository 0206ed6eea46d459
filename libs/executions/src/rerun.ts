import { fault } from '@switchyard/base';
import type { ExecutionRecord } from '@switchyard/model';
import { requestExecution, type ExecutionRequest, type RequestDeps } from './request';
import type { Workflows } from '@switchyard/workflow-runs';

export interface RerunRequest {
  parameters?: Record<string, unknown>;
  tasks?: readonly string[];
  reset?: readonly string[];
  /** On whose behalf the new execution runs. */
  user: string;
  /** See `ExecutionRequest`. */
  role?: string | undefined;
  delay?: number;
  /** See `ExecutionRequest`. */
  requestKey?: string;
  /** Ignore the parameters of the old execution. */
  noMerge?: boolean;
}

export interface RerunDeps extends RequestDeps {
  workflows: Pick<Workflows, 'tasksOf' | 'openRunOf'>;
}

/**
 * Requests an execution again, with its own parameters and those given.
 * @throws Fault as `requestExecution`, and for tasks that cannot be run again
 */
export async function rerunExecution(
  deps: RerunDeps,
  old: ExecutionRecord,
  rerun: RerunRequest,
): Promise<ExecutionRecord> {
  const { parameters = {}, tasks = [], reset = [] } = rerun;
  await checkTasks(deps, old, rerun);
  const before = rerun.noMerge ? {} : deps.secrets.openParameters(old);
  const kept = (name: string) => Object.hasOwn(before, name) && !Object.hasOwn(parameters, name);
  const request: ExecutionRequest = {
    action: old.action_ref,
    parameters: { ...before, ...parameters },
    // Rendered values are data, even if they look like templates.
    literal: Object.keys(before).filter(kept),
    derivedSecrets: (old.derived_secrets ?? []).filter(kept),
    user: rerun.user,
    role: rerun.role,
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

async function checkTasks({ workflows }: RerunDeps, old: ExecutionRecord, rerun: RerunRequest): Promise<void> {
  const { parameters = {}, tasks = [], reset = [] } = rerun;
  if ((tasks.length > 0 || reset.length > 0) && Object.keys(parameters).length > 0)
    throw fault('execution.rerun-with-parameters');
  if (reset.some((task) => !tasks.includes(task))) throw fault('execution.rerun-reset');
  if (tasks.length === 0) return;
  if (old.runner_name !== 'orquesta') throw fault('execution.rerun-tasks');
  const workflow = await workflows.openRunOf(old);
  if (workflow !== undefined) throw fault('execution.rerun-active', { workflow });
  const known = await workflows.tasksOf(old);
  const missing = tasks.filter((task) => known && !known.has(task));
  if (missing.length > 0) throw fault('execution.rerun-unknown-tasks', { tasks: missing.join(',') });
}
