import { guardedRegExp, type GuardedRegExp } from '../schema/regex';
import { parsePattern } from '../schema/regex/parse-pattern';
import { PatternSource } from '../schema/regex/pattern-source';
import { hasPlace, placesOf } from './anchors';

/** A format as a regular expression. */
export interface FormatPattern {
  readonly pattern: GuardedRegExp;
  /** The defaults of optional parameters. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Whether the format has its own anchors, so that it must not expect blanks around a command. */
  readonly anchored: boolean;
}

const OPTIONAL = `(\\s*){{\\s*(\\S+?)\\s*=\\s*(?:""|''|"(.+?)"|'(.+?)'|({.+?})|(.+?))\\s*}}`;
const REQUIRED = `(\\s*){{\\s*(\\S+?)\\s*}}`;

/**
 * Translates a format: `{{name}}` and `{{name=default}}` become groups; the rest is a regular expression in Python syntax, in
 * which a dot also matches line breaks.
 * @throws fault `regex.invalid`
 */
export function formatPattern(format: string): FormatPattern {
  const defaults: Record<string, string> = {};
  const withOptional = replaceAll(OPTIONAL, format, ([, blanks = '', name = '', ...values]) => {
    defaults[name] = values.join('');
    return `(?:${parameterGroup(blanks, name)})?`;
  });
  const whole = replaceAll(REQUIRED, withOptional, ([, blanks = '', name = '']) => parameterGroup(blanks, name));
  // Rejects an invalid regular expression first.
  guardedRegExp(whole, 's');
  const places = placesOf(parsePattern(new PatternSource(whole, 's')));
  const [hasStart, hasEnd] = [hasPlace(places, 'start'), hasPlace(places, 'end')];
  const flags = /^\(\?[aiLmsux]+\)/.exec(whole)?.[0] ?? '';
  const source = `${flags}${hasStart ? '' : '^\\s*'}${whole.slice(flags.length)}${hasEnd ? '' : '\\s*$'}`;
  return { pattern: guardedRegExp(source, 's'), defaults, anchored: hasStart || hasEnd };
}

/** A value may be in quotes, which are removed, or in braces, which are kept. */
const parameterGroup = (blanks: string, name: string): string =>
  `${blanks}["']?(?P<${name}>(?:(?<=').+?(?=')|(?<=").+?(?=")|{.+?}|.+?))["']?`;

function replaceAll(pattern: string, text: string, replacement: (found: readonly string[]) => string): string {
  const regexp = guardedRegExp(pattern, 's');
  let [out, from] = ['', 0];
  for (let found = regexp.exec(text); found; found = regexp.exec(text, from)) {
    out += text.slice(from, found.index) + replacement([...found]);
    from = found.index + found[0].length;
  }
  return out + text.slice(from);
}
