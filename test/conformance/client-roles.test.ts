import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { svc } from '../system/run-svc';
import { startSystem, type SystemProcess } from '../system/system-process';
import { referenceClient } from './reference-client';

const MINUTES = 60_000;

const client = referenceClient();
if ('missing' in client) {
  if (process.env['SVC_TEST_SERVERS'] === 'required') throw new Error(client.missing);
  console.warn(`Skipped: roles with the reference's client, because ${client.missing}.`);
}

const describeRuns = 'missing' in client ? describe.skip : describe;

describeRuns("the reference's client", () => {
  let system: SystemProcess;
  let token: string;
  beforeAll(async () => {
    system = await startSystem();
    const write = (path: string, text: string) => {
      const file = join(system.directory, 'rbac', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    write(
      'roles/readers.yaml',
      'name: readers\ndescription: Read\npermission_grants: [{permission_types: [rule_list]}]',
    );
    write('assignments/ada.yaml', 'username: ada\nroles: [readers, admin]');
    const authorization = `Basic ${Buffer.from('testu:testp').toString('base64')}`;
    const answer = await fetch(`${system.auth}/tokens`, { method: 'POST', headers: { authorization } });
    token = ((await answer.json()) as { token: string }).token;
    const applied = await svc(['rbac', 'sync', '--api', '-t', token, '--skip-config', '--api-url', `${system.api}/v1`]);
    expect(applied).toMatchObject({ code: 0, stderr: '' });
  }, 3 * MINUTES);
  afterAll(() => system.stop(), MINUTES);

  const st2 = async (...words: string[]) => {
    const { python, script } = client as Exclude<typeof client, { missing: string }>;
    const env = { PATH: process.env['PATH'], ST2_API_URL: `${system.api}/v1`, ST2_AUTH_TOKEN: token, HOME: '/nowhere' };
    const options = { env, timeout: MINUTES };
    return (await promisify(execFile)(python, [script, '--skip-config', ...words], options)).stdout;
  };
  const rows = async (...words: string[]) => JSON.parse(await st2(...words, '-j')) as Record<string, unknown>[];

  it(
    'shows roles',
    async () => {
      expect((await rows('role', 'list')).map(({ name, system: own }) => [name, own])).toEqual([
        ['admin', true],
        ['observer', true],
        ['readers', false],
        ['system_admin', true],
      ]);
      expect(await rows('role', 'list', '-s')).toHaveLength(3);
      const [readers] = (await rows('role', 'list')).filter(({ name }) => name === 'readers');
      expect(JSON.parse(await st2('role', 'get', String(readers?.['id']), '-j'))).toMatchObject({
        name: 'readers',
        description: 'Read',
        permission_grant_objects: [{ permission_types: ['rule_list'], resource_type: 'rule' }],
      });
    },
    2 * MINUTES,
  );

  it(
    'shows role assignments, with its filters',
    async () => {
      const found = await rows('role-assignment', 'list', '-u', 'ada', '-r', 'readers');
      expect(found).toEqual([
        expect.objectContaining({ user: 'ada', role: 'readers', source: 'assignments/ada.yaml', is_remote: false }),
      ]);
      expect(await st2('role-assignment', 'list', '--remote')).toContain('No matching items found');
      expect(await st2('role-assignment', 'get', String(found[0]?.['id']))).toContain('assignments/ada.yaml');
    },
    2 * MINUTES,
  );

  it(
    'shows who is logged in',
    async () => {
      expect(await st2('whoami')).toMatch(/"testu"[\s\S]*Enabled: False\s+- Roles:/);
    },
    MINUTES,
  );
});
