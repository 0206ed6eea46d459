/** The type of a scalar, and its value as JSON. */
export interface ResolvedScalar {
  readonly type: 'str' | 'null' | 'bool' | 'int' | 'float' | 'timestamp' | 'merge' | 'value';
  readonly value: unknown;
}

/**
 * The type and value that PyYAML gives to a text without quotes and without a tag. Unlike in plain YAML 1.1, `y` and
 * `n` are not booleans and `1e3` is not a number. Dates, infinities and `.nan` stay texts, because JSON has none of
 * them.
 */
export function resolveScalar(text: string): ResolvedScalar {
  if (text.length <= LONGEST_WORD) {
    const word = WORDS.get(text);
    if (word) return word;
  }
  const first = text.charCodeAt(0);
  const mayBeNumber = (first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e;
  if (!mayBeNumber) return { type: 'str', value: text };
  if (FLOAT.test(text)) return { type: 'float', value: floatOf(text) };
  if (INTEGER.test(text)) return { type: 'int', value: integerOf(text) };
  return { type: TIMESTAMP.test(text) ? 'timestamp' : 'str', value: text };
}

/** Whether a text reads as another type if it is written without quotes. */
export const needsQuotes = (text: string): boolean => resolveScalar(text).type !== 'str';

/**
 * The value of a scalar with a tag of YAML, such as `!!int "5"`.
 * @param type the part after `tag:yaml.org,2002:`
 * @returns undefined for a text that is not of the type
 */
export function scalarOfType(type: string, text: string): { value: unknown } | undefined {
  switch (type) {
    case 'str':
      return { value: text };
    case 'null':
      return { value: null };
    case 'bool': {
      const found = WORDS.get(text.toLowerCase());
      return found?.type === 'bool' ? found : undefined;
    }
    case 'int':
      return numberOrNothing(integerOf(text.trim()));
    case 'float':
      return taggedFloat(text.trim());
    case 'timestamp':
      return TIMESTAMP.test(text) || LOOSE_DATE.test(text) ? { value: text } : undefined;
    default:
      return undefined;
  }
}

const words = (value: unknown, ...texts: string[]): [string, ResolvedScalar][] =>
  texts.map((text) => [text, { type: value === null ? 'null' : 'bool', value }]);

const WORDS: ReadonlyMap<string, ResolvedScalar> = new Map([
  ...words(null, '', '~', 'null', 'Null', 'NULL'),
  ...words(true, 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'),
  ...words(false, 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'),
  ['<<', { type: 'merge', value: '<<' }],
  ['=', { type: 'value', value: '=' }],
]);

const LONGEST_WORD = 5;

const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const INTEGER =
  /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const TIMESTAMP =
  /^[0-9]{4}-(?:[0-9]{2}-[0-9]{2}|[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$/;
const LOOSE_DATE = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$/;

const BASES: readonly (readonly [start: RegExp, base: number])[] = [
  [/^0b(?=[01]+$)/, 2],
  [/^0x(?=[0-9a-fA-F]+$)/, 16],
  [/^(?=0[0-7]*$)/, 8],
];

/** NaN for a text that is not an integer, such as `0x_`. */
function integerOf(text: string): number {
  const plain = text.replaceAll('_', '');
  const sign = plain.startsWith('-') ? -1 : 1;
  const digits = plain.replace(/^[-+]/, '');
  const based = BASES.find(([start]) => start.test(digits));
  // `-0` is 0: integers have one zero.
  if (based) return sign * Number.parseInt(digits.replace(based[0], ''), based[1]) || 0;
  if (!/^[1-9][0-9]*(?::[0-9]+)*$/.test(digits)) return Number.NaN;
  return sign * sexagesimal(digits);
}

const sexagesimal = (digits: string): number => digits.split(':').reduce((total, part) => total * 60 + Number(part), 0);

/** The text itself where JSON has no such number. */
function floatOf(text: string): unknown {
  if (/(?:inf|nan)$/i.test(text)) return text;
  const plain = text.replaceAll('_', '');
  const sign = plain.startsWith('-') ? -1 : 1;
  return sign * sexagesimal(plain.replace(/^[-+]/, ''));
}

function taggedFloat(text: string): { value: unknown } | undefined {
  const isNumber = /^[-+]?(?:[0-9][0-9_]*(?::[0-9]+)*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?$/.test(text);
  if (isNumber) return { value: floatOf(text) };
  return /^[-+]?\.?(?:inf|nan|infinity)$/i.test(text) ? { value: text } : undefined;
}

const numberOrNothing = (value: number): { value: number } | undefined => (Number.isNaN(value) ? undefined : { value });
