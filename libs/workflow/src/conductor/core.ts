import { SecretTexts } from '@switchyard/model';
import { composeGraph, type Graph } from '../graph';
import { COMPLETED, HANDING_OUT, type Status, type TaskCounts } from '../machines';
import { nextStatus } from '../machines/table';
import { WORKFLOW_TABLE } from '../machines/workflow-table';
import type { WorkflowSpec } from '../spec/model';
import type { ErrorEntry } from '../state/documents';
import type { Entry } from '../state/entries';
import type { State } from '../state/state';
import { Evaluator } from './evaluator';

import { DEFAULT_LIMITS, type Limits } from './limits';
import { rendererOf, type Renderer } from './renderer';

export interface CoreOptions {
  /** What must not be shown by the error log. */
  readonly secrets?: SecretTexts;
  readonly limits?: Partial<Limits>;
  /** In place of the one that goes with the definition's dialect. */
  readonly renderer?: Renderer;
}

/** What every call works on. */
export class Core {
  readonly graph: Graph;
  readonly evaluator: Evaluator;
  private readonly secrets: SecretTexts;
  readonly limits: Limits;
  readonly renderer: Renderer;

  constructor(
    readonly spec: WorkflowSpec,
    readonly state: State,
    options: CoreOptions = {},
  ) {
    this.graph = graphOf(spec);
    this.secrets = options.secrets ?? new SecretTexts([]);
    this.evaluator = new Evaluator(state, this.secrets);
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    state.contexts.isFlat = spec.dialect === 'chain';
    this.renderer = options.renderer ?? rendererOf(spec);
  }

  /** The status of the body, as the status machine knows it. */
  get status(): Status | 'unset' {
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

  /** Lists that were paused with their workflow and only wait to be handed out again. */
  private listsToGoOn(): number {
    const isWaiting = ({ status, items }: Entry): boolean =>
      status === 'paused' && this.state.items.of(items)?.counts.paused === 0;
    return [...this.state.entries.feeding].filter(isWaiting).length;
  }

  setStatus(status: Status): void {
    this.state.setHead({ status });
  }

  /** Secrets are masked for good: the log is shown to everybody who may see the run. */
  logError(message: string, about: Omit<ErrorEntry, 'type' | 'message'> = {}): void {
    const { result } = about;
    this.state.logError({
      ...{ type: 'error', message: this.secrets.mask(message), ...about },
      ...(result === undefined ? {} : { result: this.secrets.mask(result) }),
    });
  }

  /** Ends the body as a failure, unless it was cancelled. */
  fail(): void {
    const status = nextStatus(WORKFLOW_TABLE, this.status, 'workflow_failed');
    if (status !== undefined) this.setStatus(status);
  }

  variablesOf(entry: Pick<Entry, 'context'>) {
    return this.state.contexts.resolve(entry.context);
  }
}

const graphs = new WeakMap<WorkflowSpec, Graph>();

/** A definition is drawn once, however many runs it has. */
function graphOf(spec: WorkflowSpec): Graph {
  const known = graphs.get(spec);
  if (known !== undefined) return known;
  const graph = composeGraph(spec);
  graphs.set(spec, graph);
  return graph;
}
