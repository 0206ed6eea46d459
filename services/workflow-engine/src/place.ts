import { isFault, messageOf, SECOND_MS } from '@switchyard/base';
import {
  requestKeyOf,
  taskIdOf,
  type ExecutionRequest,
  type FoundDefinitions,
  type Order,
  type PreparedRequest,
} from '@switchyard/executions';
import type { NotifySpec } from '@switchyard/model';
import type { ChainNode } from '@switchyard/workflow';
import { alongWith } from './begin';
import type { Engine } from './engine';
import type { Placement } from './hand-out';
import type { Note } from './note';
import type { Run } from './run';
import { secretInputs } from './run-secrets';
import { userOf } from './user-of';

/** So many requests are under way at a time. */
const AT_A_TIME = 50;

/**
 * Checks that an action can be requested.
 * @param found what was found for others of the same step
 * @throws Fault when it cannot
 */
export const prepareOrder = (
  engine: Engine,
  run: Run,
  order: Order,
  found: FoundDefinitions = new Map(),
): Promise<PreparedRequest> => engine.executions.prepare(requestOf(run, order, found));

/** Requests what a step of the run has decided on: the step is written, so it is done sooner or later. */
export async function place(placements: readonly Placement[]): Promise<void> {
  for (let at = 0; at < placements.length; at += AT_A_TIME)
    await Promise.all(placements.slice(at, at + AT_A_TIME).map(({ prepared }) => prepared.place()));
}

/** Requests one action after the run was restored. @returns what to tell the run if it can no longer be requested */
export async function requestOrder(engine: Engine, run: Run, order: Order): Promise<Note[]> {
  try {
    await (await prepareOrder(engine, run, order)).place();
    return [];
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return [{ unplaced: order, error: messageOf(error) }];
  }
}

function requestOf(run: Run, order: Order, found: FoundDefinitions): ExecutionRequest {
  const { record, execution } = run;
  const user = userOf(execution);
  return {
    action: order.action,
    parameters: { ...order.input },
    // The workflow has rendered them: what looks like a template now came with data.
    literal: Object.keys(order.input),
    derivedSecrets: secretInputs(run.secrets, order, run.definition.chain?.nodes.get(nodeOf(run.definition, order))),
    user,
    context: contextOf(run, order),
    requestKey: requestKeyOf(record._id, order),
    priority: execution.priority,
    workflow: {
      ...{ workflow: record._id, task: taskIdOf(record._id, order), parent: execution },
      isApart: execution.status === 'canceling',
      ...{ user, notify: notifyOf(run, order), found },
    },
    ...(order.delay === undefined ? {} : { delay: Math.round(order.delay * SECOND_MS) }),
  };
}

function contextOf({ record, execution, definition }: Run, order: Order): Record<string, unknown> {
  const { user, pack } = execution.context;
  const along = alongWith(execution.context);
  const parent = { execution_id: execution._id, user, pack, ...along };
  if (definition.chain)
    return { parent, chain: chainContext(definition.chain.nodes.get(nodeOf(definition, order))), ...along };
  return {
    parent,
    orquesta: {
      workflow_execution_id: record._id,
      task_execution_id: taskIdOf(record._id, order),
      task_name: order.task,
      task_id: order.task,
      task_route: order.route,
      ...(order.item === undefined ? {} : { item_id: order.item, items_count: order.itemsCount }),
    },
    ...along,
  };
}

/** A chain's node may have the name of an engine command; its task then has another. */
export const nodeOf = ({ spec }: Run['definition'], { task }: Pick<Order, 'task'>): string =>
  spec.tasks.get(task)?.resultAs ?? task;

/** A node as it is written, its templates included. What is not written is null (interface sheet "execution", section 2). */
const chainContext = (node: ChainNode | undefined) =>
  node && Object.fromEntries(NODE_MEMBERS.map((member) => [member.replace('-', '_'), node.written[member] ?? null]));

const NODE_MEMBERS = ['name', 'ref', 'params', 'parameters', 'on-success', 'on-failure', 'publish', 'notify'] as const;

/** What is told about the end of a task is the workflow's to say. */
function notifyOf({ record: { options }, execution, definition }: Run, order: Order): NotifySpec {
  const own = execution.notify ?? {};
  if (!definition.chain) return options.notify.includes(order.task) ? own : {};
  const name = nodeOf(definition, order);
  if (options.skip_notify.includes(name)) return {};
  return (definition.chain.nodes.get(name)?.notify as NotifySpec | undefined) ?? own;
}
