import { createHash } from 'node:crypto';
import type { Id } from '@switchyard/base';

/** One action of a workflow: an attempt of a task, or of an item of it. */
export interface ActionOfTask {
  readonly task: string;
  readonly route: number;
  readonly round: number;
  readonly attempt: number;
  readonly item?: number;
}

const idFrom = (text: string): Id => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** The id of the run that an execution starts. It is the same for every process and every attempt. */
export const workflowIdOf = (execution: Id): Id => idFrom(`workflow:${execution}`);

/** The id of one run of a task, all attempts and items. */
export const taskIdOf = (workflow: Id, { task, route, round }: Omit<ActionOfTask, 'attempt'>): Id =>
  idFrom(`${workflow}:${task}:${route}:${round}`);

/** The request key that keeps an action from being requested twice. */
export const requestKeyOf = (workflow: Id, { task, route, round, attempt, item }: ActionOfTask): string =>
  [workflow, route, round, attempt, item ?? '', task].join(':');

/** Reads a request key back. @returns undefined for other keys */
export function actionOfKey(key: string): ActionOfTask | undefined {
  const [, route, round, attempt, item, task] = /^[0-9a-f]{24}:(\d+):(\d+):(\d+):(\d*):(.+)$/s.exec(key) ?? [];
  if (task === undefined) return undefined;
  const numbers = { route: Number(route), round: Number(round), attempt: Number(attempt) };
  return { task, ...numbers, ...(item === '' ? {} : { item: Number(item) }) };
}
