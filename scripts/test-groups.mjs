// Jest loads all modules again for each test file, which takes most of the time of a short test file. So the short test files of a
// package are loaded by one generated file. A long test file is not grouped.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The assumed seconds of a file that `test-seconds.json` does not list. */
const USUAL_SECONDS = 0.5;
/** The longest a group may take. */
const GROUP_SECONDS = 150;
/** A file that takes longer is not grouped. */
const LONG_SECONDS = 30;

/**
 * Writes the groups into `folder`. Their names start with a number, so that the longest run first and no long one
 * runs alone at the end (`test-sequencer.cjs`).
 * @param choice path patterns relative to the root: `only` includes matches, `except` excludes matches
 */
export function writeTestGroups(root, folder, { only, except } = {}) {
  const seconds = JSON.parse(readFileSync(join(root, 'scripts/test-seconds.json'), 'utf8'));
  const weigh = (file) => seconds[file] ?? USUAL_SECONDS;
  const isLong = (file) => weigh(file) > LONG_SECONDS;
  const isChosen = (file) => (only === undefined || only.test(file)) && !except?.test(file);
  const groups = units(root).flatMap((unit) => {
    const files = testFiles(root, unit).filter(isChosen);
    const short = divide(
      files.filter((file) => !isLong(file)),
      weigh,
    );
    return [
      ...files.filter(isLong).map((file) => ({ name: basename(file, '.test.ts'), files: [file], weight: weigh(file) })),
      ...short.map((group, index) => ({ ...group, name: `${index + 1}` })),
    ].map((group) => ({ ...group, name: `${unit.replace('/', '-')}-${group.name}` }));
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, { name, files }] of groups.sort((a, b) => b.weight - a.weight).entries())
    writeFileSync(join(folder, `${String(index + 1).padStart(3, '0')}-${name}.test.js`), textOf(files, root));
}

/** The packages, and the folders with tests across packages. */
const units = (root) =>
  ['libs', 'services', 'apps', 'test'].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'dist')
      .map(({ name }) => `${group}/${name}`),
  );

/** Paths relative to the root. */
function testFiles(root, unit) {
  const folder = unit.startsWith('test/') ? unit : `${unit}/test`;
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder), { recursive: true });
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function divide(files, weigh) {
  const groups = [];
  for (const file of files) {
    const last = groups.at(-1);
    if (last && last.weight + weigh(file) <= GROUP_SECONDS) {
      last.files.push(file);
      last.weight += weigh(file);
    } else groups.push({ files: [file], weight: weigh(file) });
  }
  return groups;
}

/** Each file gets its own block, with its own hooks. If one fails to load, the others still run. */
const textOf = (files, root) => `// Written by scripts/test-groups.mjs.
for (const file of ${JSON.stringify(files, null, 2)})
  describe(file, () => {
    try {
      require(${JSON.stringify(root)} + file);
    } catch (error) {
      it('can be loaded', () => {
        throw error;
      });
    }
  });
`;
