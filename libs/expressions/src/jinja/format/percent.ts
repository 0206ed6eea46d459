import { jinjaDictGet, jinjaDictHas, isJinjaDict, isJinjaList, Tuple, jinjaTypeName } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { asNumber, isInt, type Numeric, numeric, truncate } from '../values/number';
import { intArgument } from '../values/plain';
import { textLength } from '../values/sequence';
import { repr, toText } from '../values/text';
import { exponential, fixed, general, integerDigits } from './number-text';
import type { JinjaRendering } from '../run/run';

const DIRECTIVE = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([\s\S]?)/g;

/**
 * Python's `text % values`: a tuple fills directives in order, a dictionary by name; anything else is a single value.
 */
export function formatPercent(text: string, values: unknown, run: JinjaRendering): string {
  const source = new Values(values);
  const pattern = new RegExp(DIRECTIVE.source, 'g');
  const result = text.replace(pattern, (all: string, ...groups: unknown[]) => {
    const [key, flags, width, precision, type] = groups as (string | undefined)[];
    if (type === '%') return '%';
    if (type === undefined || type === '') throw new JinjaError('ValueError', 'incomplete format');
    const hasPoint = new RegExp(`\\.(\\*|\\d+)?[hlL]?${type === '.' ? '\\.' : '.'}$`, 's').test(all);
    const size = width === '*' ? intArgument(source.next(), '*') : Number(width ?? 0);
    const digits = precision === '*' ? intArgument(source.next(), '*') : hasPoint ? Number(precision ?? 0) : undefined;
    run.budget.produce(Math.max(Math.abs(size), digits ?? 0));
    const value = key === undefined ? source.next() : source.named(key);
    return pad(convert(type, value, digits, flags ?? ''), size, flags ?? '', type);
  });
  run.budget.produce(result.length);
  source.checkAllUsed();
  return result;
}

/** The values of one `%`, taken in order or by name. */
class Values {
  private at = 0;
  private readonly list: readonly unknown[];

  constructor(private readonly values: unknown) {
    this.list = values instanceof Tuple ? values : [values];
  }

  next(): unknown {
    if (this.at >= this.list.length) throw new JinjaError('TypeError', 'not enough arguments for format string');
    return this.list[this.at++];
  }

  named(key: string): unknown {
    if (!isJinjaDict(this.values)) throw new JinjaError('TypeError', 'format requires a mapping');
    if (!jinjaDictHas(this.values, key)) throw new JinjaError('KeyError', repr(key));
    return jinjaDictGet(this.values, key);
  }

  checkAllUsed(): void {
    const complete =
      this.at >= this.list.length ||
      isJinjaDict(this.values) ||
      isJinjaList(this.values) !== this.values instanceof Tuple;
    if (!complete) throw new JinjaError('TypeError', 'not all arguments converted during string formatting');
  }
}

function convert(type: string, value: unknown, digits: number | undefined, flags: string): string {
  if (type === 's' || type === 'r' || type === 'a') {
    const text = type === 's' ? toText(value) : repr(value);
    return digits === undefined ? text : [...text].slice(0, digits).join('');
  }
  if (type === 'c') return isInt(value) ? String.fromCodePoint(Number(value)) : toText(value);
  if (!/[diouxXeEfFgG]/.test(type)) {
    throw new JinjaError('ValueError', `unsupported format character '${type}' (0x${type.charCodeAt(0).toString(16)})`);
  }
  const given = numeric(value);
  if (given === undefined) throw notANumber(type, value);
  const number = /[diu]/.test(type) && !isInt(given) ? truncate(asNumber(given)) : given;
  const body = /[diouxX]/.test(type)
    ? integerText(type, number, digits, flags)
    : floatBody(type, asNumber(number), digits, flags);
  return asNumber(number) < 0 || Object.is(asNumber(number), -0) ? `-${body}` : signOf(flags) + body;
}

const signOf = (flags: string): string => (flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '');

function notANumber(type: string, value: unknown): JinjaError {
  if (/[oxX]/.test(type))
    return new JinjaError('TypeError', `%${type} format: an integer is required, not ${jinjaTypeName(value)}`);
  if (/[diu]/.test(type)) {
    return new JinjaError('TypeError', `%${type} format: a real number is required, not ${jinjaTypeName(value)}`);
  }
  return new JinjaError('TypeError', `must be real number, not ${jinjaTypeName(value)}`);
}

function integerText(type: string, value: Numeric, digits: number | undefined, flags: string): string {
  if (/[oxX]/.test(type) && !isInt(value))
    throw new JinjaError('TypeError', `%${type} format: an integer is required, not float`);
  const text = integerDigits(value, type).padStart(digits ?? 0, '0');
  return flags.includes('#') && /[oxX]/.test(type) ? `0${type}${text}` : text;
}

function floatBody(type: string, value: number, digits: number | undefined, flags: string): string {
  const places = digits ?? 6;
  const absolute = Math.abs(value);
  const kind = type.toLowerCase();
  const text =
    kind === 'f'
      ? fixed(absolute, places)
      : kind === 'e'
        ? exponential(absolute, places)
        : general(absolute, places, { keepZeros: flags.includes('#') });
  return type === kind ? text : text.toUpperCase();
}

function pad(text: string, width: number, flags: string, type: string): string {
  const missing = Math.abs(width) - textLength(text);
  if (missing <= 0) return text;
  if (flags.includes('-') || width < 0) return text + ' '.repeat(missing);
  if (!flags.includes('0') || /[srac]/.test(type)) return ' '.repeat(missing) + text;
  const sign = /^[-+ ]?(0[oxX])?/.exec(text)?.[0] ?? '';
  return sign + '0'.repeat(missing) + text.slice(sign.length);
}
