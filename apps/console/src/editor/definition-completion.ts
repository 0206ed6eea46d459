import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import known from './definition-keys.json';

/** The start of a line: spaces and the dashes of list items. */
const KEY = /^((?:\s|-\s)*)["']?([\w-]+)["']?\s*:/;

/** What completes a definition besides its keys. */
export interface CompletionNames {
  /** References of the actions that the author may see. */
  readonly actions: readonly Completion[];
}

/** Completes keys, actions, and the names of tasks, by the place in the definition. It also works in a text that is not valid YAML. */
export function definitionCompletion(namesOf: () => CompletionNames) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos);
    const lines = state.doc.toString().split('\n');
    const before = line.text.slice(0, pos - line.from);
    const [, start, word] = /^((?:\s|-\s)*)([\w-]*)$/.exec(before) ?? [];
    if (start !== undefined && word !== undefined) {
      if (word === '' && !explicit) return null;
      const options = optionsFor(pathAt(lines, line.number - 1, start.length), lines);
      return options.length > 0 ? { from: pos - word.length, options, validFor: /^[\w-]*$/ } : null;
    }
    const [, , key, value] = /^((?:\s|-\s)*)([\w-]+):\s+(.*)$/.exec(before) ?? [];
    if (key === undefined || value === undefined) return null;
    const options = valuesOf(key, lines, namesOf());
    const typed = /[\w.-]*$/.exec(value)![0];
    const isList = key === 'do' && /^[[\s\w,-]*$/.test(value);
    if (options.length === 0 || (value !== typed && !isList)) return null;
    return { from: pos - typed.length, options, validFor: /^[\w.-]*$/ };
  };
}

/** The keys around a place, from the outermost: those above it that begin further left. @param column where its own key begins */
export function pathAt(lines: readonly string[], line: number, column: number): string[] {
  const path: string[] = [];
  let left = column;
  for (let at = line - 1; at >= 0 && left > 0; at--) {
    const [, start, key] = KEY.exec(lines[at]!) ?? [];
    if (start === undefined || key === undefined || start.length >= left) continue;
    path.unshift(key);
    left = start.length;
  }
  return path;
}

function optionsFor(path: readonly string[], lines: readonly string[]): readonly Completion[] {
  const [top, , property, inner] = path;
  if (top === undefined) return keyOptions(known.workflow);
  if (top === 'finally') return taskOptions(lines);
  if (top !== 'tasks') return [];
  if (path.length === 2) return keyOptions(known.task);
  if (property === 'next')
    return inner === 'do' ? valuesOf('do', lines) : path.length === 3 ? keyOptions(known.transition) : [];
  if (property === 'with' && path.length === 3) return keyOptions(known.items);
  if (property === 'retry' && path.length === 3) return keyOptions(known.retry);
  return property === 'retry' && inner === 'delay' ? keyOptions(known.delay) : [];
}

function valuesOf(
  key: string,
  lines: readonly string[],
  names: CompletionNames = { actions: [] },
): readonly Completion[] {
  switch (key) {
    case 'action':
      return names.actions;
    case 'do':
      return [...taskOptions(lines), ...explained(known.command, 'constant')];
    case 'rollback':
      return taskOptions(lines);
    case 'join':
      return [{ label: 'all', type: 'constant' }];
    default:
      return [];
  }
}

const explained = (texts: Readonly<Record<string, string>>, type: string): Completion[] =>
  Object.entries(texts).map(([label, detail]) => ({ label, detail, type }));

const keyOptions = (texts: Readonly<Record<string, string>>): Completion[] =>
  explained(texts, 'property').map((option) => ({ ...option, apply: `${option.label}: ` }));

function taskOptions(lines: readonly string[]): Completion[] {
  return tasksIn(lines).map((label) => ({ label, type: 'variable', boost: 1 }));
}

/** The names of all tasks, in the order of the text. */
export function tasksIn(lines: readonly string[]): string[] {
  return lines.flatMap((text, line) => {
    const [, start, key] = KEY.exec(text) ?? [];
    if (!start || key === undefined || start.includes('-')) return [];
    return pathAt(lines, line, start.length).join('.') === 'tasks' ? [key] : [];
  });
}
