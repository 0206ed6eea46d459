type Place = '*' | ((char: string) => boolean);

/**
 * Compiles a shell pattern to a test of whole texts: `*`, `?`, `[seq]`, `[!seq]`; an unclosed bracket is a literal. Its time is
 * bounded by the product of both lengths.
 */
export function compileWildcard(pattern: string): (text: string) => boolean {
  const places = readPlaces([...pattern]);
  return (text) => matches(places, [...text]);
}

function readPlaces(chars: readonly string[]): Place[] {
  const places: Place[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] as string;
    const close = char === '[' ? closingBracket(chars, at) : -1;
    if (close > 0) {
      places.push(setOf(chars.slice(at + 1, close)));
      at = close;
    } else if (char !== '*') places.push(char === '?' ? () => true : (other) => other === char);
    else if (places.at(-1) !== '*') places.push('*');
  }
  return places;
}

/** A `]` right after the opening bracket is a member of the set. */
function closingBracket(chars: readonly string[], open: number): number {
  const first = open + (chars[open + 1] === '!' ? 2 : 1);
  return chars.indexOf(']', chars[first] === ']' ? first + 1 : first);
}

function setOf(written: readonly string[]): (char: string) => boolean {
  const negated = written[0] === '!';
  const members = negated ? written.slice(1) : written;
  const ranges: [low: string, high: string][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const low = members[at] as string;
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([low, isRange ? (members[at + 2] as string) : low]);
    if (isRange) at += 2;
  }
  return (char) => ranges.some(([low, high]) => code(low) <= code(char) && code(char) <= code(high)) !== negated;
}

const code = (char: string): number => char.codePointAt(0) as number;

/** Only the last star needs to try other lengths, because everything before it has matched as early as possible. */
function matches(places: readonly Place[], chars: readonly string[]): boolean {
  let [place, at] = [0, 0];
  let star: { place: number; at: number } | undefined;
  while (at < chars.length) {
    const expected = places[place];
    if (expected === '*') star = { place: place++, at };
    else if (expected?.(chars[at] as string)) {
      place += 1;
      at += 1;
    } else if (star) {
      star.at += 1;
      place = star.place + 1;
      at = star.at;
    } else return false;
  }
  return places.slice(place).every((left) => left === '*');
}
