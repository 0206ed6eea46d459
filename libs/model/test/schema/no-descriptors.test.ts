import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Matches with an expression that needs a time limit, while the process has as many files open as it may. */
const SCRIPT = `
  const { openSync, closeSync } = require('node:fs');
  const { guardedRegExp } = require(process.argv[1]);
  const pattern = guardedRegExp('a*a*a*c');
  const texts = ['a'.repeat(200) + 'c', 'b'.repeat(200)];
  const found = () => texts.map((text) => { try { return pattern.test(text); } catch (error) { return error.code; } });
  if (process.argv[2] === 'used before') found();
  const open = [];
  const fill = () => { try { for (;;) open.push(openSync('/dev/null')); } catch {} };
  fill();
  const without = found();
  for (const each of open) closeSync(each);
  console.log(JSON.stringify({ cheap: pattern.isCheapOn(texts[0]), without, then: found() }));
`;

const run = (when: string) => {
  const library = join(__dirname, '../../dist/index.js');
  const { stdout, stderr, signal } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 128; exec "$@"', 'sh', process.execPath, '-e', SCRIPT, library, when],
    { encoding: 'utf8' },
  );
  expect({ stderr, signal }).toEqual({ stderr: '', signal: null });
  return JSON.parse(stdout) as unknown;
};

describe('an expression with a time limit, while no file descriptors are left', () => {
  it('matches as usual if such an expression has been used before', () => {
    expect(run('used before')).toEqual({ cheap: false, without: [true, false], then: [true, false] });
  });

  it('is refused the first time, and the process goes on', () => {
    expect(run('new')).toEqual({ cheap: false, without: ['EMFILE', 'EMFILE'], then: [true, false] });
  });
});
