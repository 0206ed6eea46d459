import {
  assertWithin,
  defaultDataLimits,
  fault,
  isPlainObject,
  newId,
  type Clock,
  type DataLimits,
  type Id,
} from '@switchyard/base';
import {
  isLimiting,
  maskParameters,
  mergeParameters,
  RETRY,
  toReference,
  unknownRunner,
  type ActionRecord,
  type DefinitionRecord,
  type ExecutionRecord,
  type NotifySpec,
  type Status,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Announcer } from './announce';
import { lineageOf, type Ancestor, type Lineage } from './lineage';
import type { ParameterResolver } from './parameters/resolve';
import type { ResultKeeper } from './result';
import type { SecretKeeper } from './secrets';
import type { TraceContext, Traces } from './traces';

/** What somebody wants to have run. */
export interface ExecutionRequest {
  /** Reference of the action. */
  action: string;
  parameters?: Record<string, unknown>;
  /** On whose behalf it runs; a parent's user takes precedence. */
  user: string;
  /** Caller's context; `user`, `pack` and `rbac` in it are overwritten. `parent.execution_id` makes it a child. */
  context?: Record<string, unknown>;
  callback?: Record<string, unknown>;
  notify?: NotifySpec;
  /** Milliseconds to wait before it is scheduled. */
  delay?: number;
  priority?: number;
  pool?: string;
  /** A result to show until there is a real one. */
  result?: Record<string, unknown>;
  /** A second request with the same key gets the first one's record. */
  requestKey?: string;
  /** True when it may be started again if its runner dies; the action's own mark when absent. */
  idempotent?: boolean;
  /** Further names that templates in the parameters may read, such as a rule's `trigger`. */
  names?: Readonly<Record<string, unknown>>;
  /** Names of parameters whose values are data, such as what somebody wrote in a chat: templates in them are not rendered. */
  literal?: readonly string[];
  /** Names of parameters that are secret as a whole, whatever their definitions say: a secret was copied into them before. */
  derivedSecrets?: readonly string[];
  /** The trace that it belongs to, which the caller notes; otherwise `context.trace_context` may ask for one. */
  trace?: TraceContext;
  /** Makes it a task of a workflow, which is its parent in `context` and is marked as one already. */
  workflow?: WorkflowTask;
  /** Copies of what has started it, for those who look at it later. */
  cause?: Pick<ExecutionRecord, 'trigger' | 'trigger_type' | 'trigger_instance' | 'rule'>;
}

export interface WorkflowTask {
  workflow: Id;
  task: Id;
  /** The execution that shows the workflow. */
  parent: Ancestor;
  /** It undoes or closes a workflow that was canceled: it is not part of the tree that is canceled. */
  isApart?: boolean;
  /** On whose behalf the workflow runs. */
  user: string;
  /** What is said about the end, whatever the action itself would say; nothing when empty. */
  notify: NotifySpec;
  /** What was found for the other actions of the same step. */
  found?: FoundDefinitions;
}

/** Definitions by reference, as they were at one moment: a thousand items of one step need one look at their action. */
export type FoundDefinitions = Map<string, Promise<DefinitionRecord>>;

export interface RequestDeps {
  store: Pick<Store, 'actions' | 'runnerTypes' | 'definitions' | 'executions' | 'policies'>;
  parameters: ParameterResolver;
  secrets: SecretKeeper;
  results: ResultKeeper;
  announce: Announcer;
  traces: Pick<Traces, 'forRequest' | 'noteExecution' | 'ofExecution'>;
  clock: Clock;
  /** What links to an execution begin with. */
  webUrl: string;
  /** How many executions may lie around one; see `limits.max_nesting`. Any number when absent. */
  maxNesting?: number;
  limits?: DataLimits;
  /** See `TransitionDeps`. */
  isTold?: (status: Status) => boolean;
}

export const DEFAULT_POOL = 'default';

/** Workflows take no slot of a runner: workflow engines have taken them up as soon as they are released. */
export const WORKFLOW_POOL = 'workflows';

/**
 * Records a request for an execution and tells the scheduler. Parameters are resolved first, so a request that is
 * refused leaves nothing behind.
 * @throws Fault of the area `execution` or `parameter`
 */
export async function requestExecution(deps: RequestDeps, request: ExecutionRequest): Promise<ExecutionRecord> {
  return (await prepareRequest(deps, request)).place();
}

/** A request that was found to be right. */
export interface PreparedRequest {
  /** Records it and tells the scheduler. */
  place(): Promise<ExecutionRecord>;
}

/** Does everything of a request that can be refused. Nothing is stored. @throws Fault as `requestExecution` */
export async function prepareRequest(deps: RequestDeps, request: ExecutionRequest): Promise<PreparedRequest> {
  const id = newId();
  const { definition, context, ...marks } = await understand(deps, request, id);
  const resolved = await deps.parameters.resolve(definition, request.parameters ?? {}, context, request);
  refuseDepth(resolved.parameters, deps.limits);
  const derived = [...new Set([...resolved.derivedSecrets, ...(request.derivedSecrets ?? [])])];
  const sealed = deps.secrets.sealParameters(definition, resolved.parameters, derived);
  return {
    async place() {
      const { result: given } = request;
      const result = given ? await deps.results.store({ definition: definition._id }, given) : undefined;
      const record = newRecord(deps, request, { id, definition, context, ...marks, ...sealed, ...result?.set });
      const { record: stored, created } = await insertRequested(deps, request, definition, record);
      if (created) deps.announce.created(stored);
      return stored;
    },
  };
}

