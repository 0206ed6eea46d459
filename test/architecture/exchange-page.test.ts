import { read, readJson, tableBelow } from './workspace';

const page = read('docs/exchange.md');
const expected = readJson<{ registered: Record<string, number[]>; tests: Record<string, [number, number]> }>(
  'test/exchange/expected.json',
);

interface Row {
  readonly pack: string;
  readonly registered: string;
  readonly registeredThere: string;
  /** `installed`, `none`, or `no: ` with the reason. */
  readonly requirements: string;
  readonly imported: Counted;
  /** undefined: they were not run. */
  readonly tests: Counted | undefined;
  readonly testsThere: Counted | undefined;
  readonly reason: string;
}

type Counted = readonly [good: number, all: number];

const [, table = ''] = page.split('<!-- table -->');
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (pack |-)/.test(line))
  .map(readRow);

const ableToInstall = rows.filter(({ requirements }) => !requirements.startsWith('no: '));
const tested = rows.flatMap(({ tests }) => (tests ? [tests] : []));

describe('docs/exchange.md', () => {
  it('has at least 80 packs, each once and in order', () => {
    const packs = rows.map(({ pack }) => pack);
    expect(packs.length).toBeGreaterThanOrEqual(80);
    expect(packs).toEqual([...new Set(packs)].sort());
  });

  it('says how many packs there are, and how many register the same', () => {
    const same = rows.filter(({ registered, registeredThere }) => registered === registeredThere);
    const known = rows.filter(({ registeredThere }) => registeredThere !== '');
    expect(numbersOf(/^- (\d+) packs\. .* known for (\d+) of them; (\d+) register the same\.$/m)).toEqual([
      rows.length,
      known.length,
      same.length,
    ]);
  });

  it('says how many actions can be imported, which are at least 99 % of those whose requirements can be installed', () => {
    const [good, all] = sum(ableToInstall.map(({ imported }) => imported));
    expect(
      numbersOf(
        /^- The requirements of (\d+) packs can be installed\. There, (\d+) of (\d+) .* imported \(([\d.]+) %\)\.$/m,
      ),
    ).toEqual([ableToInstall.length, good, all, Number(((100 * good) / all).toFixed(2))]);
    expect(good / all).toBeGreaterThanOrEqual(0.99);
  });

  it('says how many tests pass', () => {
    expect(numbersOf(/^- The tests of (\d+) packs were run: (\d+) of (\d+) pass\.$/m)).toEqual([
      tested.length,
      ...sum(tested),
    ]);
  });

  it('has a reason for each pack that differs from the reference or has failures', () => {
    expect(rows.filter((row) => differs(row) && row.reason === '').map(({ pack }) => pack)).toEqual([]);
  });

  it('explains each reason why requirements cannot be installed, and none that no pack has', () => {
    const reasons = rows.flatMap(({ requirements }) => /^no: (.*)$/.exec(requirements)?.slice(1) ?? []);
    const explained = tableBelow(page, 'Packs of the StackStorm Exchange').map(([reason]) => reason);
    expect([...new Set(reasons)].sort()).toEqual(explained.sort());
  });

  it("repeats the reference's numbers and the reasons from the files in test/exchange", () => {
    const reasons = readJson<Record<'not installed' | 'differs', Record<string, string>>>('test/exchange/reasons.json');
    const listed = rows.map(({ pack, registeredThere, testsThere, requirements, reason }) => [
      pack,
      { registeredThere, testsThere, requirements: requirements.replace(/^(installed|none)$/, ''), reason },
    ]);
    const wanted = rows.map(({ pack }) => {
      const hindrance = reasons['not installed'][pack];
      return [
        pack,
        {
          registeredThere: expected.registered[pack]?.join(' / ') ?? '',
          testsThere: expected.tests[pack],
          requirements: hindrance === undefined ? '' : `no: ${hindrance}`,
          reason: reasons.differs[pack] ?? '',
        },
      ];
    });
    expect(listed).toEqual(wanted);
  });

  it('names the packs of the reference that it has no row for', () => {
    const missing = Object.keys(expected.registered).filter((name) => rows.every(({ pack }) => pack !== name));
    expect(missing.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

function readRow(line: string): Row {
  const cells = line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
  const [
    pack = '',
    registered = '',
    registeredThere = '',
    requirements = '',
    imported = '',
    tests,
    there,
    reason = '',
  ] = cells;
  if (cells.length !== 8) throw new Error(`not a row of eight cells: ${line}`);
  return {
    pack,
    registered,
    registeredThere,
    requirements,
    imported: countedIn(imported) ?? [0, 0],
    tests: countedIn(tests),
    testsThere: countedIn(there),
    reason,
  };
}

/** `3 of 4`, or `4` for all of them. */
function countedIn(cell = ''): Counted | undefined {
  const [, good, all] = /^(\d+)(?: of (\d+))?$/.exec(cell) ?? [];
  return good === undefined ? undefined : [Number(good), Number(all ?? good)];
}

function differs({ registered, registeredThere, requirements, imported, tests, testsThere }: Row): boolean {
  const notImported = imported[0] < imported[1] && !requirements.startsWith('no: ');
  const wanted = testsThere ?? (tests && [tests[1], tests[1]]);
  const otherTests = tests !== undefined && String(tests) !== String(wanted);
  return notImported || otherTests || (registeredThere !== '' && registered !== registeredThere);
}

const sum = (counts: readonly Counted[]): Counted =>
  counts.reduce<Counted>(([good, all], [more, moreOfAll]) => [good + more, all + moreOfAll], [0, 0]);

const numbersOf = (pattern: RegExp): number[] => (pattern.exec(table) ?? []).slice(1).map(Number);
