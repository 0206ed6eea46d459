import { isDeepStrictEqual } from 'node:util';
import { Conductor, parseWorkflow, type HandOut, type Status, type WorkflowSpec } from '@switchyard/workflow';
import type { Chance } from './chance';
import { INNER, NOOP, STEP } from './names';
import type { Definition } from './random-definition';

/** What a workflow comes to. */
export interface Outcome {
  readonly status: string;
  readonly output: unknown;
  /** How often each action of it runs, by its task and item. */
  readonly actions: Readonly<Record<string, number>>;
}

interface Active extends Pick<HandOut, 'task' | 'route' | 'round' | 'attempt'> {
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly item?: number;
}

/** Takes those out of the running actions that end next, all at once. */
type Order = (active: Active[]) => Active[];

const RANDOM_ORDERS = 40;
/** A workflow that takes more events does not end. */
const MOST_EVENTS = 400;

/**
 * What a definition comes to when nothing goes wrong, found by playing it through in many orders in which actions may end.
 * @returns undefined when that depends on the order, or when it does not end
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

/** One after the other, each task before and after all others, and by chance. */
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
    // A workflow that has failed shows its output at once, whatever still runs.
    if (conductor.isCompleted) ending ??= endOf(conductor);
    if (active.length === 0) return ending && { ...ending, actions };
    for (const ended of order(active)) report(conductor, ended, ...answerOf(ended));
  }
  return undefined;
}

/** Whether an output can be rendered decides about the status. */
function endOf(conductor: Conductor): Omit<Outcome, 'actions'> {
  const output = plain(conductor.output());
  return { status: conductor.status, output };
}

export const actionKey = (task: string, item: number | undefined): string =>
  item === undefined ? task : `${task}[${item}]`;

/** What is left of a value after it was stored. */
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

function report(conductor: Conductor, active: Active, status: Status, result?: unknown): void {
  const { task, route, round, attempt, item } = active;
  const event = { task, route, round, attempt, status, ...(result === undefined ? {} : { result }) };
  if (item === undefined) conductor.taskEvent(event);
  else conductor.itemEvent({ ...event, item });
}

/** How an action ends, and as much of its result as the definitions read. */
function answerOf({ action, input }: Active): [Status, unknown] {
  if (action === INNER) return ['succeeded', { output: null }];
  if (action === NOOP) return ['succeeded', { return_code: 0 }];
  if (action !== STEP) return ['succeeded', {}];
  const code = Number(/exit (\d+)$/.exec(String(input['cmd']))?.[1]);
  return [code === 0 ? 'succeeded' : 'failed', { return_code: code, stdout: '', stderr: '' }];
}
