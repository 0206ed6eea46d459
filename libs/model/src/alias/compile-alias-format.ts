import { fault, isFault } from '@switchyard/base';
import { BoundedCache } from '../schema/bounded-cache';
import { formatPattern, type FormatPattern } from './format-pattern';
import { cutTrailingPairs, type CommandParts } from './trailing-pairs';

/** Names and values of parameters. Omits parameters that the command leaves out and that have no default. */
export type AliasParameters = Record<string, string>;

export interface CompiledAliasFormat {
  readonly format: string;
  /** The parameters of a command in this format; undefined for other commands. @throws fault `regex.too-slow` */
  extract(command: string): AliasParameters | undefined;
  /** The parameters of every match in a command; the `key=value` pairs belong to each. @throws fault `regex.too-slow` */
  extractAll(command: string): AliasParameters[];
}

/**
 * Compiles an alias format: a regular expression in Python syntax with parameters `{{name}}` and `{{name=default}}`. It must
 * match the whole command, except for `key=value` pairs at the end, unless it has its own anchors. An empty format matches
 * nothing. Compiled formats are cached.
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

/** Formats match a command between two blanks; a format with its own anchors may also match the bare command. */
function searchAll({ pattern, anchored }: FormatPattern, text: string, most: number): Groups[] {
  const subjects = anchored ? [` ${text} `, text.trim()] : [` ${text} `];
  for (const subject of subjects) {
    const all: Groups[] = [];
    let found = pattern.exec(subject);
    while (found && all.length < most) {
      all.push({ ...found.groups });
      const end = found.index + found[0].length;
      if (end >= subject.length) break;
      // An empty match would be found again at the same position.
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
