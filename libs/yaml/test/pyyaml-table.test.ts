import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadYaml } from '../src';

/** A text, and the value that PyYAML reads, unless it refuses the text. */
type Row = readonly [text: string, value?: unknown];

const rows = readFileSync(join(__dirname, 'pyyaml/table.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

/** What PyYAML reads as a value that JSON does not have. */
const OTHER_TYPE = /"\$(?:timestamp|bytes|set|float|int|key)":/;
/** PyYAML reads them as Python's sets and bytes, which cannot be stored. */
const REFUSED = /!!(?:set|binary)\b/;
/** No date: PyYAML fails, and here it stays a text as dates do. */
const NO_DATE = /2020-13-45/;

function read(text: string): { value?: unknown; isDoubtful?: boolean } | undefined {
  try {
    const { value, warnings } = loadYaml(text);
    return { value, isDoubtful: warnings.some(({ kind }) => kind === 'tab') };
  } catch {
    return undefined;
  }
}

describe('the table of what PyYAML reads', () => {
  const accepted = rows.filter((row) => row.length === 2 && !OTHER_TYPE.test(JSON.stringify(row[1])));
  const refused = rows.filter((row) => row.length === 1 && !NO_DATE.test(row[0]));

  it('has two thousand texts of both kinds', () => {
    expect([rows.length > 2000, accepted.length > 1000, refused.length > 700]).toEqual([true, true, true]);
  });

  it('has the same values here', () => {
    const different = accepted.flatMap(([text, expected]) => {
      const got = read(text)?.value;
      return JSON.stringify(sorted(got)) === JSON.stringify(sorted(expected)) ? [] : [{ text, expected, got }];
    });
    expect(different).toEqual([]);
  });

  it('has dates, infinities and large numbers, which stay texts or numbers here', () => {
    const others = rows.filter((row) => OTHER_TYPE.test(JSON.stringify(row[1])) && !REFUSED.test(row[0]));
    expect(others.filter(([text]) => read(text) === undefined)).toEqual([]);
    expect(others.length).toBeGreaterThan(20);
  });

  it('has texts that are refused here as well, or read with a warning about a tab', () => {
    expect(refused.filter(([text]) => read(text)?.isDoubtful === false)).toEqual([]);
  });
});

/** With the keys of objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, item]) => [key, sorted(item)]);
}
