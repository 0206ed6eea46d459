import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './system-process';

/** Packages that only some actions, templates or commands need. Together they are hundreds of files. */
const LATER = [
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/resources',
  'ajv',
  'bcryptjs',
  'mingo',
  'ssh2',
  'string-width',
  'yaml',
];

it('does not load what only later work needs when a system starts', () => {
  const program = `
    const load = (name) => require(${JSON.stringify(join(ROOT, 'services/all-in-one/dist'))} + '/' + name + '.js');
    load('index');
    load('compose-listeners');
    const { serviceEntry, serviceNames } = load('entries');
    Promise.all(serviceNames.map(serviceEntry)).then(() => {
      process.stdout.write(JSON.stringify(Object.keys(require.cache)));
    });
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const files = JSON.parse(stdout) as string[];
  const loaded = LATER.filter((name) => files.some((file) => file.includes(join('node_modules', name, '/'))));
  expect(loaded).toEqual([]);
});
