import { isPlainObject } from '@switchyard/base';
import { pythonRepr, type Path } from '@switchyard/model';
import { inlineAction } from '../spec/shorthand/inline-action';
import { inlinePairs } from '../spec/shorthand/inline-pairs';
import type { Problem } from './finding';
import { TASK_PROPERTIES, TRANSITION_PROPERTIES } from './schema-places';

/** Parts of inline texts that are no `name=value` pair, such as an unquoted word; the reference drops them silently. */
export function lostInlineText({ tasks }: Readonly<Record<string, unknown>>): Problem[] {
  if (!isPlainObject(tasks)) return [];
  return Object.entries(tasks).flatMap(([name, task]) =>
    isPlainObject(task) ? [...inAction(task, ['tasks', name]), ...inPublish(task, ['tasks', name])] : [],
  );
}

function inAction({ action }: Readonly<Record<string, unknown>>, task: Path): Problem[] {
  const { rest } = typeof action === 'string' ? inlineAction(action) : { rest: [] };
  return lost(rest, [...task, 'action'], [...TASK_PROPERTIES, 'action']);
}

function inPublish({ next }: Readonly<Record<string, unknown>>, task: Path): Problem[] {
  const transitions: readonly unknown[] = Array.isArray(next) ? next : [];
  return transitions.flatMap((transition, index) => {
    const { publish } = isPlainObject(transition) ? transition : {};
    const rest = typeof publish === 'string' && publish !== '' ? inlinePairs(publish).rest : [];
    return lost(rest, [...task, 'next', index, 'publish'], [...TRANSITION_PROPERTIES, 'publish']);
  });
}

function lost(rest: readonly string[], path: Path, schema: Path): Problem[] {
  if (rest.length === 0) return [];
  const message = `${pythonRepr(rest.join(' '))} is not an inline parameter: expected name=value with a quoted text, number, list or expression`;
  return [{ message, path, schema }];
}
