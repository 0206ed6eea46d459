import {
  assertWithin,
  checkRecordSize,
  defaultDataLimits,
  fault,
  newId,
  type Clock,
  type DataLimits,
  type Id,
} from '@switchyard/base';
import {
  boundRole,
  isLimiting,
  RETRY_POLICY,
  unknownRunner,
  withBoundRole,
  type DefinitionRecord,
  type ExecutionRecord,
  type NotifySpec,
  type Status,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Announcer } from './announce';
import { startEagerly, type EagerStart, type EagerStartDeps } from './eager-start';
import type { ExecutionSpans } from './execution-spans';
import { lineageOf, newRecord, parentOf, type Ancestor, type Lineage } from './execution-record';
import type { ParameterResolver } from './parameters';
import type { ResultStore } from './result';
import type { RecordSecrets } from './execution-record';
import type { TraceContext } from './traces/derived-trace';
import type { Traces } from './traces/traces';
import type { TreeCounter } from './tree-size';

/** A request to run an action. */
export interface ExecutionRequest {
  /** Reference of the action: `pack.name`. */
  action: string;
  parameters?: Record<string, unknown>;
  /** The user it runs for; a parent's user takes precedence. */
  user: string;
  /** The role that limits it and everything below it, besides the user; that of a parent takes precedence. */
  role?: string | undefined;
  /** The caller's context; `user`, `pack` and `rbac` are overwritten. `parent.execution_id` makes it a child. */
  context?: Record<string, unknown>;
  callback?: Record<string, unknown>;
  notify?: NotifySpec;
  /** Milliseconds to wait before it is scheduled. */
  delay?: number;
  priority?: number;
  pool?: string;
  /** A result to show until the execution has ended. */
  result?: Record<string, unknown>;
  /** A second request with the same key gets the first one's record. */
  requestKey?: string;
  /** Whether it may be started again if its runner dies; if absent, the action decides. */
  idempotent?: boolean;
  /** Further names that templates in the parameters may read, such as a rule's `trigger`. */
  names?: Readonly<Record<string, unknown>>;
  /** Names of parameters whose values are data, such as chat messages: templates in them are not rendered. */
  literal?: readonly string[];
  /** Names of parameters that are secret as a whole because a secret was copied into them. */
  derivedSecrets?: readonly string[];
  /** The trace it belongs to, if the caller records it; otherwise `context.trace_context` may name one. */
  trace?: TraceContext;
  /** Makes it a task of a workflow, which is its parent in `context` and already has `has_children`. */
  workflow?: WorkflowTask;
  /** Copies of what started it, for later readers. */
  cause?: Pick<ExecutionRecord, 'trigger' | 'trigger_type' | 'trigger_instance' | 'rule'>;
}

export interface WorkflowTask {
  workflow: Id;
  task: Id;
  /** The execution that shows the workflow. */
  parent: Ancestor;
  /** It cleans up after a canceled workflow, so it is not part of the tree that is canceled. */
  isApart?: boolean;
  /** The user the workflow runs for. */
  user: string;
  /** Notifications about the end; none when empty. */
  notify: NotifySpec;
  /** Whether the action's own sections, if it has any, replace them. */
  mayReplaceNotify: boolean;
  /** Definitions that were read for other actions of the same step. */
  found?: FoundDefinitions;
}

/** Definitions by reference, so that a thousand items of one step read their action once. */
export type FoundDefinitions = Map<string, Promise<DefinitionRecord>>;

export interface RequestDeps extends Pick<EagerStartDeps, 'permits' | 'localRunner' | 'isExclusive'> {
  store: Pick<Store, 'actions' | 'runnerTypes' | 'definitions' | 'executions' | 'policies'>;
  parameters: ParameterResolver;
  secrets: RecordSecrets;
  results: ResultStore;
  announce: Announcer;
  traces: Pick<Traces, 'forRequest' | 'noteExecution' | 'ofExecution'>;
  trees: TreeCounter;
  spans: Pick<ExecutionSpans, 'contextOf'>;
  clock: Clock;
  /** Base address of links to executions. */
  webUrl: string;
  /** How deep executions may be nested, see `limits.max_nesting`; unlimited when absent. */
  maxNesting?: number;
  limits?: DataLimits;
  /** See `limits.max_record_bytes`. */
  maxRecordBytes?: number;
  /** See `TransitionDeps`. */
  isTold?: (status: Status) => boolean;
}

/**
 * Records a request for an execution and notifies the scheduler, or starts it at once, see `startEagerly`. Parameters
 * are resolved first, so a refused request stores nothing.
 * @returns the record as it was requested, even if it has started since
 * @throws Fault of the area `execution` or `parameter`
 */
export async function requestExecution(deps: RequestDeps, request: ExecutionRequest): Promise<ExecutionRecord> {
  return (await prepareRequest(deps, request)).submit();
}

/** A valid request. */
export interface PreparedRequest {
  /** Records it and notifies the scheduler. */
  submit(): Promise<ExecutionRecord>;
}

