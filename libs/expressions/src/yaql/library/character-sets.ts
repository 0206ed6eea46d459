const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const WHITESPACE = ' \t\n\r\v\f';

/** The parameters of `characters` and what each adds. */
const SETS: Readonly<Record<string, string>> = {
  digits: DIGITS,
  hexdigits: `${DIGITS}abcdefABCDEF`,
  asciiLowercase: LOWER,
  asciiUppercase: UPPER,
  asciiLetters: LOWER + UPPER,
  letters: LOWER + UPPER,
  octdigits: '01234567',
  punctuation: PUNCTUATION,
  printable: DIGITS + LOWER + UPPER + PUNCTUATION + WHITESPACE,
  lowercase: LOWER,
  uppercase: UPPER,
  whitespace: WHITESPACE,
};

export const CHARACTER_SETS = Object.keys(SETS);

/** The distinct characters of the chosen sets, in a fixed order. */
export const charactersOf = (...chosen: readonly (boolean | null)[]): readonly string[] => [
  ...new Set(CHARACTER_SETS.filter((_name, index) => chosen[index] === true).map((name) => SETS[name]).join('')),
]; // prettier-ignore
