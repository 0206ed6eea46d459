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
    spec_path: specPath(inMaps(path, from.raw)),
    schema_path: schema.join('.'),
    ...(type !== undefined && { type }),
    ...(expression !== undefined && { expression }),
    ...from.text?.positionOf(inText(inMaps(place ?? path, from.raw), from.raw)),
  };
}

function specPath(path: Path): string | null {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text === '' ? null : text.replace(/^\./, '');
}

/** The path without indexes into what should be a list and is a map. */
function inMaps(path: Path, raw: unknown): Path {
  let at: unknown = raw;
  return path.filter((step) => {
    if (typeof step === 'number' && isPlainObject(at)) return false;
    at = isPlainObject(at) || Array.isArray(at) ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
    return true;
  });
}

/** An input that is given inline stands where the action does. */
function inText(path: Path, { tasks }: RawDefinition['raw']): Path {
  const [top, name, property] = path;
  if (top !== 'tasks' || property !== 'input' || !isPlainObject(tasks)) return path;
  const task = tasks[String(name)];
  const { action } = isPlainObject(task) ? task : {};
  return typeof action === 'string' && inlineAction(action).input ? ['tasks', name as string, 'action'] : path;
}
