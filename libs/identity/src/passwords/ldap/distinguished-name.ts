/**
 * A form of a DN that is the same for all spellings of the name (RFC 4514): case, spaces around parts, escapes, and the order of
 * the parts of one RDN do not count.
 */
export function comparableDn(dn: string): string {
  const rdns = unescapedParts(dn, /[,;]/).map((rdn) =>
    unescapedParts(rdn, /\+/)
      .map((part) => {
        const equals = part.indexOf('=');
        return [part.slice(0, equals).trim().toLowerCase(), comparableValue(part.slice(equals + 1))];
      })
      .sort(([a = '', x = ''], [b = '', y = '']) => (a === b ? compare(x, y) : compare(a, b))),
  );
  return JSON.stringify(rdns);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Splits at separators without a backslash before them. */
function unescapedParts(text: string, separator: RegExp): string[] {
  const parts = [''];
  for (const piece of text.match(/\\.|[^\\]/gsu) ?? []) {
    if (piece.length === 1 && separator.test(piece)) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

/** A space at the end that is escaped belongs to the value. */
function comparableValue(escaped: string): string {
  const bytes: Buffer[] = [];
  const trimmed = escaped.replace(/^ +/, '').replace(/((?:^|[^\\])(?:\\\\)*) +$/, '$1');
  for (const piece of trimmed.match(/\\[0-9a-f]{2}|\\.|[^\\]/gisu) ?? []) {
    if (/^\\[0-9a-f]{2}$/i.test(piece)) bytes.push(Buffer.from(piece.slice(1), 'hex'));
    else bytes.push(Buffer.from(piece.replace(/^\\/, '')));
  }
  return Buffer.concat(bytes).toString().replace(/ +/g, ' ').toLowerCase();
}
