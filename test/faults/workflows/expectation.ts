import { isDeepStrictEqual } from 'node:util';
import {
  Conductor,
  parseWorkflow,
  type TaskDispatch,
  type WorkflowStatus,
  type WorkflowSpec,
} from '@switchyard/workflow';
import type { Chance } from './chance';
import { INNER, NOOP, STEP } from './names';
import type { Definition } from './random-definition';

/** The outcome of a workflow. */
export interface Outcome {
  readonly status: string;
  readonly output: unknown;
  /** How often each action runs, by task and item. */
  readonly actions: Readonly<Record<string, number>>;
}

interface Active extends Pick<TaskDispatch, 'task' | 'route' | 'round' | 'attempt'> {
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly item?: number;
}

/** Removes the actions that end next from the running ones and returns them. */
type Order = (active: Active[]) => Active[];

const RANDOM_ORDERS = 40;
/** A workflow with more events counts as endless. */
const MOST_EVENTS = 400;

/**
 * The outcome of a definition without faults, found by simulating many orders in which its actions can end.
 * @returns undefined if the outcome depends on the order, or if the workflow does not end
 */
export function expectedOutcome(definition: Definition, chance: Chance): Outcome | undefined {
  const spec = parseWorkflow(definition);
  let found: Outcome | undefined;
  for (const order of ordersOf(spec, chance)) {
    const outcome = play(spec, order);
    if (!outcome || (found && !isDeepStrictEqual(outcome, found))) return undefined;
    found = outcome;
  }
  return found;
}

/** Orders: one after the other, each task before and after all others, and random ones. */
function ordersOf({ tasks }: WorkflowSpec, chance: Chance): Order[] {
  const take = (active: Active[], at: number) => active.splice(at, 1);
  const preferring = (isMeant: (active: Active) => boolean) => (active: Active[]) =>
    take(active, Math.max(0, active.findIndex(isMeant)));
  return [
    (active) => take(active, 0),
    (active) => take(active, active.length - 1),
    ...[...tasks.keys()].flatMap((name) => [
      preferring(({ task }) => task === name),
      preferring(({ task }) => task !== name),
    ]),
    ...Array.from({ length: RANDOM_ORDERS }, () => (active: Active[]) => {
      const count = 1 + chance.below(Math.min(3, active.length));
      return Array.from({ length: count }, () => take(active, chance.below(active.length))).flat();
    }),
  ];
}

function play(spec: WorkflowSpec, order: Order): Outcome | undefined {
  const conductor = Conductor.create(spec, { context: { st2: {}, parent: {} } });
  const active: Active[] = [];
  const actions: Record<string, number> = {};
  let ending: Omit<Outcome, 'actions'> | undefined;
  conductor.requestStatus('running');
  for (let events = 0; events < MOST_EVENTS; events++) {
    for (const begun of startAll(conductor)) {
      const key = actionKey(begun.task, begun.item);
      actions[key] = (actions[key] ?? 0) + 1;
      active.push(begun);
    }
    // A failed workflow has its output at once, even while actions still run.
    if (conductor.isCompleted) ending ??= endOf(conductor);
    if (active.length === 0) return ending && { ...ending, actions };
    for (const ended of order(active)) report(conductor, ended, ...answerOf(ended));
  }
  return undefined;
}

/** Renders the output first, since a failure there changes the status. */
function endOf(conductor: Conductor): Omit<Outcome, 'actions'> {
  const output = plain(conductor.output());
  return { status: conductor.status, output };
}

export const actionKey = (task: string, item: number | undefined): string =>
  item === undefined ? task : `${task}[${item}]`;

/** A value as it is after storing. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

function startAll(conductor: Conductor): Active[] {
  const begun: Active[] = [];
  for (let tasks = conductor.nextTasks(); tasks.length > 0; tasks = conductor.nextTasks())
    for (const { task, route, round, attempt, actions, itemsCount } of tasks) {
      const run = { task, route, round, attempt };
      if (itemsCount === 0) {
        conductor.taskEvent({ ...run, status: 'running' });
        conductor.taskEvent({ ...run, status: 'succeeded', result: null });
      }
      for (const { action, input, item } of actions) {
        const active = { ...run, action: action ?? '', input: input ?? {}, ...(item === undefined ? {} : { item }) };
        report(conductor, active, 'running');
        begun.push(active);
      }
    }
  return begun;
}

function report(conductor: Conductor, active: Active, status: WorkflowStatus, result?: unknown): void {
  const { task, route, round, attempt, item } = active;
  const event = { task, route, round, attempt, status, ...(result === undefined ? {} : { result }) };
  if (item === undefined) conductor.taskEvent(event);
  else conductor.itemEvent({ ...event, item });
}

/** The status of an action, and the part of its result that the definitions read. */
function answerOf({ action, input }: Active): [WorkflowStatus, unknown] {
  if (action === INNER) return ['succeeded', { output: null }];
  if (action === NOOP) return ['succeeded', { return_code: 0 }];
  if (action !== STEP) return ['succeeded', {}];
  const code = Number(/exit (\d+)$/.exec(String(input['cmd']))?.[1]);
  return [code === 0 ? 'succeeded' : 'failed', { return_code: code, stdout: '', stderr: '' }];
}
