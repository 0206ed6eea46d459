/** Names for `\N{…}` that workflows may use; JavaScript has no Unicode name table. */
const NAMES: Readonly<Record<string, string>> = {
  SPACE: ' ',
  'NO-BREAK SPACE': '\u00a0',
  'ZERO WIDTH SPACE': '\u200b',
  'EN DASH': '\u2013',
  'EM DASH': '\u2014',
  'LEFT SINGLE QUOTATION MARK': '\u2018',
  'RIGHT SINGLE QUOTATION MARK': '\u2019',
  'LEFT DOUBLE QUOTATION MARK': '\u201c',
  'RIGHT DOUBLE QUOTATION MARK': '\u201d',
  BULLET: '\u2022',
  'MIDDLE DOT': '\u00b7',
  'HORIZONTAL ELLIPSIS': '\u2026',
  APOSTROPHE: "'",
  'QUOTATION MARK': '"',
  'GRAVE ACCENT': '`',
  'REVERSE SOLIDUS': '\\',
  'PERCENT SIGN': '%',
  'LESS-THAN SIGN': '<',
  'GREATER-THAN SIGN': '>',
  'LEFT CURLY BRACKET': '{',
  'RIGHT CURLY BRACKET': '}',
  'DEGREE SIGN': '\u00b0',
  'PLUS-MINUS SIGN': '\u00b1',
  'MICRO SIGN': '\u00b5',
  'SECTION SIGN': '\u00a7',
  'COPYRIGHT SIGN': '\u00a9',
  'REGISTERED SIGN': '\u00ae',
  'TRADE MARK SIGN': '\u2122',
  'EURO SIGN': '\u20ac',
  'POUND SIGN': '\u00a3',
  'LEFTWARDS ARROW': '\u2190',
  'UPWARDS ARROW': '\u2191',
  'RIGHTWARDS ARROW': '\u2192',
  'DOWNWARDS ARROW': '\u2193',
  'CHECK MARK': '\u2713',
  'HEAVY CHECK MARK': '\u2714',
  'WHITE HEAVY CHECK MARK': '\u2705',
  'BALLOT X': '\u2717',
  'CROSS MARK': '\u274c',
  'WARNING SIGN': '\u26a0',
  'LINE FEED': '\n',
};

/** The character with a Unicode name, ignoring case; undefined if it is not in the table. */
function characterNamed(name: string): string | undefined {
  const upper = name.toUpperCase();
  const letter = /^LATIN (SMALL|CAPITAL) LETTER ([A-Z])$/.exec(upper);
  if (letter !== null) return letter[1] === 'SMALL' ? letter[2]?.toLowerCase() : letter[2];
  return Object.hasOwn(NAMES, upper) ? NAMES[upper] : undefined;
}

const ESCAPE = /\\(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-7]{1,3})|N\{([^}]+)\}|([\\'"abfnrtv]))/g;

const CONTROLS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Decodes a quoted literal; unknown escapes keep their backslash. */
export const unescape = (body: string): string => (body.includes('\\') ? body.replace(ESCAPE, decoded) : body);

function decoded(
  all: string,
  long?: string,
  short?: string,
  hex?: string,
  octal?: string,
  name?: string,
  char?: string,
): string {
  if (name !== undefined) return characterNamed(name) ?? all;
  if (char !== undefined) return CONTROLS[char] ?? char;
  const code = octal === undefined ? Number.parseInt(long ?? short ?? hex ?? '', 16) : Number.parseInt(octal, 8);
  return code <= 0x10ffff ? String.fromCodePoint(code) : all;
}

/** Between backticks only the backtick itself can be escaped. */
export const unescapeVerbatim = (body: string): string => body.replaceAll('\\`', '`');
