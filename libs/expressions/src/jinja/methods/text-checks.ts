import { operation, type Operations } from '../run/operation';

const matches = (pattern: RegExp) => operation([], (text: string) => pattern.test(text));

const hasCase = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** Python's questions to a text: `isdigit()` and its kin. */
export const textChecks: Operations = {
  isdigit: matches(/^\p{Nd}+$/u),
  isdecimal: matches(/^\p{Nd}+$/u),
  isnumeric: matches(/^\p{N}+$/u),
  isalpha: matches(/^\p{L}+$/u),
  isalnum: matches(/^[\p{L}\p{N}]+$/u),
  isspace: matches(/^\s+$/u),
  isascii: matches(/^[\0-\x7f]*$/),
  isidentifier: matches(/^[\p{L}_][\p{L}\p{Nd}_]*$/u),
  isprintable: matches(/^[^\p{C}\p{Zl}\p{Zp}]*$/u),
  islower: operation([], (text: string) => hasCase(text) && text === text.toLowerCase()),
  isupper: operation([], (text: string) => hasCase(text) && text === text.toUpperCase()),
  istitle: operation([], (text: string) => /\p{L}/u.test(text) && !/(?<!\p{L})\p{Ll}|(?<=\p{L})\p{Lu}/u.test(text)),
};
