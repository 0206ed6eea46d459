import { fault, isFault } from '@switchyard/base';
import { BoundedCache } from '../schema/bounded-cache';
import { formatPattern, type FormatPattern } from './format-pattern';
import { cutTrailingPairs, type CommandParts } from './trailing-pairs';

/** Names and values of parameters; a parameter that the command leaves out and that has no default is not there. */
export type AliasParameters = Record<string, string>;

export interface CompiledAliasFormat {
  readonly format: string;
  /** The parameters of a command of this format; undefined for any other command. @throws fault `regex.too-slow` */
  extract(command: string): AliasParameters | undefined;
  /** Those of every place of a command that fits; the `key=value` pairs belong to each. @throws fault `regex.too-slow` */
  extractAll(command: string): AliasParameters[];
}

/**
 * Makes the reader of an alias format: a regular expression in Python's syntax with parameters `{{name}}` and
 * `{{name=default}}`. It has to fit the whole command, less `key=value` pairs at the end, unless it has anchors of its own.
 * An empty format fits nothing. Kept, so asking again for the same format costs little.
 * @throws fault `alias.invalid-format`
 */
export function compileAliasFormat(format: string): CompiledAliasFormat {
  return cache.get(format, () => reader(format, translate(format)));
}

const cache = new BoundedCache<string, CompiledAliasFormat>(10_000);

function translate(format: string): FormatPattern {
  try {
    return formatPattern(format);
  } catch (thrown) {
    if (!isFault(thrown)) throw thrown;
    throw fault('alias.invalid-format', { format: format.slice(0, 200), reason: thrown.message }, { cause: thrown });
  }
}

function reader(format: string, translated: FormatPattern): CompiledAliasFormat {
  const read = (command: string, most: number): AliasParameters[] => {
    if (format.trim() === '') return [];
    const parts = cutTrailingPairs(command);
    const found = searchAll(translated, parts.text, most);
    return found.flatMap((groups) => parametersOf(groups, translated.defaults, parts));
  };
  return {
    format,
    extract: (command) => read(command, 1)[0],
    extractAll: (command) => read(command, Infinity),
  };
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Formats are written for a command between two blanks; one with anchors of its own may also mean the bare command. */
function searchAll({ pattern, anchored }: FormatPattern, text: string, most: number): Groups[] {
  const subjects = anchored ? [` ${text} `, text.trim()] : [` ${text} `];
  for (const subject of subjects) {
    const all: Groups[] = [];
    let found = pattern.exec(subject);
    while (found && all.length < most) {
      all.push({ ...found.groups });
      const end = found.index + found[0].length;
      if (end >= subject.length) break;
      // A match of nothing would be found again at the same place.
      found = pattern.exec(subject, found[0] === '' ? end + 1 : end);
    }
    if (all.length > 0) return all;
  }
  return [];
}

function parametersOf(groups: Groups, defaults: AliasParameters, { text, pairs }: CommandParts): AliasParameters[] {
  const parameters: AliasParameters = {};
  for (const [name, value] of Object.entries(groups)) if (value !== undefined) parameters[name] = value;
  for (const [name, value] of Object.entries(defaults)) parameters[name] ||= value;
  Object.assign(parameters, pairs);
  const isNothing = text.trim() === '' && !Object.values(parameters).some((value) => value.trim() !== '');
  return isNothing ? [] : [parameters];
}
