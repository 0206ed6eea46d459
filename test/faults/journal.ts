import { existsSync, readFileSync } from 'node:fs';

interface Line {
  readonly word: string;
  readonly id: string;
}

/** What commands wrote, in order. */
const linesOf = (journal: string): Line[] =>
  (existsSync(journal) ? readFileSync(journal, 'utf8') : '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [word = '', id = ''] = line.split(' ');
      return { word, id };
    });

/** No command may start twice, and the command of a succeeded execution must have finished. */
export function journalProblems(journal: string, succeeded: ReadonlySet<string>): string[] {
  const starts = new Map<string, number>();
  const ends = new Set<string>();
  for (const { word, id } of linesOf(journal)) {
    if (word === 'start') starts.set(id, (starts.get(id) ?? 0) + 1);
    if (word === 'end') ends.add(id);
  }
  return [
    ...[...starts].filter(([, count]) => count > 1).map(([id, count]) => `started ${count} times: ${id}`),
    ...[...starts.keys()]
      .filter((id) => succeeded.has(id) && !ends.has(id))
      .map((id) => `succeeded without its end: ${id}`),
  ];
}

/** How many of these commands ran at a time at most. Those that did not finish do not count. */
export function mostAtATime(journal: string, ids: ReadonlySet<string>): number {
  const lines = linesOf(journal).filter(({ id }) => ids.has(id));
  const finished = new Set(lines.filter(({ word }) => word === 'end').map(({ id }) => id));
  let [running, most] = [0, 0];
  for (const { word, id } of lines) {
    if (!finished.has(id)) continue;
    running += word === 'start' ? 1 : -1;
    most = Math.max(most, running);
  }
  return most;
}
