import { isTerminal } from '@switchyard/model';
import { elapsedNote } from './timestamps';
import { hasFailed, type TaskNode } from './task-tree';

/** A task as a line of a table. */
export interface TaskRow {
  readonly node: TaskNode;
  readonly level: number;
}

export interface RowOptions {
  /** Every item of with-items tasks; else only those that run or did not succeed. */
  readonly everything: boolean;
  readonly limit: number;
}

/** Tasks in the order of a table, with how many were left out: what failed and what runs stays for as long as possible. */
export function taskRows(tree: readonly TaskNode[], options: RowOptions): { rows: TaskRow[]; left: number } {
  const all = flat(tree);
  if (options.everything) return { rows: all, left: 0 };
  const unfolded = all.filter((row) => !row.node.isItem || matters(row));
  const rows = limited(unfolded, options.limit);
  return { rows, left: unfolded.length - rows.length };
}

function flat(tree: readonly TaskNode[]): TaskRow[] {
  const rows: TaskRow[] = [];
  // A stack of its own: nesting is the users' choice.
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
