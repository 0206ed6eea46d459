import { basename } from 'node:path';
import { catalogue } from '@switchyard/base';
import { loadConfig, paths } from '@switchyard/config';
import { mayMove, POLICY_TYPES, STATUSES, TERMINAL_STATUSES } from '@switchyard/model';
import { runnerRegistry, runnerTypes } from '@switchyard/runners';
import { metricTable } from '../../libs/telemetry/src/metrics/metric-table';
import * as triggerNames from '../../libs/triggers/src/trigger-record';
import { isLegacy, type OptionEntry } from '../../libs/config/src/option';
import { optionSections } from '../../libs/config/src/option-table';
import { codes, exists, filesBelow, packages, read, readJson, sourcesOf, tableBelow } from './workspace';

const docs = filesBelow('docs', /\.md$/);
/** Pages about the current system. The change log and the decisions also mention former names. */
const current = ['README.md', 'CONTRIBUTING.md', ...docs.filter((page) => !page.startsWith('docs/adr/'))];

const firstCodes = (rows: readonly string[][]): string[] => rows.flatMap(([cell = '']) => codes(cell));
const sections: Readonly<Record<string, Readonly<Record<string, OptionEntry>>>> = optionSections;

describe('docs/lifecycle.md', () => {
  it('lists every move between statuses', () => {
    const rows = tableBelow(read('docs/lifecycle.md'), 'The status table');
    const listed = rows.map(([from = '', to = '']) => [
      codes(from)[0],
      [...codes(to), ...(to.includes('any end') ? TERMINAL_STATUSES : [])].sort(),
    ]);
    const moves = STATUSES.map((from) => [from, STATUSES.filter((to) => mayMove(from, to)).sort()] as const);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(moves.filter(([, to]) => to.length > 0)));
  });
});

describe('docs/architecture.md', () => {
  const page = read('docs/architecture.md');

  it('describes every library', () => {
    const libraries = packages.filter(({ group, name }) => group === 'libs' && name !== 'testkit');
    expect(firstCodes(tableBelow(page, 'Layers')).sort()).toEqual(libraries.map(({ name }) => name).sort());
  });

  it('names every service', () => {
    const services = packages.filter(({ group }) => group === 'services').map(({ name }) => name);
    expect(services.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
  });
});

it('docs/runners.md names every runner type', () => {
  const { config } = loadConfig({ environment: {} });
  const types = runnerTypes(runnerRegistry({ config, paths: paths(config) })).map(({ name }) => name);
  const named = codes(read('docs/runners.md'));
  expect(types.filter((name) => !named.includes(name))).toEqual([]);
});

it('docs/timers.md lists the timer types', () => {
  const listed = firstCodes(tableBelow(read('docs/timers.md'), 'Timers'));
  expect(listed.sort()).toEqual([...triggerNames.TIMER_TYPES].sort());
});

it('docs/policies.md lists the policy types with their parameters', () => {
  const listed = tableBelow(read('docs/policies.md'), 'Policies').map(([type = '', parameters = '']) => [
    codes(type)[0],
    codes(parameters).sort(),
  ]);
  const declared = POLICY_TYPES.map(({ ref, parameters }) => [ref, Object.keys(parameters).sort()]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared));
});

it('the pages name every built-in trigger type', () => {
  const named = new Set(current.flatMap((page) => codes(read(page))));
  const types = Object.values(triggerNames).filter((value) => typeof value === 'string');
  expect(types.length).toBeGreaterThan(10);
  expect(types.filter((type) => !named.has(type))).toEqual([]);
});

it('docs/failure.md lists every problem that svc doctor finds', () => {
  const [, union = ''] = /type DoctorProblem =([^;]*);/.exec(read('libs/storage/src/doctor/finding.ts')) ?? [];
  const problems = [...union.matchAll(/'([\w-]+)'/g)].map(([, name]) => name);
  const rows = read('docs/failure.md').split('\n');
  const listed = rows.flatMap((row) => /^\| `([\w-]+)` .*\|.*\|.*\|$/.exec(row)?.[1] ?? []);
  expect(problems.length).toBeGreaterThan(5);
  expect(problems.filter((name) => !listed.includes(name ?? ''))).toEqual([]);
});

