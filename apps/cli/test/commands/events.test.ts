import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ID, startContractServer, type ContractServer, TOKEN } from '../support/contract-server';
import { svc } from '../support/run-svc';

let server: ContractServer;
let home: string;
beforeEach(async () => {
  server = await startContractServer();
  home = mkdtempSync(join(tmpdir(), 'svc-home-'));
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const run = (...args: string[]) =>
  svc(args, { HOME: home, SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN, COLUMNS: '100' });
const file = (name: string, content: string): string => {
  writeFileSync(join(home, name), content);
  return join(home, name);
};
const queryOf = (line: string): string =>
  server.seen.find(({ method, path }) => `${method} ${path}` === line)?.query.toString() ?? '';

const rule = {
  id: ID,
  ref: 'default.r',
  pack: 'default',
  name: 'r',
  enabled: true,
  trigger: { type: 'core.st2.webhook', ref: 'core.t', parameters: { url: 'a/b' } },
  action: { ref: 'core.noop', parameters: {} },
};

describe('rules', () => {
  beforeEach(() => {
    server.on('GET /v1/rules', () => ({ headers: { 'x-total-count': '7' }, body: [rule] }));
    server.on('GET /v1/rules/*', ({ path }) =>
      path.endsWith('/default.r') ? { body: rule } : { status: 404, body: {} },
    );
    server.on('POST /v1/rules', ({ body }) => ({ status: 201, body: { ...rule, ...body } }));
    server.on('PUT /v1/rules/*', ({ body }) => ({ body }));
    server.on('DELETE /v1/rules/*', () => ({ status: 204 }));
  });

  test('are not listed with options that exclude each other', async () => {
    const { code, stderr } = await run('rule', 'list', '--enabled', '--disabled');
    expect([code, stderr]).toEqual([2, expect.stringContaining("'--enabled' cannot be used with option '--disabled'")]);
  });

  test('are listed, with trigger and action on request', async () => {
    const { stdout, stderr } = await run('rule', 'list', '--iftt', '-n', '1', '-p', 'default', '--disabled');
    expect(stdout).toBe(`+-----------+-------------+------------+---------+
| ref       | trigger.ref | action.ref | enabled |
+-----------+-------------+------------+---------+
| default.r | core.t      | core.noop  | True    |
+-----------+-------------+------------+---------+
`);
    expect(stderr).toBe('Note: Only one rule is displayed. Use -n/--last flag for more results.\n');
    expect(queryOf('GET /v1/rules')).toBe(
      'pack=default&enabled=false&include_attributes=ref%2Ctrigger%2Caction%2Cenabled&limit=1',
    );
  });

  test('are created from a file, replaced, enabled, disabled and deleted', async () => {
    const path = file('rule.yaml', 'name: x\nenabled: false\n');
    expect(await run('rule', 'create', path, '-j', '-a', 'name')).toMatchObject({
      code: 0,
      stdout: '{\n    "name": "x"\n}\n',
    });
    expect((await run('rule', 'update', 'default.r', path)).code).toBe(0);
    expect(server.seen.at(-1)).toMatchObject({ path: `/v1/rules/${ID}`, body: { name: 'x', enabled: false } });
    expect((await run('rule', 'disable', 'default.r')).code).toBe(0);
    expect(server.seen.at(-1)?.body).toEqual({ ...rule, enabled: false });
    expect(await run('rule', 'delete', 'default.r')).toMatchObject({
      code: 0,
      stdout: 'Resource with id "default.r" has been successfully deleted.\n',
    });
  });

  test('are not replaced by a file about another rule', async () => {
    const ended = await run('rule', 'update', 'default.r', file('rule.json', '{"id": "other"}'));
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('"other"') });
  });

  test('that are missing are reported by name', async () => {
    expect(await run('rule', 'get', 'nope')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'ERROR: Rule "nope" is not found.\n',
    });
    expect((await run('rule', 'enable', 'nope')).code).toBe(1);
  });
});

test('rule enforcements are listed, newest last in JSON', async () => {
  server.on('GET /v1/ruleenforcements', () => ({ body: [{ id: '2' }, { id: '1' }] }));
  expect(await run('rule-enforcement', 'get', 'x')).toMatchObject({
    code: 1,
    stderr: 'ERROR: Rule Enforcement "x" is not found.\n',
  });
  const { stdout } = await run(
    'rule-enforcement',
    'list',
    '-j',
    '-a',
    'id',
    '--rule',
    'default.r',
    '-tg',
    '2026-01-01',
  );
  expect(JSON.parse(stdout)).toEqual([{ id: '1' }, { id: '2' }]);
  expect(queryOf('GET /v1/ruleenforcements')).toBe(
    'rule_ref=default.r&enforced_at_gt=2026-01-01&include_attributes=id&limit=50',
  );
});

test('trigger instances are listed newest last, and emitted again', async () => {
  server.on('GET /v1/triggerinstances', () => ({
    headers: { 'x-total-count': '3' },
    body: ['2', '1'].map((id) => ({ id, trigger: 't', status: 'processed' })),
  }));
  const { stdout, stderr } = await run('trigger-instance', 'list', '-a', 'id', '--status', 'processed');
  expect(stdout.match(/\d/g)).toEqual(['1', '2']);
  expect(stderr).toBe('Note: Only first 2 triggerinstances are displayed. Use -n/--last flag for more results.\n');
  expect((await run('trigger-instance', 'get', 'x')).stderr).toBe('ERROR: Trigger Instance "x" is not found.\n');
  server.on(`POST /v1/triggerinstances/${ID}/re_emit`, () => ({ body: { message: 'sent', payload: {} } }));
  expect(await run('trigger-instance', 're-emit', ID)).toEqual({ code: 0, stdout: 'sent\n', stderr: '' });
});

test('triggers are trigger types, and their specs are triggers', async () => {
  server.on('GET /v1/triggertypes', () => ({ body: [{ ref: 'core.t', pack: 'core', description: 'A trigger.' }] }));
  expect((await run('trigger', 'list', '-p', 'core')).stdout).toContain('| core.t | core | A trigger.  |');
  server.on('GET /v1/triggers', () => ({ body: [{ id: '1', ref: 'core.x', type: 'core.t', parameters: { a: 1 } }] }));
  expect((await run('trigger', 'getspecs', 'core.t')).stdout).toContain('{ "a": 1 }');
  expect(queryOf('GET /v1/triggers')).toContain('type=core.t');
});

test('webhooks are shown with their URL, and found by it', async () => {
  const hook = { id: ID, type: 'core.st2.webhook', parameters: { url: 'a/b' } };
  server.on('GET /v1/webhooks', () => ({ body: [hook] }));
  server.on('GET /v1/webhooks/a/b', () => ({ body: hook }));
  expect((await run('webhook', 'list')).stdout).toContain('| a/b | core.st2.webhook |');
  expect(JSON.parse((await run('webhook', 'get', '/a/b', '-j')).stdout)).toEqual({ url: 'a/b', ...hook });
});
