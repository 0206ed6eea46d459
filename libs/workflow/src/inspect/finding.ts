import type { ValuePath } from '@switchyard/model';
import { isPlainObject } from '@switchyard/base';
import { inlineAction } from '../spec/shorthand/inline-pairs';
import type { RawDefinition } from '../spec/source';

export type ExpressionLanguage = 'yaql' | 'jinja';

export const CATEGORIES = ['content', 'context', 'expressions', 'semantics', 'syntax'] as const;
export type Category = (typeof CATEGORIES)[number];

/** One problem of a definition. The API uses the same member names. */
export interface InspectionFinding {
  readonly message: string;
  /** Such as `tasks.t1.next[0].do`; null for the whole definition. */
  readonly spec_path: string | null;
  /** The same place in the schema of definitions. */
  readonly schema_path: string;
  /** For findings about an expression: its language, or null for a text that mixes both. */
  readonly type?: ExpressionLanguage | null;
  readonly expression?: string;
  /** From 1; present if the definition was a text. */
  readonly line?: number;
  readonly column?: number;
}

/** A finding before its paths are formatted. */
export interface InspectionProblem {
  readonly message: string;
  readonly path: ValuePath;
  readonly schema: ValuePath;
  /** The exact place, if it is deeper than the reported path. */
  readonly place?: ValuePath;
  readonly type?: ExpressionLanguage | null;
  readonly expression?: string;
}

/** Formats the paths of a problem and adds its line if the definition was a text. */
export function writtenFinding(
  { message, path, schema, place, type, expression }: InspectionProblem,
  from: RawDefinition,
): InspectionFinding {
  return {
    message,
    spec_path: specPath(inMaps(path, from.raw)),
    schema_path: schema.join('.'),
    ...(type !== undefined && { type }),
    ...(expression !== undefined && { expression }),
    ...from.text?.positionOf(inText(inMaps(place ?? path, from.raw), from.raw)),
  };
}

function specPath(path: ValuePath): string | null {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text === '' ? null : text.replace(/^\./, '');
}

/** Drops list indexes from the path where the definition has a map instead of a list. */
function inMaps(path: ValuePath, raw: unknown): ValuePath {
  let at: unknown = raw;
  return path.filter((step) => {
    if (typeof step === 'number' && isPlainObject(at)) return false;
    at = isPlainObject(at) || Array.isArray(at) ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
    return true;
  });
}

/** An inline input is located at the action. */
function inText(path: ValuePath, { tasks }: RawDefinition['raw']): ValuePath {
  const [top, name, property] = path;
  if (top !== 'tasks' || property !== 'input' || !isPlainObject(tasks)) return path;
  const task = tasks[String(name)];
  const { action } = isPlainObject(task) ? task : {};
  return typeof action === 'string' && inlineAction(action).input ? ['tasks', name as string, 'action'] : path;
}

/*
 * Places in the schema of definitions that findings name.
 */
export const TASKS: ValuePath = ['properties', 'tasks'];
export const TASK: ValuePath = [...TASKS, 'patternProperties', '^\\w+$'];
export const TASK_PROPERTIES: ValuePath = [...TASK, 'properties'];
export const TRANSITION_PROPERTIES: ValuePath = [...TASK_PROPERTIES, 'next', 'items', 'properties'];
