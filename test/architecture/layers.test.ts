import { join } from 'node:path';
import { packages, read, readJson, ROOT } from './workspace';

interface Rule {
  name: string;
  to: { path?: string | string[] };
}

/** The diagram in docs/architecture.md: lines such as `4  messaging  storage  subprocess`, the top layer first. */
const drawn: readonly (readonly string[])[] = [
  ...read('docs/architecture.md').matchAll(/^ +(\d+) {2,}([a-z][a-z -]*)$/gm),
]
  .map(([, number, names = '']) => ({ number: Number(number), names: names.trim().split(/ {2,}/) }))
  .sort((a, b) => a.number - b.number)
  .map(({ names }) => names);

const libraries = packages.filter(({ group, name }) => group === 'libs' && name !== 'testkit').map(({ name }) => name);
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { forbidden } = require(join(ROOT, '.dependency-cruiser.cjs')) as { forbidden: Rule[] };

const layerOf = (name: string): number => drawn.findIndex((names) => names.includes(name));

it('the diagram contains every library once', () => {
  expect(drawn.flat().sort()).toEqual([...libraries].sort());
});

it.each(libraries)('the rules let libs/%s import the libraries below it in the diagram', (name) => {
  const rule = forbidden.find((each) => each.name === `layer-of-${name}`);
  const patterns = [rule?.to.path ?? []].flat().map((pattern) => new RegExp(pattern));
  const others = libraries.filter((other) => other !== name);
  const allowed = others.filter((other) => !patterns.some((pattern) => pattern.test(`libs/${other}/src/index.ts`)));
  expect(allowed).toEqual(others.filter((other) => layerOf(other) < layerOf(name)));
  expect(patterns.some((pattern) => pattern.test('services/api/src/index.ts'))).toBe(true);
});

it.each(libraries)('libs/%s declares only libraries below it', (name) => {
  const { dependencies } = readJson<{ dependencies: Record<string, string> }>(`libs/${name}/package.json`);
  const own = Object.keys(dependencies)
    .filter((dependency) => dependency.startsWith('@switchyard/'))
    .map((dependency) => dependency.slice('@switchyard/'.length));
  expect(own.filter((other) => layerOf(other) < 0 || layerOf(other) >= layerOf(name))).toEqual([]);
});
