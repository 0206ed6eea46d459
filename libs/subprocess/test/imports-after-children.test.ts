import { spawnSync } from 'node:child_process';

/** The first import fills the cache of resolved links. Packages of the workspace are links, and their modules are CommonJS. */
const PROGRAM = `
  const main = async () => {
    const { startProcess } = require('@switchyard/subprocess');
    await import('@switchyard/yaml');
    await startProcess({ command: { file: 'true' } }).result;
    process.stdout.write(String(Object.values(await import('@switchyard/config')).every((value) => value !== undefined)));
  };
  main();
`;

it('a program can import packages after it has started a child', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', PROGRAM], { cwd: __dirname, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'true', stderr: '' });
});
