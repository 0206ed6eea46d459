/** Names for `\N{…}`: those that texts of workflows may need; JavaScript knows no names of characters. */
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

/** The character of a Unicode name, in any case of letters; undefined for one that is not in the table. */
export function characterNamed(name: string): string | undefined {
  const upper = name.toUpperCase();
  const letter = /^LATIN (SMALL|CAPITAL) LETTER ([A-Z])$/.exec(upper);
  if (letter !== null) return letter[1] === 'SMALL' ? letter[2]?.toLowerCase() : letter[2];
  return Object.hasOwn(NAMES, upper) ? NAMES[upper] : undefined;
}
