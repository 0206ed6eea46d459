import type { Client, Execution } from '@switchyard/client';
import { SECOND_MS } from '@switchyard/base';
import { wantsColour, type Terminal } from '../terminal';
import { statusColour } from './plain-value';
import { taskRows, taskStatusText, type TaskRow } from './task-table';
import { hasFailed, hasNotBegun, taskTree } from './task-tree';

const REDRAW_MS = SECOND_MS / 4;
/** Lines of the terminal that stay free for earlier output. */
const FREE_LINES = 3;
const MOST_LINES = 40;

/**
 * Shows the progress of workflow tasks on stderr until the workflow has ended, or is paused or pending. On a terminal it
 * redraws a block and erases it at the end. Otherwise it prints a line for each change.
 */
export async function showProgress(
  { stderr, env }: Terminal,
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const known = new Map<string, Execution>();
  const tree = () => {
    const sorted = [...known.values()].sort((a, b) => (a.start_timestamp < b.start_timestamp ? -1 : 1));
    return taskTree(id, sorted);
  };
  const show = stderr.isTTY ? block(stderr, wantsColour({ env, stdout: stderr })) : journal(stderr);
  // Redraws at fixed intervals, so that many changes at once need one drawing.
  const timer = setInterval(() => show.draw(tree()), REDRAW_MS);
  try {
    for await (const changes of client.executions.family(id, { signal }))
      for (const each of changes) if (each.id !== id) known.set(each.id, each);
  } finally {
    clearInterval(timer);
    show.end(tree());
  }
}

type Tree = ReturnType<typeof taskTree>;

interface Display {
  draw(tree: Tree): void;
  end(tree: Tree): void;
}

function block(target: NodeJS.WriteStream, colour: boolean): Display {
  let lines = 0;
  const erase = (): string => (lines > 0 ? `\u001b[${lines}A\u001b[J` : '');
  return {
    draw(tree) {
      const limit = Math.max(1, Math.min(MOST_LINES, (target.rows || MOST_LINES) - FREE_LINES));
      const { rows, left } = taskRows(tree, { everything: false, limit });
      const width = (target.columns || 80) - 1;
      const texts = rows.map((row) => painted(lineOf(row).slice(0, width), row, colour));
      if (left > 0) texts.push(`… ${left} more`);
      target.write(erase() + texts.map((text) => `${text}\n`).join(''));
      lines = texts.length;
    },
    end: () => void target.write(erase()),
  };
}

const lineOf = ({ node, level }: TaskRow): string =>
  `${'  '.repeat(level)}${node.name}  ${node.action}  ${taskStatusText(node)}`;

const painted = (text: string, { node }: TaskRow, colour: boolean): string =>
  colour ? statusColour(text, node.status) : text;

/** Items are counted in the line of their task. Only failed items get a line of their own. */
function journal(target: NodeJS.WriteStream): Display {
  const told = new Map<string, string>();
  const draw = (tree: Tree): void => {
    for (const { node } of taskRows(tree, { everything: false, limit: Infinity }).rows) {
      const { status, name, items, id, isItem } = node;
      if (hasNotBegun(status) || (isItem && !hasFailed(status))) continue;
      const text = `${name} ${items ? taskStatusText(node) : status}`;
      const key = id ?? `${name} ${node.start_timestamp}`;
      if (told.get(key) !== text) target.write(`${text}\n`);
      told.set(key, text);
    }
  };
  return { draw, end: draw };
}
