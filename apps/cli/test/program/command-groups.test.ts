import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { commandTable, svcBatch } from '../support/command-table';
import { TOKEN } from '../support/contract-server';

const groups = commandTable();
const commands = groups.flatMap((group) => group.commands);
const page = readFileSync(join(__dirname, '../../../../docs/cli.md'), 'utf8');

/** ``svc rule list, get`` in the first column names `rule list` and `rule get`; words in capitals after it are arguments. */
const documented = page
  .split('\n')
  .filter((line) => line.startsWith('| `svc '))
  .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`svc ([^`]+)`/g)].map(([, words = '']) => words))
  .flatMap((words) => {
    const [group = '', ...rest] = words.replace(/( [A-Z]\S*| …)+$/, '').split(' ');
    return rest.length === 0
      ? [group]
      : rest
          .join(' ')
          .split(', ')
          .map((name) => `${group} ${name}`);
  });

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

test('docs/cli.md lists exactly the commands that exist', () => {
  expect(documented.sort()).toEqual(commands.map(({ path }) => path).sort());
});

test.each(
  groups.filter(({ name, commands: [first] }) => first?.path !== name).map((group) => [group.name, group] as const),
)('the help of %s names its commands', (name, group) => {
  const [, listed = ''] = group.description.split(': ');
  const named = listed.split(', ').map((word) => `${name} ${word}`);
  expect(named.sort()).toEqual(group.commands.map(({ path }) => path).sort());
});

test('every command prints JSON and YAML, except those with output in a fixed format', () => {
  const without = commands.filter(({ options }) => !options.includes('--json') || !options.includes('--yaml'));
  expect(without.map(({ path }) => path)).toEqual(['up', 'pack test', 'completion']);
});

test('all empty lists print the same sentence or document', async () => {
  for (const method of ['GET', 'POST'])
    for (const path of ['/v1/*', '/v1/*/*', '/v1/*/*/*', '/tokens', '/issued_tokens'])
      server.on(`${method} ${path}`, () => ({ headers: { 'x-total-count': '0' }, body: [] }));
  // Users are in a file that the server does not read.
  const lists = commands
    .map(({ path }) => path.split(' '))
    .filter(([group, verb]) => verb === 'list' && group !== 'user');
  expect(lists.length).toBeGreaterThan(15);
  const lines = [...lists, ['trigger', 'getspecs'], ['pack', 'search', 'x'], ['key', 'load', '/dev/null']];
  const env = { SVC_API_URL: `${server.url}/v1`, SVC_AUTH_URL: server.url, SVC_AUTH_TOKEN: TOKEN, HOME: '/nowhere' };
  const plain = await svcBatch(lines, env);
  const json = await svcBatch(
    lines.map((line) => [...line, '-j']),
    env,
  );
  const yaml = await svcBatch(
    lines.map((line) => [...line, '-y']),
    env,
  );
  const all = lines.map((line, index) => [line.join(' '), plain[index], json[index], yaml[index]]);
  const printing = (stdout: string) => ({ code: 0, stdout, stderr: '' });
  expect(all).toEqual(
    lines.map((line) => [line.join(' '), printing('No matching items found\n'), printing('[]\n'), printing('[]\n')]),
  );
});

test('every command prints errors on standard error, and nothing on standard output', async () => {
  const refusal = { status: 403, body: { faultstring: 'Not for you' } };
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    for (const path of ['/*', '/v1/*', '/v1/*/*', '/v1/*/*/*', '/v1/*/*/*/*'])
      server.on(`${method} ${path}`, () => refusal);
  // The others need no server.
  const asking = commands.filter(({ path }) => !['up', 'completion', 'config check'].includes(path));
  const lines = asking.map(({ path, arguments: names, options }) => [
    ...path.split(' '),
    ...names.map(() => 'x.y'),
    ...(options.includes('--password') ? ['-p', 'x'] : []),
    '-j',
  ]);
  const env = { SVC_API_URL: `${server.url}/v1`, SVC_AUTH_URL: server.url, SVC_AUTH_TOKEN: TOKEN, HOME: '/nowhere' };
  const runs = await svcBatch(lines, env);
  const failing = (stderr: string) => ({ code: expect.any(Number), stdout: '', stderr });
  expect(runs.map((run, index) => [lines[index]?.join(' '), run])).toEqual(
    lines.map((line) => [line.join(' '), failing(expect.stringMatching(/^ERROR: /m))]),
  );
  expect(runs.filter(({ code }) => code === 0)).toEqual([]);
});
