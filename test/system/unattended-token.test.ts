import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { login, type Answer, type ApiCaller } from './api-caller';
import { startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;

/** An action that makes requests with its own token and prints their statuses. */
const PROBE = `
module.exports = async ({ action }) => {
  const env = process.env;
  const ask = async (method, path, body) => {
    const headers = { 'x-auth-token': env.ST2_ACTION_AUTH_TOKEN, 'content-type': 'application/json' };
    const answer = await fetch(env.ST2_ACTION_API_URL + path, { method, headers, body: body && JSON.stringify(body) });
    return [answer.status, await answer.json().catch(() => null)];
  };
  const [allowed, child] = await ask('POST', '/executions', { action: 'core.noop' });
  return {
    allowed,
    child: child.id,
    refused: (await ask('POST', '/executions', { action: 'core.local', parameters: { cmd: 'true' } }))[0],
    items: (await ask('GET', '/keys'))[0],
    key: (await ask('POST', '/apikeys', {}))[0],
  };
};
`;

const FILES: Readonly<Record<string, string>> = {
  'packs/probe/pack.yaml': 'name: probe\ndescription: d\nversion: 1.0.0\nauthor: a\n',
  'packs/probe/actions/probe.yaml': 'name: probe\nrunner_type: node-script\nentry_point: probe.js\n',
  'packs/probe/actions/probe.js': PROBE,
  'packs/probe/actions/flow.yaml': 'name: flow\nrunner_type: orquesta\nentry_point: workflows/flow.yaml\n',
  'packs/probe/actions/workflows/flow.yaml': 'version: 1.0\ntasks:\n  one:\n    action: probe.probe\n',
  'packs/probe/actions/chain.yaml': 'name: chain\nrunner_type: action-chain\nentry_point: chains/chain.yaml\n',
  'packs/probe/actions/chains/chain.yaml': 'chain:\n  - name: one\n    ref: probe.flow\n',
  'rbac/roles/prober.yaml': `
name: prober
permission_grants:
  - resource_uid: pack:probe
    permission_types: [action_execute, rule_all]
  - resource_uid: action:core:noop
    permission_types: [action_execute]
  - resource_uid: webhook:probe
    permission_types: [webhook_create]
  - permission_types: [execution_list]
`,
};

/** The statuses of a run with the role of the token. Without the role, everything is allowed. */
const LIMITED = { allowed: 201, refused: 403, items: 403, key: 403, child: expect.any(String) };

describe('a token for unattended use', () => {
  let system: SystemProcess;
  let admin: ApiCaller;
  let service: (method: string, path: string, body?: unknown) => Promise<Answer>;

  beforeAll(async () => {
    system = await startSystem();
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(system.directory, file)), { recursive: true });
      writeFileSync(join(system.directory, file), text);
    }
    admin = await login(system.api, system.auth);
    expect((await admin.call('POST', '/v1/rbac/sync', {})).status).toBe(200);
    const packs = { packs: ['probe'], fail_on_failure: true };
    expect((await admin.call('POST', '/v1/packs/register', packs)).status).toBe(200);
    const limits = { service: 'nightly', role: 'prober' };
    const issued = await admin.call('POST', '/auth/v1/issued_tokens', limits);
    expect(issued.status).toBe(201);
    service = async (method, path, body) => {
      const headers = { 'x-auth-token': issued.body.token as string, 'content-type': 'application/json' };
      const answer = await fetch(system.api + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json(), headers: {} };
    };
  }, 2 * MINUTE);

  afterAll(async () => {
    admin?.close();
    await system?.stop();
  }, MINUTE);

  const ended = (id: string) =>
    eventually(
      async () => {
        const { body } = await admin.call('GET', `/v1/executions/${id}`);
        return ['succeeded', 'failed'].includes(body.status) ? body : undefined;
      },
      () => 'an execution that has ended',
    );
  const newest = async (action: string) => {
    const { body } = await admin.call('GET', `/v1/executions?action=${action}&limit=1`);
    return ended(body[0].id);
  };
  const run = async (action: string) => {
    const { status, body } = await service('POST', '/v1/executions', { action });
    expect([status, body.faultstring]).toEqual([201, undefined]);
    return ended(body.id);
  };

  it(
    'limits the actions that it starts, and what these start, by its role',
    async () => {
      const { context, result } = await run('probe.probe');
      expect([context.user, context.rbac, result.result]).toEqual(['testu', { role: 'prober' }, LIMITED]);
      expect((await ended(result.result.child)).context.rbac).toEqual({ role: 'prober' });
    },
    MINUTE,
  );

  it(
    'limits the tasks of workflows and chains at every depth',
    async () => {
      expect((await run('probe.chain')).status).toBe('succeeded');
      const { context, result } = await newest('probe.probe');
      expect([context.rbac, context.parent, result.result]).toEqual([{ role: 'prober' }, expect.anything(), LIMITED]);
    },
    MINUTE,
  );

  it(
    'limits what its rules run',
    async () => {
      const rule = (name: string) => ({
        ...{ name, pack: 'probe', enabled: true, action: { ref: 'probe.probe' } },
        trigger: { type: 'core.st2.webhook', parameters: { url: 'probe' } },
        context: { rbac: { role: 'admin' } },
      });
      expect((await service('POST', '/v1/rules', rule('bound'))).status).toBe(201);
      expect((await admin.call('POST', '/v1/webhooks/probe', { n: 1 })).status).toBe(202);
      const { body: enforcements } = await eventually(
        async () => {
          const answer = await admin.call('GET', '/v1/ruleenforcements?rule_ref=probe.bound');
          return answer.body[0]?.execution_id ? answer : undefined;
        },
        () => 'an enforcement',
      );
      const { context, result } = await ended(enforcements[0].execution_id);
      expect([context.user, context.rbac, result.result]).toEqual(['stanley', { role: 'prober' }, LIMITED]);
      // After a replacement, the rule runs with the permissions of the user who replaced it.
      expect((await admin.call('PUT', '/v1/rules/probe.bound', rule('bound'))).body.context).toEqual({ user: 'testu' });
    },
    MINUTE,
  );

  it(
    'does not let its executions read items that its role does not permit',
    async () => {
      const item = { name: 'hidden', value: 'treasure' };
      expect((await admin.call('PUT', '/v1/keys/hidden', item)).status).toBe(200);
      const ask = (call: ApiCaller['call'], parameters: object) =>
        call('POST', '/v1/executions', { action: 'probe.probe', parameters });
      const parameters = { env: { read: '{{ st2kv.system.hidden }}' } };
      const refused = await ask(service, parameters);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.not.stringContaining('treasure')]);
      expect((await ask(admin.call, parameters)).status).toBe(201);
    },
    MINUTE,
  );

  it(
    'does not affect what its user starts otherwise',
    async () => {
      const { body } = await admin.call('POST', '/v1/executions', { action: 'probe.probe' });
      const { context, result } = await ended(body.id);
      expect([context.rbac, result.result]).toEqual([
        undefined,
        { allowed: 201, refused: 201, items: 200, key: 201, child: expect.any(String) },
      ]);
    },
    MINUTE,
  );
});
