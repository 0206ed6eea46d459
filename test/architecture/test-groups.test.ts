import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './workspace';

const MINUTE = 60_000;

const WRITE = `
import { writeTestGroups } from './scripts/test-groups.mjs';
writeTestGroups(process.argv[1], process.argv[2]);`;

describe('the groups in which `npm test` runs the tests', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-groups-'));
    const args = ['--input-type=module', '-e', WRITE, `${ROOT}/`, folder];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const filesIn = (name: string): string[] =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/"([^"]+\.test\.ts)"/g)].map(([, file]) => file!);

  it(
    'contain every test file once',
    () => {
      const grouped = readdirSync(folder).flatMap(filesIn);
      const jest = spawnSync(process.execPath, [join(ROOT, 'node_modules/jest/bin/jest.js'), '--listTests', '--json'], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      const all = (JSON.parse(jest.stdout) as string[]).map((path) => path.slice(ROOT.length + 1));
      expect(grouped.sort()).toEqual(all.sort());
    },
    2 * MINUTE,
  );

  it('have times for existing files only', () => {
    const seconds = JSON.parse(readFileSync(join(ROOT, 'scripts/test-seconds.json'), 'utf8')) as Record<string, number>;
    const grouped = new Set(readdirSync(folder).flatMap(filesIn));
    expect(Object.keys(seconds).filter((file) => !grouped.has(file))).toEqual([]);
  });
});
