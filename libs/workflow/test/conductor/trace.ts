import { isDeepStrictEqual } from 'node:util';
import {
  Conductor,
  parseWorkflow,
  type WorkflowError,
  type TaskDispatch,
  type WorkflowStatus,
} from '@switchyard/workflow';

/** One recorded run: see the README beside the vectors. */
export interface Trace {
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
  readonly inspect: Readonly<Record<string, unknown>>;
  /** Absent if inspection had findings. */
  readonly trace?: readonly Step[];
  readonly final?: Final;
}

export type Step = (
  | { readonly op: 'request_status'; readonly status: string }
  | { readonly op: 'next_tasks'; readonly tasks: readonly RecordedTask[] }
  | ({ readonly op: 'task_event' } & RecordedEvent)
  | ({ readonly op: 'item_event'; readonly item_id: number } & RecordedEvent)
  | { readonly op: 'rerun'; readonly tasks?: readonly RecordedRerun[] }
) & { readonly after: After; readonly raises?: unknown };

interface RecordedEvent {
  readonly task: string;
  readonly route: number;
  readonly status: WorkflowStatus;
  readonly result?: unknown;
}

interface RecordedRerun {
  readonly task_id: string;
  readonly route: number;
  readonly reset_items: boolean;
}

export interface RecordedTask {
  readonly id: string;
  readonly route: number;
  readonly actions: readonly { readonly action: unknown; readonly input: unknown; readonly item_id?: number }[];
  readonly delay?: number;
  readonly items_count?: number;
  readonly concurrency?: number | null;
}

interface After {
  readonly workflow: string;
  readonly tasks: Readonly<Record<string, WorkflowStatus | null>>;
}

interface RecordedError {
  readonly type: string;
  readonly message?: string;
  readonly task_id?: string;
  readonly route?: number;
  readonly task_transition_id?: string;
}

interface Final {
  readonly status: string;
  readonly output: unknown;
  readonly errors: readonly RecordedError[];
}

/**
 * Replays a recorded run.
 * @param between gets the conductor after each step and may replace it, for example with one restored from its
 * documents
 * @returns the differences; empty if there are none
 */
export function replayTrace(trace: Trace, between: (conductor: Conductor) => Conductor = (same) => same): string[] {
  const { definition, input, context } = trace;
  let conductor = between(Conductor.create(parseWorkflow(definition), { context, inputs: input }));
  for (const [index, step] of (trace.trace ?? []).entries()) {
    const found = stepDifferences(conductor, step);
    if (found.length > 0) return found.map((text) => `step ${index}, ${described(step)}: ${text}`);
    conductor = between(conductor);
  }
  return trace.final === undefined ? [] : finalDifferences(conductor, trace.final);
}

const described = ({ op, ...rest }: Step): string =>
  [op, 'task' in rest ? rest.task : '', 'status' in rest ? rest.status : ''].filter((word) => word !== '').join(' ');

function stepDifferences(conductor: Conductor, step: Step): string[] {
  const before = seen(conductor);
  try {
    const answer = play(conductor, step);
    if (step.raises !== undefined) return [`expected a refusal (${JSON.stringify(step.raises)})`];
    return [...answer, ...difference('state', step.after, seen(conductor))];
  } catch (error) {
    if (step.raises !== undefined) return difference('state after a refusal', before, seen(conductor));
    return [`threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
}

function play(conductor: Conductor, step: Step): string[] {
  if (step.op === 'request_status') conductor.requestStatus(step.status);
  else if (step.op === 'task_event') conductor.taskEvent(eventOf(step));
  else if (step.op === 'item_event') conductor.itemEvent({ ...eventOf(step), item: step.item_id });
  else if (step.op === 'rerun') conductor.rerun(step.tasks?.map(rerunOf));
  else return difference('hand-out', step.tasks.map(plainTask).sort(byTask), conductor.nextTasks().map(handedOut));
  return [];
}

const eventOf = ({ task, route, status, result }: RecordedEvent) => ({ task, route, status, result });

const rerunOf = ({ task_id: task, route, reset_items: resetItems }: RecordedRerun) => ({ task, route, resetItems });

const byTask = (a: RecordedTask, b: RecordedTask): number => (a.id === b.id ? a.route - b.route : a.id < b.id ? -1 : 1);

/** No delay is the same as a delay of 0. */
const plainTask = ({ delay, concurrency, ...task }: RecordedTask) => ({
  ...task,
  ...(delay ? { delay } : {}),
  ...(concurrency === undefined || concurrency === null ? {} : { concurrency }),
});

const handedOut = ({ task, route, actions, delay, itemsCount, concurrency }: TaskDispatch): RecordedTask =>
  plainTask({
    id: task,
    route,
    actions: actions.map(({ action, input, item }) => ({
      action,
      input,
      ...(item === undefined ? {} : { item_id: item }),
    })),
    ...(delay === undefined ? {} : { delay }),
    ...(itemsCount === undefined ? {} : { items_count: itemsCount }),
    ...(concurrency === undefined ? {} : { concurrency }),
  });

const seen = (conductor: Conductor): After => ({
  workflow: conductor.status,
  tasks: Object.fromEntries(conductor.tasks),
});

function finalDifferences(conductor: Conductor, { output, errors, status }: Final): string[] {
  const given = conductor.output();
  return [
    ...difference('final status', status, conductor.status),
    ...difference('output', output, given),
    ...difference('errors', errors.map(comparable).sort(), conductor.errors.map(comparable).sort()),
  ];
}

/** Ignores the wording of messages. */
const comparable = ({ type, task_id, route }: Final['errors'][number] | WorkflowError): string =>
  `${type} ${task_id ?? ''} ${route ?? ''}`;

function difference(what: string, expected: unknown, given: unknown): string[] {
  const [left, right] = [asJson(expected), asJson(given)];
  return isDeepStrictEqual(left, right)
    ? []
    : [`${what}: expected ${JSON.stringify(left)}, got ${JSON.stringify(right)}`];
}

const asJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
