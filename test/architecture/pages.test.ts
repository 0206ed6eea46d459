import { dirname, join, normalize } from 'node:path';
import { exchanges } from '@switchyard/messaging';
import { catalogue } from '@switchyard/base';
import { STATUSES } from '@switchyard/model';
import { TRAVEL } from '@switchyard/storage/transfer';
import { codes, exists, filesBelow, packages, read, readJson, sourcesOf, tableBelow } from './workspace';

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesBelow('docs', /\.md$/)];

describe('docs/lifecycle.md', () => {
  const steps = tableBelow(read('docs/lifecycle.md'), 'Steps');

  it.each(steps.map((cells) => [cells[0] ?? '', cells] as const))('step %s names code that exists', (_, cells) => {
    const [file = ''] = codes(cells[2] ?? '');
    const functions = codes(cells[3] ?? '');
    expect(exists(file)).toBe(true);
    expect(functions.length).toBeGreaterThan(0);
    for (const name of functions) expect(read(file)).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('names exchanges and statuses that exist', () => {
    const messages = steps.flatMap((cells) => codes(cells[5] ?? ''));
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) {
      const [exchange = '', key] = message.split('/');
      expect(Object.keys(exchanges)).toContain(exchange);
      if (exchange === 'liveaction.status') expect(STATUSES).toContain(key);
    }
  });
});

it('docs/errors.md lists every error of the catalogue with its status and text', () => {
  const rows = [...read('docs/errors.md').matchAll(/^\| `([^`]+)` +\| (\d+) +\| `(.*)` +\|$/gm)];
  const listed = rows.map(([, code, status, text = '']) => [code, Number(status), text.replaceAll('\\|', '|')]);
  const expected = Object.entries(catalogue).map(([code, { status, template }]) => [code, status, template]);
  expect(listed.sort()).toEqual(expected.sort());
});

it('docs/architecture.md lists every collection of the store', () => {
  const rows = tableBelow(read('docs/architecture.md'), 'What is stored');
  const listed = rows.flatMap((cells) => codes(cells[0] ?? ''));
  const declared = [...read('libs/storage/src/collections.ts').matchAll(/: of\('(\w+)'/g)];
  expect(listed.sort()).toEqual(declared.map(([, name]) => name).sort());
});

it('docs/backup.md lists the collections of each part, and those that are not exported', () => {
  const named = [...read('libs/storage/src/collections.ts').matchAll(/(\w+): of\('(\w+)'/g)];
  const collections = new Map(named.map(([, key, name = '']) => [key, name]));
  const listed = tableBelow(read('docs/backup.md'), 'What an archive contains').map(([part = '', names = '']) => [
    codes(part)[0] ?? 'not',
    codes(names).sort(),
  ]);
  const declared = new Map<string, string[]>();
  for (const [key, travel] of Object.entries(TRAVEL)) {
    const part = 'part' in travel ? travel.part : 'not';
    declared.set(part, [...(declared.get(part) ?? []), collections.get(key) ?? key]);
  }
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries([...declared].map(([part, names]) => [part, names.sort()])),
  );
});

describe('docs/glossary.md', () => {
  const sources = packages.flatMap(sourcesOf).map(read).join('\n');
  const rows = tableBelow(read('docs/glossary.md'), 'Glossary');

  it.each(rows.map((cells) => [cells[0] ?? '', cells[1] ?? ''] as const))('"%s" is an identifier', (_, identifier) => {
    for (const name of codes(identifier)) expect(sources).toMatch(new RegExp(`\\b${name}\\b`));
    expect(codes(identifier)).not.toEqual([]);
  });
});

describe('docs/compatibility.md', () => {
  const page = read('docs/compatibility.md');
  const named = codes(page);
  const expectations = readJson<Record<string, { later: Record<string, string[]>; different: Record<string, string> }>>(
    'test/conformance/not-expected.json',
  );
  const different = Object.values(expectations).flatMap((each) => Object.keys(each.different));

  it('explains every recorded scenario that differs deliberately', () => {
    expect(different.filter((scenario) => !named.some((name) => name.endsWith(scenario)))).toEqual([]);
  });

  // The replay itself fails if a scenario is listed as different but is not.
  it('names only recorded scenarios that differ', () => {
    const recorded = filesBelow('test/conformance/recorded/http', /\.jsonl$/)
      .flatMap((file) => read(file).trim().split('\n'))
      .map((line) => (JSON.parse(line) as { name: string }).name);
    const listed = new Set([
      ...different,
      ...Object.values(expectations).flatMap(({ later }) => Object.values(later).flat()),
    ]);
    const scenarios = named.flatMap((name) =>
      recorded.filter((scenario) => scenario === name || scenario === name.slice(name.indexOf('/') + 1)),
    );
    expect(scenarios.length).toBeGreaterThan(20);
    expect(scenarios.filter((scenario) => !listed.has(scenario))).toEqual([]);
  });
});

it('docs/compatibility.md names every recorded vector that differs deliberately', () => {
  const page = read('docs/compatibility.md');
  const vectors = filesBelow('test/conformance/vectors/differences', /\.json$/).flatMap((file) => {
    const names = Object.keys(readJson<Record<string, string>>(file));
    // Workflows are listed with the hash of their record.
    return file.endsWith('workflows.json') ? names.map((name) => name.split(' ')[0] ?? '') : names;
  });
  expect(vectors.length).toBeGreaterThan(0);
  expect(vectors.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('docs/adr/README.md lists every decision, and numbers are used once', () => {
  const decisions = filesBelow('docs/adr', /^\d{4}-.*\.md$/).map((path) => path.slice('docs/adr/'.length));
  const listed = [...read('docs/adr/README.md').matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, name]) => name);
  expect(listed).toEqual(decisions.sort());
  expect(new Set(decisions.map((name) => name.slice(0, 4))).size).toBe(decisions.length);
});

it.each(pages)('the npm commands in %s exist', (page) => {
  const { scripts } = readJson<{ scripts: Record<string, string> }>('package.json');
  const named = [...read(page).matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

it.each(pages)('the link targets in %s exist', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)].map(([, target = '']) => target);
  const broken = links.filter((target) => !/^https?:/.test(target) && !exists(normalize(join(dirname(page), target))));
  expect(broken).toEqual([]);
});

it.each(pages)('the files named in %s exist', (page) => {
  const named = codes(read(page)).filter((code) =>
    /^(libs|services|apps|packs|test|deploy|scripts|docs)\/[\w./-]+$/.test(code),
  );
  expect(named.filter((path) => !exists(path))).toEqual([]);
});
