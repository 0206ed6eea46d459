import { taskOf, type Execution } from '@switchyard/client';
import { isTerminal, type Status } from '@switchyard/model';

/** A task of a workflow: one execution, or all executions of a with-items task. */
export interface TaskNode {
  /** Absent for a with-items task, because each item has its own id. */
  readonly id?: string;
  readonly name: string;
  readonly action: string;
  readonly status: Status;
  readonly start_timestamp: string;
  readonly end_timestamp?: string;
  /** Only for a with-items task. */
  readonly items?: ItemCount;
  readonly isItem: boolean;
  readonly children: readonly TaskNode[];
}

export interface ItemCount {
  readonly ended: number;
  readonly failed: number;
  /** The number of started items, which a concurrency limit can keep below the total. */
  readonly begun: number;
  readonly total: number;
}

/** The tree of tasks below an execution. @param all everything below it, in order of start */
export function taskTree(root: string, all: readonly Execution[]): TaskNode[] {
  const byParent = new Map<string, Execution[]>();
  for (const each of all) add(byParent, each.parent ?? '', each);
  const below = (id: string): TaskNode[] => [...byTask(byParent.get(id) ?? []).values()].flatMap(nodesOf);
  const nodesOf = (executions: readonly Execution[]): TaskNode[] => {
    const nodes = executions.map((each) => node(each, below(each.id)));
    const [first] = executions;
    return first && taskOf(first)?.item !== undefined ? [itemsNode(executions, nodes)] : nodes;
  };
  return below(root);
}

/** Groups the items of each task run. Every other execution is a group of its own. */
function byTask(executions: readonly Execution[]): Map<string, Execution[]> {
  const groups = new Map<string, Execution[]>();
  for (const each of executions) {
    const task = taskOf(each);
    add(groups, task?.item === undefined ? each.id : `${task.name} ${task.run ?? ''}`, each);
  }
  return groups;
}

function node(execution: Execution, children: readonly TaskNode[]): TaskNode {
  const { id, action, status, start_timestamp, end_timestamp } = execution;
  const { name = '', item } = taskOf(execution) ?? {};
  return {
    id,
    name: item === undefined ? name : `${name}#${item}`,
    action: action.ref,
    status,
    start_timestamp,
    ...(end_timestamp === undefined ? {} : { end_timestamp }),
    isItem: item !== undefined,
    children,
  };
}

/** Only the last attempt of a retried item counts. */
function itemsNode(executions: readonly Execution[], children: readonly TaskNode[]): TaskNode {
  const latest = [...new Map(executions.map((each) => [taskOf(each)?.item, each])).values()];
  const [first] = executions as [Execution];
  const ended = latest.filter(({ status }) => isTerminal(status));
  const total = taskOf(first)?.itemsCount ?? latest.length;
  const status = statusOfItems(latest.map(({ status }) => status));
  const end = ended.map(({ end_timestamp }) => end_timestamp ?? '').reduce((a, b) => (a > b ? a : b), '');
  return {
    name: taskOf(first)?.name ?? '',
    action: first.action.ref,
    status: status === 'succeeded' && latest.length < total ? 'running' : status,
    start_timestamp: first.start_timestamp,
    ...(ended.length === total && end !== '' ? { end_timestamp: end } : {}),
    isItem: false,
    items: {
      ended: ended.length,
      failed: ended.filter(({ status }) => hasFailed(status)).length,
      begun: latest.length,
      total,
    },
    children,
  };
}

const statusOfItems = (statuses: readonly Status[]): Status =>
  statuses.find((status) => status === 'running') ??
  statuses.find((status) => !isTerminal(status)) ??
  statuses.find(hasFailed) ??
  statuses.find((status) => status !== 'succeeded') ??
  'succeeded';

export const hasFailed = (status: Status): boolean =>
  status === 'failed' || status === 'timeout' || status === 'abandoned';

export const hasNotBegun = (status: Status): boolean =>
  status === 'requested' || status === 'delayed' || status === 'scheduled';

function add<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}
