import { type Id, microsToIso } from '@switchyard/base';
import type { WorkflowRecord } from '@switchyard/model';
import { composeGraph, type GraphTask, type Transition } from '@switchyard/workflow';
import type { WorkflowDefinition } from './definitions';
import { type EntryTimes, type History, taskIdOf } from './journal';

/** A workflow for the graph of a console: tasks, transitions, and their state so far. */
export interface WorkflowGraphView {
  workflow_execution_id: Id;
  execution_id: Id;
  status: string;
  nodes: GraphNodeView[];
  edges: GraphEdgeView[];
}

export interface GraphNodeView {
  /** The name of the task, or of the engine command that was reached. */
  id: string;
  action?: string;
  join?: 'all' | number;
  with_items: boolean;
  /** Of the latest run; null before the first. */
  status: string | null;
  runs: GraphRunView[];
}

/** One run of a task: all its attempts and items. */
export interface GraphRunView {
  task_execution_id: Id;
  route: number;
  round: number;
  status: string | null;
  start_timestamp: string;
  end_timestamp: string | null;
}

export interface GraphEdgeView {
  from: string;
  to: string;
  /** The condition as written; absent for an unconditional transition. */
  when?: string;
  /** The number of times that the transition was taken. */
  taken: number;
}

export function graphView(
  record: WorkflowRecord,
  { spec }: WorkflowDefinition,
  history: History,
  status: string,
): WorkflowGraphView {
  const runs = new Map<string, EntryTimes[]>();
  for (const times of history.times.values())
    runs.set(times.entry.task, [...(runs.get(times.entry.task) ?? []), times]);
  const tasks = [...composeGraph(spec).tasks.values()];
  const nodeOf = ({ name }: GraphTask): GraphNodeView => {
    const task = spec.tasks.get(name);
    const views = (runs.get(name) ?? []).map((times) => runView(record._id, times));
    return {
      id: name,
      ...(task?.action === undefined ? {} : { action: task.action }),
      ...(task?.join === undefined ? {} : { join: task.join }),
      with_items: task?.with !== undefined,
      status: views.at(-1)?.status ?? null,
      runs: views,
    };
  };
  const edgeOf = ({ id, from, to, when }: Transition): GraphEdgeView => ({
    from,
    to,
    ...(when === undefined ? {} : { when }),
    taken: (runs.get(from) ?? []).filter(({ entry }) => entry.next[id] === true).length,
  });
  return {
    workflow_execution_id: record._id,
    execution_id: record.execution,
    status,
    nodes: tasks.map(nodeOf),
    edges: tasks.flatMap(({ next }) => next.map(edgeOf)),
  };
}

const runView = (workflow: Id, { entry, start, end }: EntryTimes): GraphRunView => ({
  task_execution_id: taskIdOf(workflow, entry),
  route: entry.route,
  round: entry.round,
  status: entry.status,
  start_timestamp: microsToIso(start),
  end_timestamp: end === undefined ? null : microsToIso(end),
});
