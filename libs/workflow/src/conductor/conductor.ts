import { Allowance } from '@switchyard/expressions';
import { COMPLETED, type Status } from '../machines';
import type { WorkflowSpec } from '../spec/model';
import type { Changes, ErrorEntry, Snapshot } from '../state/documents';
import { restoreState } from '../state/restore';
import { State } from '../state/state';
import { applyEvent } from './apply-event';
import { begin, type Given } from './begin';
import { advanceCleanUp, failAtLast, visibleStatus } from './clean-up';
import { Core, type CoreOptions } from './core';
import { expire } from './deadline';
import { stillActive } from './errors';
import type { AnyEvent, ItemEvent, TaskEvent } from './events';
import type { Lookups } from './evaluator';
import { handOut, refuse, type Refusal } from './hand-out';
import { publishedSoFar, publishedValues, renderOutput, terminalContext } from './output';
import type { HandOut } from './render-task';
import { underwayIn, type Underway } from './underway';
import { requestCleanUpStatus } from './request-clean-up';
import { requestable, requestBodyStatus } from './request-status';
import { rerun, type TaskRerun } from './rerun';

/** What a call may ask for besides its arguments. */
export interface CallOptions {
  readonly lookups?: Lookups;
  /** Milliseconds on whatever clock the caller uses throughout. */
  readonly now?: number;
}

/**
 * Decides what a workflow does next; see DESIGN.md. It runs nothing itself: it is told what happened and asked what to run.
 * Every call either applies as a whole or throws and changes nothing.
 */
export class Conductor {
  private constructor(private readonly core: Core) {}

  /** Begins a run: renders inputs and variables. A definition that fails at that gives a conductor that has failed. */
  static create(spec: WorkflowSpec, given: Partial<Given> = {}, options: CoreOptions & CallOptions = {}): Conductor {
    const conductor = new Conductor(new Core(spec, new State(), options));
    conductor.call(options, (core) => {
      begin(core, { context: given.context ?? {}, inputs: given.inputs ?? {} }, options.now);
      advanceCleanUp(core);
    });
    return conductor;
  }

  /** The conductor of a stored run, as it was. @param spec the definition it was begun with */
  static restore(spec: WorkflowSpec, snapshot: Snapshot, options: CoreOptions = {}): Conductor {
    return new Conductor(new Core(spec, restoreState(snapshot), options));
  }

  get status(): Status | 'unset' {
    return visibleStatus(this.core);
  }

  get isCompleted(): boolean {
    return COMPLETED.has(this.status);
  }

  /** The error log, oldest first. */
  get errors(): readonly ErrorEntry[] {
    return this.core.state.errors.entries;
  }

  /** The status of the latest run of each task in each route, as `<task>:<route>`; null before its first event. */
  get tasks(): ReadonlyMap<string, Status | null> {
    const statuses = new Map<string, Status | null>();
    for (const [task, routes] of this.core.state.entries.latest) {
      for (const [route, { status }] of routes) statuses.set(`${task}:${route}`, status);
    }
    return statuses;
  }

  /** The status of the latest run of a task in a route. */
  statusOf(task: string, route: number): Status | undefined {
    return this.core.state.entries.latestOf(task, route)?.status ?? undefined;
  }

  /** Whether something runs: a run may have failed while other tasks go on to their end. */
  get hasActiveTasks(): boolean {
    return this.core.counts.active > 0;
  }

  /** Every run that has been started and has not ended; after a restart the caller asks what became of them. */
  get underway(): Underway[] {
    return underwayIn(this.core);
  }

  /** @throws ConductorError when the workflow cannot get there from its present status */
  requestStatus(status: string, options: CallOptions = {}): void {
    this.call(options, (core) => {
      const request = requestable(status);
      if (core.state.head.cleanUp === undefined) requestBodyStatus(core, request);
      else requestCleanUpStatus(core, request);
      advanceCleanUp(core);
    });
  }

  /** What to run now, by task and route. Asking again gives the same until events are reported. */
  nextTasks(options: CallOptions = {}): HandOut[] {
    return this.call(options, handOut);
  }

  /** Says of tasks that were handed out, and not reported as running, that they cannot be started: that ends the run. */
  refuse(refusals: readonly Refusal[], options: CallOptions = {}): void {
    this.call(options, (core) => refuse(core, refusals));
  }

  /** @throws ConductorError when the task does not exist, or is neither staged nor started */
  taskEvent(event: TaskEvent, options: CallOptions = {}): void {
    this.event(event, options);
  }

  /** @throws ConductorError as `taskEvent`, and when there is no such item */
  itemEvent(event: ItemEvent, options: CallOptions = {}): void {
    this.event(event, options);
  }

  /**
   * Opens a run that has ended once more.
   * @param requests undefined: from every end that failed
   * @throws ConductorError when the run has not ended, or a task has not run
   */
  rerun(requests?: readonly TaskRerun[], options: CallOptions = {}): void {
    this.call(options, (core) => {
      if (!this.isCompleted) throw stillActive();
      rerun(core, requests, options.now);
    });
  }

  /** When the run is to be ended, on the caller's clock in milliseconds; undefined when it may take any time. */
  get deadline(): number | undefined {
    return this.core.state.head.deadline;
  }

  /**
   * Ends the run as a failure when its deadline has passed; tasks that are active end as after any failure.
   * @returns whether it did
   */
  expire(now: number, options: CallOptions = {}): boolean {
    return this.call(options, (core) => {
      const hasExpired = expire(core, now);
      if (hasExpired) advanceCleanUp(core);
      return hasExpired;
    });
  }

  /** The output of a run that has ended: rendered once, null when there is none or the run goes on. */
  output(options: CallOptions = {}): Readonly<Record<string, unknown>> | null {
    return this.call(options, (core) => {
      const { head } = core.state;
      if (!this.isCompleted || head.outputRendered) return head.output;
      const { output, isSound } = renderOutput(core, head.cleanUp?.context ?? terminalContext(core));
      core.state.setHead({ output, outputRendered: true });
      if (!isSound) failAtLast(core);
      return output;
    });
  }

  /** What the ends of all branches have published so far. */
  get published(): Readonly<Record<string, unknown>> {
    return publishedValues(this.core);
  }

  /** What a chain that has not ended has published so far. */
  get publishedSoFar(): Readonly<Record<string, unknown>> {
    return publishedSoFar(this.core);
  }

  private event(event: AnyEvent, options: CallOptions): void {
    this.call(options, (core) => {
      applyEvent(core, event);
      advanceCleanUp(core);
    });
  }

  /** What has changed since this was asked last; undefined when nothing has. */
  takeChanges(): Changes | undefined {
    return this.core.state.takeChanges();
  }

  /** One call: it applies as a whole, or the state is as it was (I2). */
  private call<T>(options: CallOptions, work: (core: Core) => T): T {
    const { state, evaluator } = this.core;
    evaluator.lookups = options.lookups ?? {};
    try {
      const answer = new Allowance(this.core.limits.expressions).run(() => work(this.core));
      state.commit();
      return answer;
    } catch (error) {
      state.rollback();
      throw error;
    }
  }
}
