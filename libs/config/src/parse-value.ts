import { isPlainObject } from '@switchyard/base';
import type { Option, OptionType } from './option';

/** The parsed value, or what was expected instead: `{ expected: 'an integer' }`. */
export type Parsed = { readonly value: unknown } | { readonly expected: string };

/**
 * Parses a setting of an option. Strings are read as in a file: `None` means "unset", and so does an empty string if the
 * option cannot be empty. Other values come from an embedding program and must already have the option's type.
 */
export function parseValue(raw: unknown, option: Option<unknown>): Parsed {
  if (raw === null || (typeof raw === 'string' && isUnset(raw, option))) return { value: option.default };
  const { read, isValid, expected } = types[option.type];
  const value = typeof raw === 'string' ? read(raw) : raw;
  return isValid(value) ? withinLimits(value, option) : { expected };
}

interface TypeRules {
  readonly read: (text: string) => unknown;
  readonly isValid: (value: unknown) => boolean;
  readonly expected: string;
}

const truths: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, '1': true },
  ...{ false: false, no: false, off: false, '0': false },
};

const isStringArray = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const isStringRecord = (value: unknown): boolean => isPlainObject(value) && isStringArray(Object.values(value));

const types: Readonly<Record<OptionType, TypeRules>> = {
  bool: {
    read: (text) => truths[withoutComment(text).toLowerCase()],
    isValid: (value) => typeof value === 'boolean',
    expected: 'true or false',
  },
  int: { read: (text) => number(text, /^[+-]?\d+$/), isValid: Number.isSafeInteger, expected: 'an integer' },
  float: {
    read: (text) => number(text, NUMBER),
    isValid: Number.isFinite,
    expected: 'a number',
  },
  str: { read: (text) => text, isValid: (value) => typeof value === 'string', expected: 'a string' },
  list: { read: (text) => items(text), isValid: isStringArray, expected: 'a comma separated list' },
  dict: { read: readDict, isValid: isStringRecord, expected: 'a list such as name:value,name:value' },
  json: { read: readJson, isValid: isPlainObject, expected: 'a JSON object' },
};

function isUnset(text: string, option: Option<unknown>): boolean {
  if (text === 'None') return true;
  const canBeEmpty =
    option.type === 'list' || option.type === 'dict' || (option.type === 'str' && option.default !== null);
  return text === '' && !canBeEmpty;
}

function withinLimits(value: unknown, { minimum, maximum, choices, weights }: Option<unknown>): Parsed {
  if (weights && !Object.values(value as Record<string, string>).every(isWeight))
    return { expected: 'a list such as name:2,name:0.5, with numbers above 0' };
  if (minimum !== undefined && (value as number) < minimum) return { expected: `at least ${minimum}` };
  if (maximum !== undefined && (value as number) > maximum) return { expected: `at most ${maximum}` };
  if (choices === undefined) return { value };
  const match = choices.find((choice) => choice.toLowerCase() === String(value).toLowerCase());
  return match === undefined ? { expected: `one of ${choices.join(', ')}` } : { value: match };
}

const isWeight = (text: string): boolean => (number(text, NUMBER) ?? 0) > 0;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function number(text: string, pattern: RegExp): number | undefined {
  const digits = withoutComment(text);
  return pattern.test(digits) ? Number(digits) : undefined;
}

const items = (text: string): string[] =>
  withoutComment(text)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function readDict(text: string): Record<string, string> | undefined {
  const pairs = items(text).map((item) => /^([^:]+):(.*)$/.exec(item));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair![1]!.trim(), pair![2]!.trim()]));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** StackStorm's sample file has comments after lists. No value of these types contains a `#` after a space. */
const withoutComment = (text: string): string => text.replace(/(^|\s)#.*$/s, '').trim();
