import { isPlainObject } from '@switchyard/base';
import { assignments, texts } from './assignments';
import type { Assignment, TransitionSpec } from './model';
import { inlinePairs } from './shorthand/inline-pairs';

/** One item of a task's `next`. */
export function readTransition(given: unknown): TransitionSpec {
  const { when, publish, do: targets } = isPlainObject(given) ? given : {};
  return {
    ...(typeof when === 'string' && { when }),
    publish: readPublish(publish),
    do: readTargets(targets),
  };
}

const readPublish = (given: unknown): readonly Assignment[] =>
  typeof given === 'string' ? inlinePairs(given).pairs : assignments(given);

/** Only in the text form are blanks around a name dropped. */
function readTargets(given: unknown): readonly string[] {
  const names = typeof given === 'string' && given !== '' ? given.split(',').map((name) => name.trim()) : texts(given);
  return names.length > 0 ? names : ['continue'];
}
