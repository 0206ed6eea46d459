import { fault, type Clock, type DataLimits, type Id } from '@switchyard/base';
import type { AllowanceLimits } from '@switchyard/expressions';
import type { Publisher } from '@switchyard/messaging';
import type { DueConsumer, ExecutionRecord, ProcessMark, Status } from '@switchyard/model';
import type { ExecutionRepository, Sealer, Store } from '@switchyard/storage';
import { noSpans, type SpanRecorder } from '@switchyard/telemetry';
import { createWorkflows, type Workflows } from '@switchyard/workflow-runs';
import { createAnnouncer, type Announcer } from './announce';
import { createAuditor, type AuditLog } from './audit';
import { cancelBegun, cancelIdle, cancelWaiting, type IdleCancellation } from './cancel-together';
import { releaseEagerly, type LocalRunner, type Permits, type WaitingExecution } from './eager-start';
import { cancelExecution, updateExecution, type StatusUpdate } from './control';
import { createExecutionSpans, type ExecutionSpans } from './execution-spans';
import { createParameterResolver, type ConfigFor, type LookupFor, type ParameterResolver } from './parameters';
import { createExecutionPolicies, type ExecutionPolicies } from './policies/execution-policies';
import {
  prepareRequest,
  rehearseRequest,
  requestExecution,
  type ExecutionRequest,
  type PreparedRequest,
  type RehearsedRequest,
} from './request';
import { recordFailedRequest } from './request-failed';
import { createRemoval, type Removal } from './removal';
import { rerunExecution, type RerunRequest } from './rerun';
import { createOutputCheck, createResultStore, type OutputCheck, type ResultStore } from './result';
import { createRecordSecrets, type RecordSecrets } from './execution-record';
import { createTraces, type Traces } from './traces/traces';
import { transition, type LocalEngine, type TransitionOptions, type TransitionSubject } from './transition';
import { createTreeCounter, type TreeCounter } from './tree-size';
import { createViewer, type Viewer } from './view/viewer';

export interface ExecutionsDeps {
  store: Store;
  sealer: Sealer;
  publisher: Publisher;
  clock: Clock;
  /** Without `audit`, nothing is written to the audit log. */
  logger: { warn(message: string, fields?: Record<string, unknown>): void } & Partial<AuditLog>;
  webUrl: string;
  /** Called with each status that an execution enters. */
  onStatus?: (status: Status) => void;
  /** Whether a rule listens to this status. Does not read the store. When absent, no rule listens. */
  isTold?: (status: Status) => boolean;
  /** Reads the datastore for templates. When absent, templates have no datastore. */
  lookupFor?: LookupFor;
  /** What a value in a result may be; the defaults when absent. */
  limits?: DataLimits;
  /** Whether results are checked against output schemas; false when absent. */
  validateOutput?: boolean;
  /** Reads configurations of packs for templates; without it they are empty. */
  configFor?: ConfigFor;
  /** The total cost that the templates of one request may have. */
  expressionLimits?: AllowanceLimits;
  /** How deep executions may be nested; unlimited when absent. */
  maxNesting?: number;
  /** How large parameters and context may be; the default when absent. */
  maxRecordBytes?: number;
  /** How many executions there may be below a request; unlimited when absent. */
  maxTreeSize?: number;
  /** Without them, schedulers release all executions. */
  permits?: Permits;
  /** Nothing is recorded when absent. */
  spans?: SpanRecorder;
}

/** The stored records, without the writes that need a transition. */
export type ExecutionRecords = Omit<ExecutionRepository, 'insert' | 'change' | 'changeEach' | 'removeAll'>;

/** What any service may do to executions. */
export interface Executions {
  /** Reads records as they are stored. */
  readonly records: ExecutionRecords;
  request(request: ExecutionRequest): Promise<ExecutionRecord>;
  /** See `prepareRequest`. */
  prepare(request: ExecutionRequest): Promise<PreparedRequest>;
  /** See `recordFailedRequest`. */
  requestFailed(request: ExecutionRequest, error: unknown): Promise<ExecutionRecord | undefined>;
  /** Resolves a request without storing anything. @throws Fault as `request` */
  rehearse(request: ExecutionRequest): Promise<RehearsedRequest>;
  rerun(id: string, rerun: RerunRequest): Promise<ExecutionRecord>;
  /** @throws Fault `execution.not-found` */
  get(id: string): Promise<ExecutionRecord>;
  cancel(id: string, user: string): Promise<ExecutionRecord>;
  /** See `cancelWaiting`. */
  cancelWaiting(records: readonly ExecutionRecord[], user: string, atWork?: DueConsumer): Promise<ExecutionRecord[]>;
  /** See `cancelBegun`. */
  cancelBegun(records: readonly ExecutionRecord[], user: string, atWork?: DueConsumer): Promise<ExecutionRecord[]>;
  /** See `cancelIdle`. */
  cancelIdle(records: readonly ExecutionRecord[], cancellation: IdleCancellation): Promise<ExecutionRecord[]>;
  update(id: string, update: StatusUpdate, user: string): Promise<ExecutionRecord>;
  transition(record: TransitionSubject, to: Status, options?: TransitionOptions): Promise<ExecutionRecord | undefined>;
  /** See `releaseEagerly`. */
  releaseEagerly(waiting: WaitingExecution): Promise<ExecutionRecord | undefined>;
  /** Enables executions to start at once in a runner of this process, see `startEagerly` and `releaseEagerly`. @returns
   * a function that disables it again */
  offerRunner(runner: LocalRunner): () => void;
  /**
   * Notifies a workflow engine of this process directly when its actions end, if no other process uses the store.
   * @returns a function that ends these notifications
   */
  offerEngine(engine: LocalEngine): () => void;
  /** Records the process group of a claimed execution. @returns false when the claim no longer holds */
  setProcess(execution: ExecutionRecord, process: ProcessMark): Promise<boolean>;
  readonly parameters: ParameterResolver;
  readonly secrets: RecordSecrets;
  readonly results: ResultStore;
  readonly view: Viewer;
  readonly workflows: Workflows;
  readonly checkOutput: OutputCheck;
  readonly announce: Announcer;
  readonly traces: Traces;
  readonly policies: ExecutionPolicies;
  readonly trees: TreeCounter;
  readonly spans: ExecutionSpans;
  /** Removes old executions and workflow runs. */
  readonly removal: Removal;
}

