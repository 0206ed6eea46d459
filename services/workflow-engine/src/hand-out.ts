import { isFault, slices } from '@switchyard/base';
import type { FoundDefinitions, Order, PreparedRequest } from '@switchyard/executions';
import type { HandOut } from '@switchyard/workflow';
import type { Engine } from './engine';
import { prepareOrder } from './place';
import { isUnknown, refusalText } from './refusal';
import { call, type Run } from './run';

/** An action that the run has decided on, ready to be requested once that is written down. */
export interface Placement {
  readonly order: Order;
  readonly prepared: PreparedRequest;
}

/** So many actions are decided on in one step. */
const MOST_PLACEMENTS = 500;

/** Takes from the conductor what to run now and reports it as running. @returns whether there may be more */
export async function handOut(engine: Engine, run: Run): Promise<{ placements: Placement[]; more: boolean }> {
  const placements: Placement[] = [];
  const slice = slices();
  for (let steps = 0; ; steps++) {
    const tasks = await call(engine, run, (options) => run.conductor.nextTasks(options));
    if (tasks.length === 0) return { placements, more: false };
    if (placements.length > MOST_PLACEMENTS || steps > MOST_PLACEMENTS) return { placements, more: true };
    placements.push(...(await handOutTasks(engine, run, tasks)));
    await slice.next();
  }
}

async function handOutTasks(engine: Engine, run: Run, tasks: readonly HandOut[]): Promise<Placement[]> {
  const found: FoundDefinitions = new Map();
  const attempts = await Promise.all(ordersOf(tasks).map((order) => tryToPrepare(engine, run, order, found)));
  const refused = attempts.filter((attempt) => 'message' in attempt);
  // Nothing else is begun either: the run has failed.
  if (refused.length > 0) {
    const first = new Map(refused.map(({ order, ...why }) => [`${order.task}:${order.route}`, { ...order, ...why }]));
    await call(engine, run, (options) => run.conductor.refuse([...first.values()], options));
    return [];
  }
  for (const task of tasks) await begin(engine, run, task);
  return attempts.filter((attempt) => 'prepared' in attempt);
}

const ordersOf = (tasks: readonly HandOut[]): Order[] =>
  tasks.flatMap(({ task, route, round, attempt, timeout, itemsCount, actions }) =>
    actions.flatMap(({ action, input, item, delay }) =>
      action === null
        ? []
        : [
            {
              ...{ task, route, round, attempt, action, input: input ?? {} },
              ...(item === undefined ? {} : { item }),
              ...(itemsCount === undefined ? {} : { itemsCount }),
              ...(delay ? { delay } : {}),
              ...(timeout === undefined ? {} : { timeout }),
            },
          ],
    ),
  );

async function tryToPrepare(
  engine: Engine,
  run: Run,
  order: Order,
  found: FoundDefinitions,
): Promise<Placement | { order: Order; message: string; isFinal: boolean }> {
  try {
    return { order, prepared: await prepareOrder(engine, run, order, found) };
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return { order, message: refusalText(run, order, error), isFinal: isUnknown(error) };
  }
}

async function begin(
  engine: Engine,
  run: Run,
  { task, route, round, attempt, actions, itemsCount }: HandOut,
): Promise<void> {
  const event = { task, route, round, attempt };
  const isEmpty = itemsCount === undefined ? actions[0]?.action === null : itemsCount === 0;
  if (isEmpty || itemsCount === undefined)
    await call(engine, run, (options) => run.conductor.taskEvent({ ...event, status: 'running' }, options));
  if (isEmpty)
    return call(engine, run, (options) =>
      run.conductor.taskEvent({ ...event, status: 'succeeded', result: null }, options),
    );
  if (itemsCount === undefined) return;
  for (const { item } of actions)
    await call(engine, run, (options) =>
      run.conductor.itemEvent({ ...event, status: 'running', item: item! }, options),
    );
}
