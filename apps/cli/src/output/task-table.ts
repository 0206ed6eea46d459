import { taskOf, type Execution } from '@switchyard/client';
import type { Printer } from './printer';
import { taskRows, taskStatusText, type TaskRow } from './task-rows';
import { taskTree } from './task-tree';

const COLUMNS = ['id', 'status', 'task', 'action', 'start_timestamp'];
/** On a narrower terminal the start is left out: the status says how long it took. */
const ROOM_FOR_ALL = 110;
/** So many lines can still be read. */
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

/** The same for programs: one entry for each execution, each before those below it. */
export const taskRecords = (below: readonly Execution[]): object[] =>
  below.map((execution) => {
    const { id, status, action, parent, start_timestamp, end_timestamp } = execution;
    const { name: task, item } = taskOf(execution) ?? {};
    return { id, parent, task, item, status, action: { ref: action.ref }, start_timestamp, end_timestamp };
  });
