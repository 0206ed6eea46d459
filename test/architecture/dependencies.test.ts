import { builtinModules } from 'node:module';
import { preProcessFile } from 'typescript';
import { packages, read, readJson, sourcesOf, type Package } from './workspace';

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Project {
  references: { path: string }[];
}

const SCOPE = '@switchyard/';

/** The packages that a package's sources import. */
function imported(of: Package): string[] {
  const specifiers = sourcesOf(of).flatMap((file) =>
    preProcessFile(read(file), true, true).importedFiles.map(({ fileName }) => fileName),
  );
  return [...new Set(specifiers.filter(isPackage).map(packageOf))].sort();
}

/** Modules that are `virtual` are made by the build. */
const isPackage = (specifier: string): boolean =>
  !/^(\.|node:|virtual:)/.test(specifier) && !builtinModules.includes(specifier);

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const declared = ({ directory }: Package): string[] =>
  Object.keys(neededBy(readJson<Manifest>(`${directory}/package.json`))).sort();

/** Packages that are bundled for browsers are only needed by the build, and type packages are never imported. */
const neededBy = ({ dependencies = {}, devDependencies = {} }: Manifest): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => !name.startsWith('@types/')),
  );

describe.each(packages.map((of) => [of.directory, of] as const))('%s', (_, of) => {
  it('declares exactly the dependencies that its sources import', () => {
    expect(declared(of)).toEqual(imported(of));
  });

  it('references in its tsconfig the packages that it declares', () => {
    const { references } = readJson<Project>(`${of.directory}/tsconfig.json`);
    const names = references.map(({ path }) => SCOPE + path.split('/').pop());
    expect(names.sort()).toEqual(declared(of).filter((name) => name.startsWith(SCOPE)));
  });

  it('is part of the root build', () => {
    const { references } = readJson<Project>('tsconfig.build.json');
    expect(references.map(({ path }) => path)).toContain(of.directory);
  });
});

it('all packages declare the same version of a dependency', () => {
  const wanted = new Map<string, Set<string>>();
  for (const directory of ['.', ...packages.map((of) => of.directory)]) {
    const { dependencies = {}, devDependencies = {} } = readJson<Manifest>(`${directory}/package.json`);
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
      wanted.set(name, (wanted.get(name) ?? new Set()).add(range));
  }
  expect([...wanted].filter(([, ranges]) => ranges.size > 1).map(([name]) => name)).toEqual([]);
});
