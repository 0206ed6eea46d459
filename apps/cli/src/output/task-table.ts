import { taskOf, type Execution } from '@switchyard/client';
import { isTerminal } from '@switchyard/model';
import type { Printer } from './printer';
import { hasFailed, taskTree, type TaskNode } from './task-tree';
import { elapsedNote } from './execution-text';

/** A task as a row of a table. */
export interface TaskRow {
  readonly node: TaskNode;
  readonly level: number;
}

export interface RowOptions {
  /** Include every item of with-items tasks, not only items that run or did not succeed. */
  readonly everything: boolean;
  readonly limit: number;
}

/** Tasks in table order, and the number left out. Failed and running tasks are left out last. */
export function taskRows(tree: readonly TaskNode[], options: RowOptions): { rows: TaskRow[]; left: number } {
  const all = flat(tree);
  if (options.everything) return { rows: all, left: 0 };
  const unfolded = all.filter((row) => !row.node.isItem || matters(row));
  const rows = limited(unfolded, options.limit);
  return { rows, left: unfolded.length - rows.length };
}

function flat(tree: readonly TaskNode[]): TaskRow[] {
  const rows: TaskRow[] = [];
  // Uses an explicit stack, because users can nest workflows deeply.
  const waiting = tree.map((node) => ({ node, level: 0 })).reverse();
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    const level = row.level + 1;
    for (const node of row.node.children.toReversed()) waiting.push({ node, level });
  }
  return rows;
}

const matters = ({ node: { status, children } }: TaskRow): boolean => status !== 'succeeded' || children.length > 0;

function limited(rows: readonly TaskRow[], limit: number): TaskRow[] {
  if (rows.length <= limit) return [...rows];
  const urgency = ({ node: { status } }: TaskRow): number => (hasFailed(status) ? 0 : isTerminal(status) ? 2 : 1);
  const chosen = new Set([...rows].sort((a, b) => urgency(a) - urgency(b)).slice(0, limit));
  return rows.filter((row) => chosen.has(row));
}

/** `running (12/20, 1 failed)`, `succeeded (3s elapsed)` */
export function taskStatusText({ status, items, ...times }: TaskNode): string {
  if (!items) return `${status}${elapsedNote({ status, ...times })}`;
  const failed = items.failed > 0 ? `, ${items.failed} failed` : '';
  return `${status} (${items.ended}/${items.total}${failed})`;
}

const COLUMNS = ['id', 'status', 'task', 'action', 'start_timestamp'];
/** A narrower terminal has no room for the start, but the status shows the elapsed time. */
const ROOM_FOR_ALL = 110;
/** More rows would be too many to read. */
const MOST_ROWS = 100;

/** Prints the tasks of a workflow as a table, nested ones indented. */
export async function taskTable(
  printer: Printer,
  root: string,
  below: readonly Execution[],
  everything: boolean,
): Promise<void> {
  const tree = taskTree(root, below);
  if (tree.length === 0) return;
  const { rows, left } = taskRows(tree, { everything, limit: MOST_ROWS });
  const isNested = rows.some(({ node }) => node.children.length > 0);
  await printer.list(
    rows.map((row) => record(row, isNested)),
    printer.width < ROOM_FOR_ALL ? COLUMNS.slice(0, -1) : COLUMNS,
  );
  if (left > 0) printer.note(`Note: ${left} more tasks are not displayed. Use --show-tasks for all of them.`);
}

function record({ node, level }: TaskRow, isNested: boolean): object {
  const mark = isNested ? `${' '.repeat(level)}${node.children.length > 0 ? '+ ' : '  '}` : '';
  return {
    id: mark + (node.id ?? (node.items?.begun === 1 ? '1 item' : `${node.items?.begun ?? 0} items`)),
    status: taskStatusText(node),
    task: node.name,
    action: node.action,
    start_timestamp: node.start_timestamp,
  };
}

/** The tasks for programs: one entry for each execution, parents before children. */
export const taskRecords = (below: readonly Execution[]): object[] =>
  below.map((execution) => {
    const { id, status, action, parent, start_timestamp, end_timestamp } = execution;
    const { name: task, item } = taskOf(execution) ?? {};
    return { id, parent, task, item, status, action: { ref: action.ref }, start_timestamp, end_timestamp };
  });
