import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DAY_MS } from '@switchyard/base';
import { testedPythons } from '@switchyard/testkit/pythons';
import { PackDirectories } from '../support/pack-directory';
import { describePython, writeWheel } from '../support/python';

const FOLDER = resolve(__dirname, '../../../../python/shared');
const CHECK = join(FOLDER, 'check_requirements.py');
const MINUTES_MS = 5 * 60_000;
const UNKNOWN = 3;

const directories = new PackDirectories();
afterAll(() => directories.clear());

function check(python: string, file: string, environment: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(python, [CHECK, file], { encoding: 'utf8', env: environment });
  return { status, text: (stdout + stderr).trim() };
}

describePython('the check of a list of packages', () => {
  async function checkOf(list: string, more: NodeJS.ProcessEnv = {}) {
    const root = await directories.root();
    const wheels = join(root, 'wheels');
    await writeWheel(wheels, 'lonely', '1.0', '');
    await writeWheel(wheels, 'needy', '1.0', '', [
      'lonely>=2',
      'absent',
      'elsewhere; python_version < "3"',
      'six; extra == "x"',
    ]);
    await writeWheel(wheels, 'pleased', '1.0', '', ['lonely<2', 'six<1']);
    await writeWheel(wheels, 'six', '1.17', '');
    const file = join(root, 'list.txt');
    writeFileSync(file, list);
    return check('python3', file, { PATH: process.env['PATH'], PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels, ...more });
  }

  it('accepts a complete list; packages pinned by the client of StackStorm may have other versions', async () => {
    expect(await checkOf('pleased==1.0\nlonely==1.0\nsix==1.17\n')).toEqual({
      status: 0,
      text: '3 packages can be installed.',
    });
  });

  it('names requirements of packages that are missing in the list', async () => {
    const { status, text } = await checkOf('needy==1.0\nlonely==1.0\n');
    expect([status, text.split('\n')]).toEqual([
      1,
      ['needy requires lonely>=2, and the list has 1.0', 'needy requires absent, which is not in the list'],
    ]);
  });

  it('names a package that is not available', async () => {
    const { status, text } = await checkOf('lonely==3.0\n');
    expect([status, text]).toEqual([1, expect.stringContaining('No matching distribution found for lonely==3.0')]);
  });

  it('recognizes an index that cannot be reached', async () => {
    const away = { PIP_NO_INDEX: '0', PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PIP_RETRIES: '1' };
    expect(await checkOf('lonely==3.0\n', away)).toEqual({
      status: UNKNOWN,
      text: 'the package index cannot be reached',
    });
  });
});

const isDue = process.env['CI'] === 'true';
if (!isDue)
  process.stderr.write('The installation of the shared packages on each Python is only checked with CI=true.\n');

(isDue ? describe : describe.skip)('the packages of the shared environment', () => {
  const list = join(FOLDER, 'requirements.txt');
  const found = isDue ? testedPythons('The list of shared packages is resolved') : [];

  it.each(found.map(({ version, python }) => [version, python] as const))(
    'can be installed on Python %s, and none is missing',
    (version, python) => {
      const { status, text } = remembered(version, () => check(python, list));
      if (status === UNKNOWN) {
        process.stderr.write(`Skipped: the shared packages on Python ${version}: ${text}.\n`);
        return;
      }
      expect(text).toMatch(/^\d+ packages can be installed\.$/);
    },
    MINUTES_MS,
  );
});

/** Checks again if the last success is a week old, or the list or the check has changed. */
function remembered(version: string, ask: () => ReturnType<typeof check>): ReturnType<typeof check> {
  const hash = createHash('sha256');
  for (const name of ['requirements.txt', 'overrides.txt', 'check_requirements.py'])
    hash.update(readFileSync(join(FOLDER, name)));
  const file = join(homedir(), '.cache/switchyard/requirements', `${version}-${hash.digest('hex').slice(0, 16)}`);
  const noted = statSync(file, { throwIfNoEntry: false });
  if (noted && Date.now() - noted.mtimeMs < 7 * DAY_MS) return { status: 0, text: readFileSync(file, 'utf8') };
  const answer = ask();
  if (answer.status === 0) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, answer.text);
  }
  return answer;
}
