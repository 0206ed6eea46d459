import { Conductor, type HandOut, type Status, type TaskReference } from '../conductor';
import type { WorkflowSpec } from '../spec/model';
import { MockActions, type MockAnswer, type ReadResult } from './mock-actions';
import { Performance } from './performance';
import type { Rehearsal } from './spec/model';

/** A workflow that goes on for longer than that is taken to go on for ever. */
const MAX_ROUNDS = 10_000;

export interface Performed {
  readonly conductor: Conductor;
  readonly performance: Performance;
  /** False when it was stopped because it did not come to an end. */
  readonly ended: boolean;
}

/**
 * Runs a workflow on mocked actions: in each round everything that is handed out starts, then ends in the same order.
 * @param context what the run knows besides its inputs
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
      for (const task of tasks) this.report(task, (item) => this.answerTo(task, item));
    }
    return false;
  }

  private answerTo({ task, route, round, actions }: HandOut, item: number | undefined): MockAnswer {
    const sequenceIndex = this.performance.indexOf(task, route, round);
    if (actions.length === 0 || actions[0]?.action === null) return { status: 'succeeded', result: null };
    const answer = this.actions.answer({ task, route, sequenceIndex, ...(item !== undefined && { item }) });
    this.answers.set(sequenceIndex, answer);
    return answer;
  }

  private report(
    { task, route, round, attempt, actions, itemsCount }: HandOut,
    answer: (item?: number) => MockAnswer,
  ): void {
    const run = { task, route, round, attempt };
    const items = itemsCount === undefined || itemsCount === 0 ? [undefined] : actions.map((action) => action.item);
    for (const item of items) {
      const { status, result } = answer(item);
      const event = { ...run, status: status as Status, ...(result !== undefined && { result }) };
      if (item === undefined) this.conductor.taskEvent(event, this.options());
      else this.conductor.itemEvent({ ...event, item }, this.options());
      this.performance.watch(this.conductor);
    }
  }

  /** What `task()` answers: there are no records of executions. */
  private options() {
    const record = ({ task, route, entry }: TaskReference) => ({
      ...{ task_execution_id: '', workflow_execution_id: '', task_name: task, task_id: task, route },
      ...{ start_timestamp: null, end_timestamp: null },
      ...(this.answers.get(entry) ?? { status: 'running', result: null }),
    });
    return { lookups: { record } };
  }
}
