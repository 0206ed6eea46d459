import { asNumber, type Numeric } from '../values/number';
import { floatText } from '../values/text';

/** `toFixed` with Python's rounding of exact halves to the even digit: 2.5 gives 2, 0.125 with two digits 0.12. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return floatText(value);
  const places = Math.min(digits, 100);
  const text = Math.abs(value) >= 1e21 ? `${BigInt(value)}.${'0'.repeat(places)}` : value.toFixed(places);
  const exact = Math.abs(value) >= 1e21 || places > 70 ? '' : Math.abs(value).toFixed(places + 30);
  if (!/50{29}$/.test(exact)) return text;
  const down = exact.slice(0, -30).replace(/\.$/, '');
  const even = Number(down.at(-1)) % 2 === 0;
  if (!even) return text;
  return value < 0 ? `-${down}` : down;
}

/** `%e`: at least two digits of exponent. */
export function exponential(value: number, digits: number): string {
  if (!Number.isFinite(value)) return floatText(value);
  return value.toExponential(Math.min(digits, 100)).replace(/e([+-])(\d)$/, 'e$10$2');
}

interface GeneralForm {
  readonly keepZeros?: boolean;
  /** Most digits before the point without an exponent. Default: the number of significant digits. */
  readonly most?: number;
}

/** `%g`: rounds to significant digits and takes the shorter form, without trailing zeros. */
export function general(value: number, digits: number, { keepZeros = false, most }: GeneralForm = {}): string {
  if (!Number.isFinite(value)) return floatText(value);
  const precision = Math.min(Math.max(digits, 1), 100);
  const exponent = value === 0 ? 0 : Number(value.toExponential(precision - 1).split('e')[1]);
  const scientific = exponent < -4 || exponent >= (most ?? precision);
  const text = scientific ? exponential(value, precision - 1) : fixed(value, Math.max(0, precision - 1 - exponent));
  if (keepZeros || !text.includes('.')) return text;
  return text.replace(/\.?0+(?=e|$)/, '');
}

/** Precision without a type: like `%g`, but keeps one digit after the point: `1.0`, `1.2e+01`. */
export function generalFloat(value: number, digits: number): string {
  const text = general(value, digits, { most: Math.max(digits, 1) - 1 });
  return /^\d+$/.test(text) ? `${text}.0` : text;
}

/** Formats `1234567.5` as `1,234,567.5`. */
export function grouped(text: string, separator: string): string {
  const [whole = '', ...fraction] = text.split('.');
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, separator), ...fraction].join('.');
}

/** The digits of an integer in base 2, 8, 10 or 16, without a sign. */
export function integerDigits(value: Numeric, type: string): string {
  const whole = typeof value === 'bigint' ? value : BigInt(Math.trunc(asNumber(value)));
  const absolute = whole < 0n ? -whole : whole;
  const bases: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };
  const digits = absolute.toString(bases[type] ?? 10);
  return type === 'X' ? digits.toUpperCase() : digits;
}
