// Jest loads all modules again for each test file, which takes most of the time of a short test file. So the short test files of a
// package are loaded by one generated file, and those of packages with few tests together. A long test file is not grouped.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The assumed seconds of a file that `test-seconds.json` does not list. */
const USUAL_SECONDS = 0.5;
/** The longest a group may take. */
const GROUP_SECONDS = 150;
/** A file that takes longer is not grouped. */
const LONG_SECONDS = 30;
/** A group that takes less is joined with others, because loading the modules takes a large part of its time. */
const SMALL_SECONDS = 20;
/** The longest that joined groups may take together: they end the run. */
const JOINED_SECONDS = 80;

/**
 * Writes the groups into `folder`. Their names start with a number, so that the longest run first and no long one
 * runs alone at the end (`test-sequencer.cjs`).
 * @param only pattern of the paths to include, relative to the root; all without it
 */
export function writeTestGroups(root, folder, { only } = {}) {
  const seconds = JSON.parse(readFileSync(join(root, 'scripts/test-seconds.json'), 'utf8'));
  const weigh = (file) => seconds[file] ?? USUAL_SECONDS;
  const isLong = (file) => weigh(file) > LONG_SECONDS;
  const isChosen = (file) => only === undefined || only.test(file);
  const groupsOf = (unit) => {
    const files = testFiles(root, unit).filter(isChosen);
    const short = divide(
      files.filter((file) => !isLong(file)).map((file) => ({ files: [file], weight: weigh(file) })),
      GROUP_SECONDS,
    );
    return [
      ...files.filter(isLong).map((file) => ({ name: basename(file, '.test.ts'), files: [file], weight: weigh(file) })),
      ...short.map((group, index) => ({ ...group, name: `${index + 1}` })),
    ].map((group) => ({ ...group, name: `${unit.replace('/', '-')}-${group.name}` }));
  };
  const groups = FOLDERS.flatMap((name) => {
    const all = units(root, name).flatMap(groupsOf);
    const small = all.filter(({ weight }) => weight < SMALL_SECONDS);
    return [
      ...all.filter((group) => !small.includes(group)),
      ...divide(small, JOINED_SECONDS).map((group, index) => ({ ...group, name: `${name}-${index + 1}` })),
    ];
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, { name, files }] of groups.sort((a, b) => b.weight - a.weight).entries())
    writeFileSync(join(folder, `${String(index + 1).padStart(3, '0')}-${name}.test.js`), textOf(files, root));
}

const FOLDERS = ['libs', 'services', 'apps', 'test'];

/** The packages of a folder, or the folders with tests across packages. */
const units = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'dist')
    .map(({ name }) => `${folder}/${name}`);

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

/** Joins neighbours as long as they take at most `seconds` together. */
function divide(parts, seconds) {
  const groups = [];
  for (const { files, weight } of parts) {
    const last = groups.at(-1);
    if (last && last.weight + weight <= seconds) {
      last.files.push(...files);
      last.weight += weight;
    } else groups.push({ files: [...files], weight });
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