/** Checks and resolves a request without storing anything. @throws Fault as `requestExecution` */
export async function prepareRequest(deps: RequestDeps, request: ExecutionRequest): Promise<PreparedRequest> {
  const id = newId();
  const { definition, context, ...marks } = await resolveRequest(deps, request, id);
  const resolved = await deps.parameters.resolve(definition, request.parameters ?? {}, context, request);
  refuseDepth(resolved.parameters, deps.limits);
  checkRecordSize(
    [resolved.parameters, context],
    'The parameters and the context of an execution',
    deps.maxRecordBytes,
  );
  const derived = [...new Set([...resolved.derivedSecrets, ...(request.derivedSecrets ?? [])])];
  const sealed = deps.secrets.sealParameters(definition, resolved.parameters, derived);
  return {
    async submit() {
      const { result: given } = request;
      const result = given ? await deps.results.store({ definition: definition._id }, given) : undefined;
      const record = newRecord(deps, request, { id, definition, context, ...marks, ...sealed, ...result?.set });
      return submitEagerly(deps, request, definition, startEagerly(deps, record));
    },
  };
}

async function submitEagerly(
  deps: RequestDeps,
  request: ExecutionRequest,
  definition: DefinitionRecord,
  { states, reservation }: EagerStart,
): Promise<ExecutionRecord> {
  const [requested] = states;
  const last = states.at(-1) ?? requested;
  try {
    const { record, created } = await insertRequested(deps, request, definition, last);
    if (!created) {
      reservation?.release();
      return record;
    }
    deps.announce.created(...states);
    if (record.claim) reservation?.start({ ...record, claim: record.claim });
    return requested;
  } catch (error) {
    reservation?.findOut(requested._id);
    throw error;
  }
}

export interface RehearsedRequest {
  /** Reference. */
  action: string;
  /** The parameters as they would be stored: rendered, cast, checked and masked. */
  parameters: Record<string, unknown>;
}

/** Resolves a request without storing anything. @throws Fault of the area `execution` or `parameter` */
export async function rehearseRequest(deps: RequestDeps, request: ExecutionRequest): Promise<RehearsedRequest> {
  const { definition, context } = await resolveRequest(deps, request, newId());
  const { parameters, derivedSecrets } = await deps.parameters.resolve(
    definition,
    request.parameters ?? {},
    context,
    request,
  );
  return { action: request.action, parameters: deps.secrets.sealParameters(definition, parameters, derivedSecrets).parameters }; // oxfmt-ignore
}

const NEVER = Number.POSITIVE_INFINITY;

/** Values from templates of workflows and rules have not passed the limits of an HTTP request. @throws Fault `data.limit` */
function refuseDepth(parameters: object, { maxDepth }: Pick<DataLimits, 'maxDepth'> = defaultDataLimits): void {
  assertWithin(parameters, { maxDepth, maxMembers: NEVER, maxKeyLength: NEVER, maxStringLength: NEVER });
}

export interface ResolvedRequest extends Lineage {
  definition: DefinitionRecord;
  context: Record<string, unknown>;
  /** A policy may retry it. Not for children: workflows retry their tasks themselves. */
  retries?: true;
  /** A policy limits how many run or start. */
  limited?: true;
}

/** Finds the definition and builds the context of a request. @throws Fault of the area `execution` or `trace` */
export async function resolveRequest(deps: RequestDeps, request: ExecutionRequest, id: Id): Promise<ResolvedRequest> {
  const definition = await findOnce(deps.store, request.action, request.workflow?.found);
  const parent = await parentRecord(deps.store, request);
  const { trace_context: given, ...built } = buildContext(request, parent, definition.action.pack);
  const context = deps.spans.contextOf(built, id, request.workflow);
  const lineage = lineageOf(deps, request, parent, context);
  const trace = request.trace ?? (isNamed(given) ? ((await deps.traces.forRequest(given, id)) ?? given) : given);
  const policies = (await deps.store.policies.inForce()).of(request.action);
  const retries = parent === undefined && policies.some(({ policy_type: type }) => type === RETRY_POLICY);
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
  // Workflow engines do this for many tasks at once.
  if (record.parent && !request.workflow) {
    await deps.trees.add(record, 1);
    // Before the child is stored: a parent marked without a child is harmless, a child missing from its parent is not.
    await deps.store.executions.change(record.parent, {}, { set: { has_children: true } });
  }
  const inserted = await deps.store.executions.insert(record);
  // The trace of an execution that names none is derived when somebody reads it.
  const { trace_context: named } = record.context;
  if (inserted.created && request.trace === undefined && isNamed(named))
    await deps.traces.noteExecution(inserted.record);
  return inserted;
}

const isNamed = (trace: unknown): boolean => trace !== undefined && trace !== null;

function findOnce(store: RequestDeps['store'], ref: string, found?: FoundDefinitions): Promise<DefinitionRecord> {
  const known = found?.get(ref);
  if (known) return known;
  const definition = findDefinition(store, ref);
  found?.set(ref, definition);
  return definition;
}

async function findDefinition(store: RequestDeps['store'], ref: string): Promise<DefinitionRecord> {
  const action = await store.actions.requested(ref);
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

/** The caller's context with the real user and pack. */
function buildContext(
  { context = {}, user, role, workflow }: ExecutionRequest,
  parent: Ancestor | undefined,
  pack: string,
): Record<string, unknown> {
  const bound = parent ? (boundRole(parent.context) ?? role) : role;
  const owner = parent ? (workflow?.user ?? parent.context['user'] ?? user) : user;
  return withBoundRole({ ...context, user: owner, pack }, bound);
}
