import { auditKinds } from '@switchyard/model/resources';
import { SIGNATURE_SCHEMES } from '@switchyard/triggers';
import { PROBLEM_KINDS } from '../../libs/model/src/resources/system-status';
import { isLegacy, type OptionEntry } from '../../libs/config/src/option';
import { optionSections } from '../../libs/config/src/option-table';
import { codes, exists, filesBelow, read, tableBelow } from './workspace';

/** The code spans in the first column of the table whose head begins with a name. */
function firstColumn(page: string, head: string): string[] {
  const lines = read(page).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  const after = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return start < 0 ? [] : lines.slice(start + 2, after).flatMap((line) => codes(line.split('|')[1] ?? ''));
}

const options: Readonly<Record<string, Readonly<Record<string, OptionEntry>>>> = optionSections;

it.each([
  ['docs/audit.md', 'kind', auditKinds],
  ['docs/rules.md', '`scheme`', SIGNATURE_SCHEMES],
  ['docs/deployment.md', 'problem', PROBLEM_KINDS],
  ['docs/rules.md', 'correlation', namesIn('libs/model/src/rules/correlation.ts', /^ {2}(\w+): \{$/gm)],
  [
    'docs/rules.md',
    'status',
    namesIn('libs/model/src/resources/trigger-instance.ts', /'([\w]+)'(?=[^;]*\] as const)/g),
  ],
  [
    'docs/retention.md',
    'option',
    Object.entries(options['garbagecollector'] ?? {}).flatMap(([name, entry]) =>
      name.endsWith('_ttl') && !isLegacy(entry) ? [name] : [],
    ),
  ],
])('%s lists every %s', (page, head, declared) => {
  const listed = firstColumn(page, head).map((code) => code.replace(/:.*$/, ''));
  expect(listed.sort()).toEqual([...declared].sort());
});

function namesIn(file: string, pattern: RegExp): string[] {
  return [...read(file).matchAll(pattern)].map(([, name = '']) => name);
}

it('docs/console.md lists every page of the router', () => {
  const paths = namesIn('apps/console/src/frame/router.tsx', /path: '([^'*]*)'(?=, lazy|,\n)/g).filter(
    (path) => path !== '/',
  );
  const listed = tableBelow(read('docs/console.md'), 'Web console').flatMap((cells) =>
    codes(cells.join(' ')).filter((code) => code.startsWith('#/')),
  );
  const [pages, addresses] = [paths, listed].map((all) => new Set(all.map(shapeOf)));
  expect([...(pages ?? [])].filter((path) => !addresses?.has(path))).toEqual([]);
  expect([...(addresses ?? [])].filter((path) => path !== '' && !pages?.has(path))).toEqual([]);
});

/** An address without the names of its parameters: `#/history/ID` and `history/:id` are `history/*`. */
const shapeOf = (address: string): string =>
  address
    .replace(/^#\//, '')
    .split('/')
    .map((part) => (/^(:.*|[A-Z]+)$/.test(part) ? '*' : part))
    .join('/');

it('docs/workflow-engine.md describes every file of the engine', () => {
  const [, tree = ''] = /^```\n(services\/workflow-engine\/src\/.*?)^```/ms.exec(read('docs/workflow-engine.md')) ?? [];
  const [engine = '', runs = ''] = tree.split('libs/workflow-runs/src/');
  const named = (text: string) => [...text.matchAll(/[\w-]+\.ts\b/g)].map(([name]) => name);
  const files = filesBelow('services/workflow-engine/src', /\.ts$/).map((file) => file.replace(/^.*\//, ''));
  const others = ['index.ts', 'main.ts', 'assemble.ts'];
  expect(files.filter((file) => !others.includes(file) && !named(engine).includes(file))).toEqual([]);
  expect(named(engine).filter((file) => !files.includes(file))).toEqual([]);
  expect(named(runs).filter((file) => !exists(`libs/workflow-runs/src/${file}`))).toEqual([]);
});

it('docs/configuration.md names every option that SIGHUP applies', () => {
  const applied = Object.entries(options).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([name, entry]) =>
      !isLegacy(entry) && entry.reloadable ? [`${section}.${name}`] : [],
    ),
  );
  const [, text = ''] = /^## Reload\n(.*?)^## /ms.exec(read('docs/configuration.md')) ?? [];
  expect(
    codes(text)
      .filter((code) => code.includes('.'))
      .sort(),
  ).toEqual(applied.sort());
});

it('docs/packs.md lists the shipped packs', () => {
  const shipped = filesBelow('packs', /^pack\.yaml$/).map((file) => file.split('/')[1]);
  expect(
    firstColumn('docs/packs.md', 'pack')
      .map((code) => code.replace(/^\[|\].*$/g, ''))
      .sort(),
  ).toEqual([...new Set(shipped)].sort());
});