describe('options', () => {
  const isSection = (name: string): boolean => name in sections;
  /** Other names with a dot: errors, metrics, actions of the pack `packs`, and `system.NAME` for a datastore item. */
  const others: ReadonlySet<string> = new Set([
    ...Object.keys(catalogue),
    ...Object.keys(metricTable),
    ...filesBelow('packs/packs/actions', /\.yaml$/).map((file) => `packs.${basename(file, '.yaml')}`),
    'packs.restart_component',
    'system.NAME',
  ]);
  /** Names in backticks such as `limits.max_depth`, but not `api.md` in a link. */
  const namedIn = (page: string): string[] =>
    codes(read(page)).flatMap((code) => {
      const [, section = '', option = ''] = /^(\w+)\.(\w+)(?: = .*)?$/.exec(code) ?? [];
      const name = `${section}.${option}`;
      return isSection(section) && !others.has(name) ? [name] : [];
    });

  it.each(current)('in %s exist', (page) => {
    const unknown = namedIn(page).filter((name) => {
      const [section = '', option = ''] = name.split('.');
      return !(option in (sections[section] ?? {}));
    });
    expect(unknown).toEqual([]);
  });

  it('of the section limits and for health ports are documented on a page', () => {
    const named = new Set(current.filter((page) => page !== 'docs/configuration.md').flatMap(namedIn));
    const limits = Object.keys(sections['limits'] ?? {}).map((name) => `limits.${name}`);
    const ports = Object.keys(sections).filter((section) => 'health_port' in (sections[section] ?? {}));
    expect(limits.filter((name) => !named.has(name))).toEqual([]);
    expect(ports.map((section) => `${section}.health_port`).filter((name) => !named.has(name))).toEqual([]);
  });

  /** Reads a default in the format of the pages: `16 MiB`, `200,000`, `100000`. */
  const valueOf = (text: string): number => {
    const [, digits = '', unit = ''] = /^([\d,]+)(?: ([KM]iB))?$/.exec(text) ?? [];
    return Number(digits.replaceAll(',', '')) * (unit === 'MiB' ? 2 ** 20 : unit === 'KiB' ? 2 ** 10 : 1);
  };

  it.each([
    ['docs/security.md', ''],
    ['docs/workflow-engine.md', 'workflow_engine.'],
  ])('have the defaults in the tables of %s', (page, prefix) => {
    const rows = read(page)
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .flatMap(([, option = '', value = '']) =>
        /^`[\w.]+`$/.test(option) ? [[prefix + codes(option)[0], value]] : [],
      );
    const limits = rows.filter(([name = '', value = '']) => name.includes('.') && /^\d/.test(value));
    const defaults = limits.map(([name = '']) => {
      const [section = '', option = ''] = name.split('.');
      const entry = sections[section]?.[option];
      return [name, entry === undefined || isLegacy(entry) ? undefined : entry.default];
    });
    expect(limits.length).toBeGreaterThan(3);
    expect(limits.map(([name, value = '']) => [name, valueOf(value)])).toEqual(defaults);
  });
});

it.each(current)('the environment variables in %s are read by the code', (page) => {
  const named = [...read(page).matchAll(/\bSVC_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name);
  const unknown = named.filter((name) => !isOption(name) && !readers().some((text) => text.includes(name)));
  // Clients and actions read these with the prefix `SVC_` or `ST2_`.
  const bare = unknown.filter((name) => !readers().some((text) => text.includes(name.slice('SVC_'.length))));
  expect(bare).toEqual([]);
});

/** `SVC_API__PORT` is the option `api.port`, and `SVC_API__PORT_FILE` a file that contains it. */
const isOption = (name: string): boolean => {
  const [section = '', option = ''] = name.slice('SVC_'.length).toLowerCase().split('__');
  const options = sections[section] ?? {};
  return option in options || option.replace(/_file$/, '') in options;
};

let texts: string[] | undefined;
const readers = (): string[] =>
  (texts ??= [
    ...packages.flatMap(sourcesOf),
    ...filesBelow('test', /\.ts$/),
    ...filesBelow('deploy', /./),
    ...filesBelow('libs', /\.py$/),
    'docker-compose.yml',
    '.ci/run',
  ]
    .filter(exists)
    .map(read));

/** `group list` is a command of `group`. */
const firstWord = (text: string): string => /^\s*(\S*)/.exec(text)?.[1] ?? '';

it.each(docs)('the svc commands in %s are in docs/cli.md', (page) => {
  const table = read('docs/cli.md')
    .split('\n')
    .filter((line) => line.startsWith('| `svc '))
    .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`svc ([\w-]+)(?: ([a-z][\w ,-]*))?/g)])
    .map(([, group = '', verbs = '']) => [group, verbs.split(', ').map(firstWord)] as const);
  const groups = new Map(table);
  const named = [...read(page).matchAll(/(?<=^|`|\$ |\.\/|client )svc ([a-z][a-z-]*)(?: ([a-z][a-z_-]*))?/gm)];
  const unknown = named.filter(([, group = '', verb = '']) => {
    const verbs = groups.get(group);
    return verbs === undefined || (verbs[0] !== '' && verb !== '' && !verbs.includes(verb));
  });
  expect(unknown.map(([text]) => text)).toEqual([]);
});

it.each(current)('the operations in %s are in the API document', (page) => {
  const { paths: operations } = readJson<{ paths: Record<string, Record<string, unknown>> }>('docs/openapi.json');
  const known = Object.entries(operations).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
  );
  // The URL of a webhook can have several segments.
  const isKnown = (name: string): boolean => known.includes(name) || (name.includes('/webhooks/') && known.includes(name.replace(/webhooks\/.*/, 'webhooks/*'))); // oxfmt-ignore
  const named = codes(read(page)).flatMap((code) => {
    const [, method, path = ''] = /^(GET|POST|PUT|DELETE)\s+(\/[^\s?]*)/.exec(code) ?? [];
    return method === undefined || path.includes('…') ? [] : [`${method} ${shapeOf(path)}`];
  });
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});

/** A path without the prefix of its service, with `*` for names and ids. */
const shapeOf = (path: string): string =>
  path
    .replace(/^\/(api\/v1|auth\/v1|stream\/v1|v1)(?=\/)/, '')
    .split('/')
    .map((part) => (/^(\{.*\}|<.*>|[A-Z_]+)$/.test(part) ? '*' : part))
    .join('/');

it.each(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs])('the link anchors in %s exist', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)].filter(
    ([, target = '']) => !/^https?:/.test(target),
  );
  const broken = links.filter(([, target = '', anchor = '']) => {
    const file = target === '' ? page : new URL(target, `file:///${page}`).pathname.slice(1);
    return !exists(file) || !anchorsOf(file).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

/** The anchors that GitHub generates for headings. */
const anchorsOf = (file: string): string[] =>
  read(file)
    .replaceAll(/^```.*?^```/gms, '')
    .split('\n')
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    );
