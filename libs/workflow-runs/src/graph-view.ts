import { type Id, microsToIso } from '@switchyard/base';
import type { WorkflowRecord } from '@switchyard/model';
import {
  composeGraph,
  type GraphTask,
  taskOutline,
  type TaskOutline,
  type Transition,
  transitionOutline,
  type TransitionOutline,
} from '@switchyard/workflow';
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

export interface GraphNodeView extends TaskOutline {
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

export interface GraphEdgeView extends TransitionOutline {
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
  const nodeOf = (task: GraphTask): GraphNodeView => {
    const views = (runs.get(task.name) ?? []).map((times) => runView(record._id, times));
    return { ...taskOutline(task, spec), status: views.at(-1)?.status ?? null, runs: views };
  };
  const edgeOf = (transition: Transition): GraphEdgeView => ({
    ...transitionOutline(transition),
    taken: (runs.get(transition.from) ?? []).filter(({ entry }) => entry.next[transition.id] === true).length,
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
