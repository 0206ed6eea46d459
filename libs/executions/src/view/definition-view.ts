import type { DefinitionRecord } from '@switchyard/model';

/** The action as executions show it: what it was at request time. */
export function actionOf({ action }: DefinitionRecord): Record<string, unknown> {
  const { idempotent: _idempotent, content_hash: _hash, ...shown } = action;
  return shown;
}

export const runnerOf = ({ runner }: DefinitionRecord): Record<string, unknown> => ({ ...runner });
