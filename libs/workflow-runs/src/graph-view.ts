import { type Id, type Micros, microsToIso } from '@switchyard/base';
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
  { status, end }: ShownEnd,
): WorkflowGraphView {
  // If it ended together with its tree, its journal does not have the end of its last tasks.
  const canceledAt = status === 'canceled' && !record.open ? end : undefined;
  const runs = new Map<string, EntryTimes[]>();
  for (const times of history.times.values())
    runs.set(times.entry.task, [...(runs.get(times.entry.task) ?? []), times]);
  const tasks = [...composeGraph(spec).tasks.values()];
  const nodeOf = (task: GraphTask): GraphNodeView => {
    const views = (runs.get(task.name) ?? []).map((times) => runView(record._id, times, canceledAt));
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

/** The status of an execution, and when it ended. */
interface ShownEnd {
  readonly status: string;
  readonly end?: Micros | undefined;
}

const runView = (workflow: Id, { entry, start, end }: EntryTimes, canceledAt: Micros | undefined): GraphRunView => ({
  task_execution_id: taskIdOf(workflow, entry),
  route: entry.route,
  round: entry.round,
  status: end === undefined && canceledAt !== undefined && entry.status !== null ? 'canceled' : entry.status,
  start_timestamp: microsToIso(start),
  end_timestamp: timeText(end ?? canceledAt),
});

const timeText = (at: Micros | undefined): string | null => (at === undefined ? null : microsToIso(at));
