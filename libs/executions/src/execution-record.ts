import { fault, isPlainObject, newId, type Clock, type Id } from '@switchyard/base';
import {
  childShare,
  interactiveShare,
  maskParameters,
  mergeParameters,
  toReference,
  type ActionRecord,
  type DefinitionRecord,
  type ExecutionRecord,
  type NotifySpec,
} from '@switchyard/model';
import type { ExecutionRequest } from './request';

export const DEFAULT_POOL = 'default';

/** The pool of workflows, which take no slots: workflow engines start them as soon as they are released. */
export const WORKFLOW_POOL = 'workflows';

export interface NewRecord extends Lineage, Pick<ExecutionRecord, 'parameters' | 'context' | 'result' | 'result_size'> {
  id: Id;
  definition: DefinitionRecord;
  sealed_parameters?: string;
  derived_secrets?: string[];
  retries?: true;
  limited?: true;
}

/** @param deps `webUrl` is the base address of links to executions */
export function newRecord(
  deps: { clock: Clock; webUrl: string },
  request: ExecutionRequest,
  made: NewRecord,
): ExecutionRecord {
  const { definition, id, ...parts } = made;
  const { action, runner } = definition;
  const now = deps.clock.nowMicros();
  const parent = parentOf(parts.context);
  const { workflow } = request;
  const notify = workflow?.notify ?? (hasSections(action.notify) ? action.notify : request.notify);
  return {
    _id: id,
    liveaction_id: newId(),
    status: 'requested',
    revision: 1,
    action_ref: toReference(action.pack, action.name),
    action_is_workflow: WORKFLOW_RUNNERS.has(runner.name),
    runner_name: runner.name,
    definition: definition._id,
    ...parts,
    ...maskedCause(request.cause, definition),
    ...(request.callback ? { callback: request.callback } : {}),
    ...(notify && hasSections(notify) ? { notify } : {}),
    ...(workflow ? { workflow_execution: workflow.workflow, task_execution: workflow.task } : {}),
    ...(request.delay ? { delay: request.delay } : {}),
    ...(parent === undefined ? {} : { parent }),
    ...(request.requestKey === undefined ? {} : { request_key: request.requestKey }),
    start_timestamp: now,
    log: [{ status: 'requested', timestamp: now }],
    web_url: `${deps.webUrl}/#/history/${id}/general`,
    pool: WORKFLOW_RUNNERS.has(runner.name)
      ? WORKFLOW_POOL
      : (request.pool ?? (action as Partial<ActionRecord>).pool ?? DEFAULT_POOL),
    priority: request.priority ?? 0,
    schedule_at: now + (request.delay ?? 0) * 1000,
    idempotent: request.idempotent ?? (action as Partial<ActionRecord>).idempotent ?? false,
    due: ['scheduler'],
    due_at: now,
  };
}

/** A rule contains the parameters of its action. Secrets among them are masked in the copy. */
function maskedCause(
  cause: ExecutionRequest['cause'],
  { action, runner }: DefinitionRecord,
): ExecutionRequest['cause'] {
  const given = cause?.rule?.['action'];
  if (!cause?.rule || !isPlainObject(given) || !isPlainObject(given['parameters'])) return cause;
  const definitions = mergeParameters(runner.runner_parameters, action.parameters);
  const parameters = maskParameters(given['parameters'], definitions);
  return { ...cause, rule: { ...cause.rule, action: { ...given, parameters } } };
}

/** Runners that run other executions. */
const WORKFLOW_RUNNERS: ReadonlySet<string> = new Set(['orquesta', 'action-chain']);

const hasSections = (notify: NotifySpec): boolean => Object.keys(notify).length > 0;

/** The id of the parent that a context names. */
export function parentOf(context: Record<string, unknown>): string | undefined {
  const parent = context['parent'];
  const id =
    typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)['execution_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The position of an execution among others, set at its request. */
export type Lineage = Pick<ExecutionRecord, 'root' | 'nesting' | 'share'>;

/** The fields of a parent that its children inherit. */
export type Ancestor = Pick<ExecutionRecord, '_id' | 'context' | 'root' | 'nesting' | 'share'>;

interface LineageLimits {
  maxNesting?: number;
}

/** @throws Fault `execution.nesting` when it would be nested too deep */
export function lineageOf(
  { maxNesting = Number.POSITIVE_INFINITY }: LineageLimits,
  { action, workflow }: { action: string; workflow?: { isApart?: boolean } },
  parent: Ancestor | undefined,
  { user }: Readonly<Record<string, unknown>>,
): Lineage {
  if (!parent) return { share: interactiveShare(String(user)) };
  const nesting = (parent.nesting ?? 0) + 1;
  if (nesting > maxNesting) throw fault('execution.nesting', { action, nesting, most: maxNesting });
  return {
    ...(workflow && !workflow.isApart ? { root: parent.root ?? parent._id } : {}),
    nesting,
    share: childShare(String(user), parent),
  };
}
