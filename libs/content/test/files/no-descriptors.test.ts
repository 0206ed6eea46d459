import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Reads the file, first with as many others open as the process may have. */
const SCRIPT = `
  const { openSync, closeSync } = require('node:fs');
  const [module, file] = process.argv.slice(1);
  const { readText } = require(module);
  const wanted = { pack: 'p', type: 'action', file };
  readText({ ...wanted, file: file + '.missing' });
  const open = [];
  try { for (;;) open.push(openSync('/dev/null')); } catch {}
  let thrown;
  try { readText(wanted); } catch (error) { thrown = error.code; }
  for (const each of open) closeSync(each);
  console.log(JSON.stringify({ thrown, then: readText(wanted) }));
`;

it('a file that cannot be read because no descriptors are left is not taken for an invalid one', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-content-'));
  const file = join(directory, 'a.yaml');
  writeFileSync(file, 'name: a\n');
  const reader = join(__dirname, '../../dist/loaders/read-content-file.js');
  const run = (command: string, ...args: string[]) =>
    spawnSync('sh', ['-c', command, 'sh', process.execPath, ...args], { encoding: 'utf8' });
  try {
    const { stdout, stderr } = run('ulimit -n 128; exec "$@"', '-e', SCRIPT, reader, file);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ thrown: 'EMFILE', then: { text: 'name: a\n' } });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
