import { isPlainObject } from '@switchyard/base';
import type { Path } from '@switchyard/model';
import { inlineAction } from '../spec/shorthand/inline-action';
import type { RawDefinition } from '../spec/source';
import type { Finding, Problem } from './finding';

/** A problem with its paths written out, and its line when the definition came as a text. */
export function writtenFinding(
  { message, path, schema, place, type, expression }: Problem,
  from: RawDefinition,
): Finding {
  return {
    message,
    spec_path: specPath(path),
    schema_path: schema.join('.'),
    ...(type !== undefined && { type }),
    ...(expression !== undefined && { expression }),
    ...from.text?.positionOf(inText(place ?? path, from.raw)),
  };
}

function specPath(path: Path): string | null {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text === '' ? null : text.replace(/^\./, '');
}

/** An input that is given inline stands where the action does. */
function inText(path: Path, { tasks }: RawDefinition['raw']): Path {
  const [top, name, property] = path;
  if (top !== 'tasks' || property !== 'input' || !isPlainObject(tasks)) return path;
  const task = tasks[String(name)];
  const { action } = isPlainObject(task) ? task : {};
  return typeof action === 'string' && inlineAction(action).input ? ['tasks', name as string, 'action'] : path;
}
