import type { ExecutionRecord } from '@switchyard/model';

/** On whose behalf an execution runs, or who has asked for something of it. */
export function userOf({ context }: Pick<ExecutionRecord, 'context'>, ...names: string[]): string {
  for (const name of [...names, 'user']) {
    const user = context[name];
    if (typeof user === 'string' && user !== '') return user;
  }
  return '';
}