/** Puts the parts together. Does no I/O. */
export function createExecutions(deps: ExecutionsDeps): Executions {
  const { store, clock } = deps;
  const { audit } = deps.logger;
  const secrets = createRecordSecrets(store.definitions, deps.sealer);
  const auditor = audit && createAuditor({ audit }, secrets);
  const spans = createExecutionSpans(deps.spans ?? noSpans);
  const announce = createAnnouncer(deps.publisher, deps.logger, { ...deps, auditor, onEntered: spans.entered });
  const results = createResultStore(store, secrets, deps.limits);
  const parameters = createParameterResolver(deps);
  const traces = createTraces(store);
  const trees = createTreeCounter({ executions: store.executions, most: deps.maxTreeSize ?? Number.POSITIVE_INFINITY });
  const local = createLocalOffers(store.isExclusive);
  const shared = { ...deps, announce, results };
  const requesting = {
    ...{ ...shared, parameters, secrets, traces, trees, spans },
    ...{ localRunner: local.runner, isExclusive: store.isExclusive },
  };
  const controlling = { ...shared, executions: store.executions, localEngine: local.engineOf };
  const workflows = createWorkflows(deps);
  const get = (id: string) => existing(store, id);
  return {
    records: store.executions,
    request: (request) => requestExecution(requesting, request),
    prepare: (request) => prepareRequest(requesting, request),
    requestFailed: (request, error) => recordFailedRequest(requesting, request, error),
    rehearse: (request) => rehearseRequest(requesting, request),
    rerun: async (id, rerun) => rerunExecution({ ...requesting, workflows }, await get(id), rerun),
    get,
    cancel: (id, user) => cancelExecution(controlling, id, user),
    cancelWaiting: (records, user, atWork) => cancelWaiting(controlling, records, user, atWork),
    cancelBegun: (records, user, atWork) => cancelBegun(controlling, records, user, atWork),
    cancelIdle: (records, cancellation) => cancelIdle(controlling, records, cancellation),
    update: (id, update, user) => updateExecution(controlling, id, update, user),
    transition: (record, to, options) => transition(controlling, record, to, options),
    releaseEagerly: (waiting) => releaseEagerly({ ...requesting, executions: store.executions }, waiting),
    offerRunner: local.offerRunner,
    offerEngine: local.offerEngine,
    setProcess: async (execution, process) => {
      const { _id, claim } = execution;
      if (!claim) return false;
      return (await store.executions.change(_id, { claim }, { set: { process } }, execution)) !== undefined;
    },
    ...{ parameters, secrets, results, workflows, announce, traces, trees, spans },
    view: createViewer({ store, secrets, results }),
    checkOutput: createOutputCheck(store.definitions, deps.validateOutput ?? false),
    removal: createRemoval(store),
    policies: createExecutionPolicies({
      requesting,
      transitions: controlling,
      limits: { store, clock, parameters, secrets },
    }),
  };
}

async function existing({ executions }: Pick<Store, 'executions'>, id: string): Promise<ExecutionRecord> {
  const record = await executions.get(id);
  if (!record) throw fault('execution.not-found', { id });
  return record;
}

/** The action runner and the workflow engines of this process. */
function createLocalOffers(isExclusive: boolean): Pick<Executions, 'offerRunner' | 'offerEngine'> & {
  runner(): LocalRunner | undefined;
  engineOf(workflow: Id): LocalEngine | undefined;
} {
  let runner: LocalRunner | undefined;
  const engines = new Set<LocalEngine>();
  return {
    runner: () => runner,
    engineOf: (workflow) => [...engines].find((engine) => engine.hasRun(workflow)),
    offerRunner(offered) {
      runner = offered;
      return () => {
        if (runner === offered) runner = undefined;
      };
    },
    offerEngine(engine) {
      if (isExclusive) engines.add(engine);
      return () => void engines.delete(engine);
    },
  };
}