const NEVER = Number.POSITIVE_INFINITY;

/** What templates of workflows and rules have made did not pass the limits of any request. @throws Fault `data.limit` */
function refuseDepth(parameters: object, { maxDepth }: Pick<DataLimits, 'maxDepth'> = defaultDataLimits): void {
  assertWithin(parameters, { maxDepth, maxMembers: NEVER, maxKeyLength: NEVER, maxStringLength: NEVER });
}

export interface Understood extends Lineage {
  definition: DefinitionRecord;
  context: Record<string, unknown>;
  /** A policy may ask for a further try once it has ended. Tasks of workflows have none: their workflows see to that. */
  retries?: true;
  /** A policy limits how many of it run, or start. */
  limited?: true;
}

/** What a request is about, and the context in which it would run. @throws Fault of the area `execution` or `trace` */
export async function understand(deps: RequestDeps, request: ExecutionRequest, id: Id): Promise<Understood> {
  const definition = await findOnce(deps.store, request.action, request.workflow?.found);
  const parent = await parentRecord(deps.store, request);
  const { trace_context: given, ...context } = buildContext(request, parent, definition.action.pack);
  const lineage = lineageOf(deps, request, parent, context);
  const trace = request.trace ?? (await deps.traces.forRequest(given, id)) ?? given;
  const policies = (await deps.store.policies.inForce()).of(request.action);
  const retries = parent === undefined && policies.some(({ policy_type: type }) => type === RETRY);
  return {
    definition,
    ...lineage,
    context: trace === undefined ? context : { ...context, trace_context: trace },
    ...(retries ? { retries } : {}),
    ...(policies.some(isLimiting) ? { limited: true as const } : {}),
  };
}

/** Stores a new record with what belongs to it. */
export async function insertRequested(
  deps: RequestDeps,
  request: ExecutionRequest,
  definition: DefinitionRecord,
  record: ExecutionRecord,
): Promise<{ record: ExecutionRecord; created: boolean }> {
  await deps.store.definitions.put(definition);
  // Before the child: a parent that says so without having one is harmless, a child that its parent hides is not.
  if (record.parent && !request.workflow)
    await deps.store.executions.change(record.parent, {}, { set: { has_children: true } });
  const inserted = await deps.store.executions.insert(record);
  if (inserted.created && request.trace === undefined) await deps.traces.noteExecution(inserted.record);
  return inserted;
}

function findOnce(store: RequestDeps['store'], ref: string, found?: FoundDefinitions): Promise<DefinitionRecord> {
  const known = found?.get(ref);
  if (known) return known;
  const definition = findDefinition(store, ref);
  found?.set(ref, definition);
  return definition;
}

async function findDefinition(store: RequestDeps['store'], ref: string): Promise<DefinitionRecord> {
  const action = await store.actions.byKey(ref);
  if (!action) throw fault('execution.action-not-found', { ref });
  if (!action.enabled) throw fault('execution.action-disabled', { ref });
  const runner = await store.runnerTypes.byKey(action.runner_type);
  if (!runner) throw unknownRunner(action.runner_type);
  if (!runner.enabled) throw fault('execution.runner-disabled', { name: runner.name });
  return store.definitions.snapshot(action, runner);
}

async function parentRecord(
  store: RequestDeps['store'],
  { context = {}, workflow }: ExecutionRequest,
): Promise<Ancestor | undefined> {
  const id = parentOf(context);
  if (id === undefined || workflow) return id === undefined ? undefined : workflow?.parent;
  const parent = await store.executions.get(id);
  if (!parent) throw fault('execution.parent-not-found', { id });
  return parent;
}

/** The caller's context, under the identity that the request really has. */
function buildContext(
  { context = {}, user, workflow }: ExecutionRequest,
  parent: Ancestor | undefined,
  pack: string,
): Record<string, unknown> {
  return { ...context, user: parent ? (workflow?.user ?? parent.context['user'] ?? user) : user, pack };
}

function parentOf(context: Record<string, unknown>): string | undefined {
  const parent = context['parent'];
  const id =
    typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)['execution_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

export interface NewRecord extends Lineage, Pick<ExecutionRecord, 'parameters' | 'context' | 'result' | 'result_size'> {
  id: Id;
  definition: DefinitionRecord;
  sealed_parameters?: string;
  derived_secrets?: string[];
  retries?: true;
  limited?: true;
}

export function newRecord(deps: RequestDeps, request: ExecutionRequest, made: NewRecord): ExecutionRecord {
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

/** A rule says what it gives to the action, secrets included: the copy has masks. */
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

/** Runners whose work is made of further executions. */
const WORKFLOW_RUNNERS: ReadonlySet<string> = new Set(['orquesta', 'action-chain']);

const hasSections = (notify: NotifySpec): boolean => Object.keys(notify).length > 0;
