import { SecretTexts } from '@switchyard/model';
import { MIB } from '@switchyard/base';
import { DEFAULT_ALLOWANCE, type AllowanceLimits } from '@switchyard/expressions';
import { composeGraph, type Graph } from '../graph';
import { COMPLETED, HANDING_OUT, type WorkflowStatus, type TaskCounts } from '../machines';
import { nextStatus } from '../machines/statuses';
import { WORKFLOW_TABLE } from '../machines/workflow-machine';
import type { WorkflowSpec } from '../spec/model';
import type { WorkflowError } from '../state/documents';
import type { TaskEntry } from '../state/entries';
import type { State } from '../state/state';
import { Evaluator } from './evaluator';
import { rendererOf, type Renderer } from './renderer';

export interface CoreOptions {
  /** Secrets to mask in the error log. */
  readonly secrets?: SecretTexts;
  readonly limits?: Partial<ConductorLimits>;
  /** Overrides the renderer of the definition's dialect. */
  readonly renderer?: Renderer;
}

/** The state and settings that every call works on. */
export class Core {
  readonly graph: Graph;
  readonly evaluator: Evaluator;
  private readonly secrets: SecretTexts;
  readonly limits: ConductorLimits;
  readonly renderer: Renderer;

  constructor(
    readonly spec: WorkflowSpec,
    readonly state: State,
    options: CoreOptions = {},
  ) {
    this.graph = graphOf(spec);
    this.secrets = options.secrets ?? new SecretTexts([]);
    this.evaluator = new Evaluator(state, this.secrets);
    this.limits = { ...DEFAULT_CONDUCTOR_LIMITS, ...options.limits };
    state.contexts.isFlat = spec.dialect === 'chain';
    this.renderer = options.renderer ?? rendererOf(spec);
  }

  /** The status of the body, as the status machine sees it. */
  get status(): WorkflowStatus | 'unset' {
    return this.state.head.status;
  }

  get hasCleanUp(): boolean {
    return this.graph.hasCleanUp;
  }

  get isCompleted(): boolean {
    return COMPLETED.has(this.status);
  }

  get counts(): TaskCounts {
    const { census } = this.state.entries;
    const { ready } = this.state.staging;
    if (census.pausedLike === 0 || !HANDING_OUT.has(this.status)) return { ...census, ready: ready.size };
    const waiting = this.listsToGoOn();
    return { ...census, pausedLike: census.pausedLike - waiting, ready: ready.size + waiting };
  }

  /** Counts lists that were paused with their workflow and wait to be dispatched again. */
  private listsToGoOn(): number {
    const isWaiting = ({ status, items }: TaskEntry): boolean =>
      status === 'paused' && this.state.items.of(items)?.counts.paused === 0;
    return [...this.state.entries.feeding].filter(isWaiting).length;
  }

  setStatus(status: WorkflowStatus): void {
    this.state.setHead({ status });
  }

  /** Masks secrets permanently: everyone who may see the run sees the log. */
  logError(message: string, about: Omit<WorkflowError, 'type' | 'message'> = {}): void {
    const { result } = about;
    this.state.logError({
      ...{ type: 'error', message: this.secrets.mask(message), ...about },
      ...(result === undefined ? {} : { result: this.secrets.mask(result) }),
    });
  }

  /** Fails the body of the workflow, unless it was canceled. */
  fail(): void {
    const status = nextStatus(WORKFLOW_TABLE, this.status, 'workflow_failed');
    if (status !== undefined) this.setStatus(status);
  }

  variablesOf(entry: Pick<TaskEntry, 'context'>) {
    return this.state.contexts.resolve(entry.context);
  }
}

const graphs = new WeakMap<WorkflowSpec, Graph>();

/** Builds the graph of a definition once for all of its runs. */
function graphOf(spec: WorkflowSpec): Graph {
  const known = graphs.get(spec);
  if (known !== undefined) return known;
  const graph = composeGraph(spec);
  graphs.set(spec, graph);
  return graph;
}

/** Limits of one run; exceeding one fails it. */
export interface ConductorLimits {
  /** Most task runs, not counting retries. */
  readonly entries: number;
  /** Most items of all with-items tasks together. */
  readonly items: number;
  /**
   * Most items dispatched at once; further ones follow when these have been reported as running. Unlimited if absent.
   */
  readonly itemsAtOnce?: number;
  /** Most bytes of published values of the whole run, as JSON. */
  readonly publishedBytes: number;
  /** The total cost that the expressions of one dispatched task, or of one event, may have. */
  readonly expressions: AllowanceLimits;
}

/** The additional allowance for each item of a list. */
export const PER_ITEM: AllowanceLimits = { steps: 100, durationMs: 1 };

export const DEFAULT_CONDUCTOR_LIMITS: ConductorLimits = {
  entries: 1_000_000,
  items: 1_000_000,
  publishedBytes: 256 * MIB,
  expressions: DEFAULT_ALLOWANCE,
};
