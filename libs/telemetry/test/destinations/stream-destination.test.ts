import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Uses a child process, because standard output, its reader and the exit of a process are under test. */
function startLogging(body: string) {
  const program = `
    const ts = require('typescript');
    const { readFileSync } = require('node:fs');
    require.extensions['.ts'] = (module, file) => {
      const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
      module._compile(ts.transpile(readFileSync(file, 'utf8'), options), file);
    };
    const { streamDestination } = require('./src/destinations/stream-destination.ts');
    const destination = streamDestination(process.stdout);
    ${body}`;
  return spawn(process.execPath, ['-e', program], {
    cwd: join(__dirname, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

test.each([
  ['exits at once', 'process.exit(3)'],
  ['closes the destination first', 'destination.close().then(() => process.exit(3))'],
  ['ends on its own', 'process.exitCode = 3'],
])('nothing is lost when the process %s', async (_, end) => {
  const child = startLogging(`for (let i = 0; i < 2000; i++) destination.write('line ' + i); ${end};`);
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(exitCode).toBe(3);
  expect(output.trimEnd().split('\n')).toHaveLength(2000);
});

test('a process continues when nothing reads its standard output any more', async () => {
  const child = startLogging(`
    destination.write('ready');
    process.stdin.once('data', async () => {
      for (let i = 0; i < 20; i++) {
        destination.write('x'.repeat(70_000));
        await new Promise(setImmediate);
      }
      process.exit(7);
    });`);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stdin.write('go');
  expect(await once(child, 'exit')).toEqual([7, null]);
});
