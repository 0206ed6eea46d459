// Most of the time of a short test file goes into loading the product once more, since Jest loads everything anew for each file.
// So the short ones of a package share a file that is written here and loads what they need once; a long one stays alone.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a file takes that `test-seconds.json` does not list. */
const USUAL_SECONDS = 0.5;
/** A group is no longer than this, and a file that is half as long is not put into one. */
const GROUP_SECONDS = 15;

/**
 * Writes the groups into `folder`. Their names begin with a number, the longest first: so that no worker is left with a long
 * one at the end (`test-sequencer.cjs`).
 */
export function writeTestGroups(root, folder) {
  const seconds = JSON.parse(readFileSync(join(root, 'scripts/test-seconds.json'), 'utf8'));
  const weigh = (file) => seconds[file] ?? USUAL_SECONDS;
  const isLong = (file) => weigh(file) > GROUP_SECONDS / 2;
  const groups = units(root).flatMap((unit) => {
    const files = testFiles(root, unit);
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

/** Packages, and the folders of tests that concern all of them. */
const units = (root) =>
  ['libs', 'services', 'apps', 'test'].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'dist')
      .map(({ name }) => `${group}/${name}`),
  );

/** Paths below the root. */
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

/** Each file is a block of its own, so that its hooks are; one that cannot be loaded does not keep the others from running. */
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
