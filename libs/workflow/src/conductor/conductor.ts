import { slices, type Slices } from '@switchyard/base';
import { Allowance } from '@switchyard/expressions';
import { COMPLETED, type WorkflowStatus } from '../machines';
import type { WorkflowSpec } from '../spec/model';
import type { Changes, WorkflowError, Snapshot } from '../state/documents';
import { restoreState } from '../state/restore';
import { State } from '../state/state';
import { applyEvent, type AnyEvent, type ItemEvent, type TaskEvent } from './apply-event';
import { beginWorkflow, type Given, expire } from './begin';
import { advanceCleanUp, failAtLast, visibleStatus } from './clean-up';
import { Core, type CoreOptions } from './core';
import { stillActive } from './errors';
import type { Lookups } from './evaluator';
import { dispatchTasks, refuseTasks, type Refusal } from './dispatch-tasks';
import { publishedSoFar, publishedValues, renderOutput, terminalContext } from './output';
import type { TaskDispatch } from './render-task';
import { underwayIn, type Underway } from './entry';
import { requestCleanUpStatus, requestable, requestBodyStatus } from './requests';
import { rerun, type TaskRerun } from './rerun';
import { taskContext, type TaskContext } from './task-context';

/** Options of every call. */
export interface CallOptions {
  readonly lookups?: Lookups;
  /** Milliseconds on a clock of the caller's choice, always the same one. */
  readonly now?: number;
}

/**
 * Decides what a workflow does next; see DESIGN.md. It runs nothing itself: callers report events and query what to
 * run. Every call either applies completely or throws and changes nothing.
 */
export class Conductor {
  private constructor(private readonly core: Core) {}

  /** Begins a run: renders inputs and variables. If that fails, the conductor has the status failed. */
  static create(spec: WorkflowSpec, given: Partial<Given> = {}, options: CoreOptions & CallOptions = {}): Conductor {
    const conductor = new Conductor(new Core(spec, new State(), options));
    conductor.call(options, (core) => {
      beginWorkflow(core, { context: given.context ?? {}, inputs: given.inputs ?? {} }, options.now);
      advanceCleanUp(core);
    });
    return conductor;
  }

  /** Restores the conductor of a stored run. @param spec the definition that it was created with */
  static restore(spec: WorkflowSpec, snapshot: Snapshot, options: CoreOptions = {}): Conductor {
    const parts = restoreState(snapshot);
    for (;;) {
      const { done, value } = parts.next();
      if (done) return new Conductor(new Core(spec, value, options));
    }
  }

  /** The same in slices, so that a large run does not block other work. */
  static async restoreInSlices(
    spec: WorkflowSpec,
    snapshot: Snapshot,
    { slice = slices(), ...options }: CoreOptions & { readonly slice?: Slices } = {},
  ): Promise<Conductor> {
    const parts = restoreState(snapshot);
    for (;;) {
      const { done, value } = parts.next();
      if (done) return new Conductor(new Core(spec, value, options));
      await slice.next();
    }
  }

  get status(): WorkflowStatus | 'unset' {
    return visibleStatus(this.core);
  }

  get isCompleted(): boolean {
    return COMPLETED.has(this.status);
  }

  /** Whether the body has ended and rollback or `finally` tasks run. */
  get isCleaningUp(): boolean {
    return this.core.state.head.cleanUp !== undefined;
  }

  /** The error log, oldest first. */
  get errors(): readonly WorkflowError[] {
    return this.core.state.errors.entries;
  }

  /** The status of the latest run of each task in each route, by `<task>:<route>`; null before its first event. */
  get tasks(): ReadonlyMap<string, WorkflowStatus | null> {
    const statuses = new Map<string, WorkflowStatus | null>();
    for (const [task, routes] of this.core.state.entries.latest) {
      for (const [route, { status }] of routes) statuses.set(`${task}:${route}`, status);
    }
    return statuses;
  }

  /** The status of the latest run of a task in a route. */
  statusOf(task: string, route: number): WorkflowStatus | undefined {
    return this.core.state.entries.latestOf(task, route)?.status ?? undefined;
  }

  /** The variables before and after one run of a task; undefined if there is no such run. */
  contextOf(task: Pick<Underway, 'task' | 'route' | 'round'>): TaskContext | undefined {
    return taskContext(this.core, task);
  }

  /** Whether any task is active: a run may have failed while other tasks are still finishing. */
  get hasActiveTasks(): boolean {
    return this.core.counts.active > 0;
  }

  /**
   * All task runs that have started and not ended. After a restart the caller finds out their current state. Do not
   * report events while iterating.
   */
  get underway(): Iterable<Underway> {
    return underwayIn(this.core);
  }

  /** @throws ConductorError when the current status does not allow it */
  requestStatus(status: string, options: CallOptions = {}): void {
    this.call(options, (core) => {
      const request = requestable(status);
      if (core.state.head.cleanUp === undefined) requestBodyStatus(core, request);
      else requestCleanUpStatus(core, request);
      advanceCleanUp(core);
    });
  }

  /** What to run now, by task and route. Returns the same until events are reported. */
  nextTasks(options: CallOptions = {}): TaskDispatch[] {
    return this.call(options, dispatchTasks);
  }

  /** Reports that dispatched tasks cannot be started, which ends the run. */
  refuse(refusals: readonly Refusal[], options: CallOptions = {}): void {
    this.call(options, (core) => refuseTasks(core, refusals));
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
   * Reports events of several items with one call, which costs less than a call for each.
   * @throws ConductorError as `itemEvent`; then none of them is applied
   */
  itemEvents(events: readonly ItemEvent[], options: CallOptions = {}): void {
    this.call(options, (core) => {
      for (const event of events) {
        applyEvent(core, event);
        advanceCleanUp(core);
      }
    });
  }

  /**
   * Reopens a run that has ended.
   * @param requests undefined: rerun from every failed end
   * @throws ConductorError when the run has not ended, or a task has not run
   */
  rerun(requests?: readonly TaskRerun[], options: CallOptions = {}): void {
    this.call(options, (core) => {
      if (!this.isCompleted) throw stillActive();
      rerun(core, requests, options.now);
    });
  }

  /** When the run times out, in milliseconds on the caller's clock; undefined without a timeout. */
  get deadline(): number | undefined {
    return this.core.state.head.deadline;
  }

  /**
   * Fails the run when its deadline has passed; active tasks finish as after any failure.
   * @returns whether the run was ended
   */
  expire(now: number, options: CallOptions = {}): boolean {
    return this.call(options, (core) => {
      const hasExpired = expire(core, now);
      if (hasExpired) advanceCleanUp(core);
      return hasExpired;
    });
  }

  /** The output of an ended run, rendered once; null if there is none or the run has not ended. */
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

  /** What an unfinished chain has published so far. */
  get publishedSoFar(): Readonly<Record<string, unknown>> {
    return publishedSoFar(this.core);
  }

  private event(event: AnyEvent, options: CallOptions): void {
    this.call(options, (core) => {
      applyEvent(core, event);
      advanceCleanUp(core);
    });
  }

  /** The changes since the last call; undefined if there are none. */
  takeChanges(): Changes | undefined {
    return this.core.state.takeChanges();
  }

  /** Runs one call, which applies completely or leaves the state unchanged (I2). */
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
