import { Conductor, type TaskDispatch, type WorkflowStatus, type TaskReference } from '../conductor';
import type { WorkflowSpec } from '../spec/model';
import type { EntryDocument, RouteDocument } from '../state/documents';
import { MockActions, type MockAnswer, type ReadResult } from './mock-actions';
import type { Rehearsal } from './rehearsal';

/** A workflow that runs longer is taken to be endless. */
const MAX_ROUNDS = 10_000;

/** One run of a task, with all its attempts. */
export interface RehearsedTask {
  readonly task: string;
  readonly route: number;
  readonly status: WorkflowStatus | null;
  /** The rendered input of its action, of the last attempt; absent for a task with items, and for engine commands. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** How many items the task had. */
  readonly items?: number;
}

export interface Performed {
  readonly conductor: Conductor;
  readonly performance: Performance;
  /** False if it was stopped because it did not end. */
  readonly ended: boolean;
}

/**
 * Runs a workflow with mocked actions: in each round all dispatched actions start, then end in the same order.
 * @param context known to the run besides its inputs
 */
export function perform(
  spec: WorkflowSpec,
  { inputs, mocks, rerun }: Rehearsal,
  { context, readResult }: { readonly context: Readonly<Record<string, unknown>>; readonly readResult?: ReadResult },
): Performed {
  const stage = new Stage(Conductor.create(spec, { inputs, context }), new MockActions(mocks, readResult));
  stage.start(() => stage.conductor.requestStatus('running'));
  let ended = stage.play();
  if (rerun && ended) {
    const requests = rerun.map(({ taskId, route, resetItems }) => ({ task: taskId, route, resetItems }));
    stage.start(() => stage.conductor.rerun(requests.length === 0 ? undefined : requests));
    ended = stage.play();
  }
  return { conductor: stage.conductor, performance: stage.performance, ended };
}

class Stage {
  readonly performance = new Performance();
  private readonly answers = new Map<number, MockAnswer>();

  constructor(
    readonly conductor: Conductor,
    private readonly actions: MockActions,
  ) {}

  start(request: () => void): void {
    if (!this.conductor.isCompleted || this.performance.taskSequence.length > 0) request();
    this.performance.watch(this.conductor);
  }

  /** @returns whether the run came to rest */
  play(): boolean {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const tasks = this.conductor.nextTasks(this.options());
      this.performance.watch(this.conductor);
      if (tasks.length === 0) return true;
      for (const task of tasks) this.report(task, () => ({ status: 'running', result: undefined }));
      for (const task of tasks) this.performance.noteDispatch(task);
      for (const task of tasks) this.report(task, (item) => this.answerTo(task, item));
    }
    return false;
  }

  private answerTo({ task, route, round, actions }: TaskDispatch, item: number | undefined): MockAnswer {
    const sequenceIndex = this.performance.indexOf({ task, route, round });
    if (actions.length === 0 || actions[0]?.action === null) return { status: 'succeeded', result: null };
    const answer = this.actions.answer({ task, route, sequenceIndex, ...(item !== undefined && { item }) });
    this.answers.set(sequenceIndex, answer);
    return answer;
  }

  private report(
    { task, route, round, attempt, actions, itemsCount }: TaskDispatch,
    answer: (item?: number) => MockAnswer,
  ): void {
    const run = { task, route, round, attempt };
    const items = itemsCount === undefined || itemsCount === 0 ? [undefined] : actions.map((action) => action.item);
    for (const item of items) {
      const { status, result } = answer(item);
      const event = { ...run, status: status as WorkflowStatus, ...(result !== undefined && { result }) };
      if (item === undefined) this.conductor.taskEvent(event, this.options());
      else this.conductor.itemEvent({ ...event, item }, this.options());
      this.performance.watch(this.conductor);
    }
  }

  /** Supports `task()`, since there are no records of executions. */
  private options() {
    const record = ({ task, route, entry }: TaskReference) => ({
      ...{ task_execution_id: '', workflow_execution_id: '', task_name: task, task_id: task, route },
      ...{ start_timestamp: null, end_timestamp: null },
      ...(this.answers.get(entry) ?? { status: 'running', result: null }),
    });
    return { lookups: { record } };
  }
}

/** Records the course of a run from the changes that the conductor reports. */
class Performance {
  private readonly entries = new Map<number, EntryDocument>();
  private readonly indexes = new Map<string, number>();
  private readonly dispatched = new Map<number, Pick<RehearsedTask, 'input' | 'items'>>();
  private readonly ways: string[][] = [[]];

  /** Call after every step. */
  watch(conductor: Conductor): void {
    for (const document of conductor.takeChanges()?.put ?? []) {
      if (document.kind === 'entry') {
        this.entries.set(document.index, document);
        this.indexes.set(keyOf(document), document.index);
      }
      if (document.kind === 'route') this.ways[document.index] = this.wayOf(document);
    }
  }

  /** Call once a task is running. */
  noteDispatch({ actions, itemsCount, ...run }: TaskDispatch): void {
    const input = itemsCount === undefined ? actions[0]?.input : undefined;
    this.dispatched.set(this.indexOf(run), {
      ...(input && { input }),
      ...(itemsCount !== undefined && { items: itemsCount }),
    });
  }

  /** The index of a task run in the sequence. */
  indexOf(run: TaskRun): number {
    return this.indexes.get(keyOf(run)) ?? this.entries.size;
  }

  /** All runs of tasks in the order in which they started. */
  get tasks(): RehearsedTask[] {
    return this.inOrder().map(({ task, route, status, index }) => ({
      ...{ task, route, status },
      ...this.dispatched.get(index),
    }));
  }

  get taskSequence(): string[] {
    return this.inOrder().map(nameOf);
  }

  get routes(): readonly (readonly string[])[] {
    return this.ways;
  }

  /** The tasks with which the run ended, by name. */
  get termTasks(): string[] {
    return this.inOrder()
      .filter(({ terminal }) => terminal)
      .map(nameOf)
      .sort();
  }

  private inOrder(): EntryDocument[] {
    return [...this.entries.values()].sort((a, b) => a.index - b.index);
  }

  private wayOf({ base, by }: RouteDocument): string[] {
    return base < 0 ? [] : [...(this.ways[base] ?? []), by];
  }
}

type TaskRun = Pick<EntryDocument, 'task' | 'route' | 'round'>;

const keyOf = ({ task, route, round }: TaskRun): string => `${task} ${route} ${round}`;

const nameOf = ({ task, route }: EntryDocument): string => (route === 0 ? task : `${task}__r${route}`);
