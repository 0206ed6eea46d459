import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { login, type ApiCaller } from './api-caller';
import { startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;

/** As docs/roles.md describes: `testu` becomes an administrator, and `other` may run one action. */
const FILES = {
  'assignments/testu.yaml': 'username: testu\nroles: [admin]\n',
  'assignments/other.yaml': 'username: other\nroles: [runners]\n',
  'roles/runners.yaml': `
name: runners
permission_grants:
  - resource_uid: action:core:local
    permission_types: [action_execute]
  - permission_types: [action_list, execution_list, stream_view]
`,
};

const ROLES_ON = '[rbac]\nenable = True\nbackend = default\n';

describe('a system with roles', () => {
  let system: SystemProcess;
  let admin: ApiCaller;
  let other: ApiCaller;

  beforeAll(async () => {
    const before = await startSystem();
    for (const [path, text] of Object.entries(FILES)) {
      const file = join(before.directory, 'rbac', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const anybody = await login(before.api, before.auth);
    expect(await anybody.call('POST', '/v1/rbac/sync', {})).toMatchObject({ status: 200 });
    anybody.close();
    await before.stop({ keepData: true });
    // Its self-check runs a command, for a user without a role.
    system = await startSystem({ directory: before.directory, config: ROLES_ON });
    admin = await login(system.api, system.auth);
    other = await login(system.api, system.auth, 'other', 'otherp');
  }, 3 * MINUTE);

  afterAll(async () => {
    admin?.close();
    other?.close();
    await system?.stop();
  }, MINUTE);

  const run = (caller: ApiCaller, action: string, parameters = {}) =>
    caller.call('POST', '/v1/executions', { action, parameters });

  it('lets users do what their roles permit', async () => {
    const { status, body } = await run(other, 'core.local', { cmd: 'echo hello' });
    expect(status).toBe(201);
    const id = (body as { id: string }).id;
    await eventually(
      async () => {
        const { body: found } = await other.call('GET', `/v1/executions/${id}`);
        return (found as { status: string }).status === 'succeeded';
      },
      () => 'a command that has ended',
    );
  });

  it('refuses everything else', async () => {
    const needs = (permission: string, resource: string) =>
      `User "other" doesn't have required permission "${permission}" on resource "${resource}"`;
    expect(await run(other, 'core.noop')).toMatchObject({
      status: 403,
      body: { faultstring: needs('action_execute', 'action:core:noop') },
    });
    for (const name of ['core.noop', 'core.nothing']) {
      const faultstring = needs('action_view', `action:${name.replace('.', ':')}`);
      expect(await other.call('GET', `/v1/actions/${name}`)).toMatchObject({ status: 403, body: { faultstring } });
    }
    expect(await other.call('GET', '/v1/rules')).toMatchObject({ status: 403 });
    expect(await other.call('POST', '/v1/rbac/sync', {})).toMatchObject({ status: 403 });
  });

  it('shows users only what they may view, and administrators everything', async () => {
    const refs = async (caller: ApiCaller) => {
      const { body } = await caller.call('GET', '/v1/actions?limit=100');
      return (body as { ref: string }[]).map(({ ref }) => ref);
    };
    expect(await refs(other)).toEqual(['core.local']);
    expect(await refs(admin)).toEqual(expect.arrayContaining(['core.local', 'core.noop', 'chatops.match']));
  });

  it('runs the self-check as a separate user', async () => {
    const { body } = await admin.call('GET', '/v1/executions?action=core.local&include_attributes=context,status');
    const users = (body as { context: { user: string } }[]).map(({ context }) => context.user);
    expect(new Set(users)).toEqual(new Set(['other', 'system:self-check', 'stanley']));
  });
});
