import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

let home: string;
let server: ScriptedServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-home-'));
  server = await startServer();
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const rule = (more: Record<string, unknown> = {}) => ({
  name: 'r',
  pack: 'p',
  trigger: { type: 'p.happened' },
  criteria: { 'trigger.n#low': { type: 'gt', pattern: 2 }, 'trigger.n#high': { type: 'lt', pattern: 9 } },
  action: { ref: 'core.echo', parameters: { message: 'n is {{ trigger.n }}' } },
  ...more,
});

function file(name: string, content: unknown): string {
  const path = join(home, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const run = (...args: string[]) => svc(['rule', 'test', ...args], { HOME: home, SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN }); // oxfmt-ignore

const offline = (written: unknown, event: unknown) =>
  run('--offline', '--rule', file('rule.json', written), '--trigger-instance', file('event.yaml', event));

describe('svc rule test, offline', () => {
  it('shows the parameters of the action if the rule matches', async () => {
    const ended = await offline(rule(), { trigger: 'p.happened', payload: { n: 5 } });
    expect(ended).toEqual({
      code: 0,
      stdout: 'Action parameters resolved to:\n\tmessage: "n is 5"\n=== RULE MATCHES ===\n',
      stderr: '',
    });
  });

  it('shows the criterion that does not match', async () => {
    const { code, stdout } = await offline(rule(), { trigger: 'p.happened', payload: { n: 12 } });
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(1)).toEqual([
      '\tkey: trigger.n#high',
      '\tpattern: 9',
      '\ttype: lt',
      '\tpayload: 12',
      '=== RULE DOES NOT MATCH ===',
      '',
    ]);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, RegExp]>([
    ['another trigger', {}, { trigger: 'p.other' }, /The rule listens to .*p.happened.* an instance of p.other/],
    ['an operator that does not apply', {}, { payload: { n: 'x' } }, /'>' not supported between/],
    ['a parameter that cannot be rendered', { criteria: {}, action: { parameters: { m: '{{ trigger.no }}' } } }, {}, /Failed to render parameter "m"/], // oxfmt-ignore
    ['the datastore', { criteria: { 'trigger.n': { type: 'eq', pattern: '{{ st2kv.system.x }}' } } }, {}, /"system.x" of the datastore is not read/], // oxfmt-ignore
  ])('does not match for %s', async (_, more, event, text) => {
    const { code, stdout } = await offline(rule(more), { trigger: 'p.happened', payload: { n: 5 }, ...event });
    expect(stdout).toMatch(text);
    expect(stdout).toContain('=== RULE DOES NOT MATCH ===');
    expect(code).toBe(1);
  });

  it.each<[unknown, unknown, number]>([
    [{ type: 'p.t', parameters: { url: 'a', b: 1 } }, { type: 'p.t', parameters: { b: 1, url: 'a' } }, 0],
    [{ type: 'p.t', parameters: { url: 'a' } }, { type: 'p.t', parameters: { url: 'b' } }, 1],
    [{ type: 'core.st2.webhook', ref: 'core.x', parameters: { url: 'a' } }, 'core.x', 0],
    [{ type: 'core.svc.generic.notifytrigger' }, 'core.st2.generic.notifytrigger', 0],
  ])('%j listens to %j: %d', async (trigger, happened, code) => {
    expect((await offline(rule({ trigger, criteria: {} }), { trigger: happened, payload: { n: 1 } })).code).toBe(code);
  });

  it.each([
    [['--offline', '--rule-ref', 'p.r', '--trigger-instance', 'x.yaml'], /give --rule and/],
    [['--rule-ref', 'p.r'], /Give --trigger-instance or/],
    [['--trigger-instance-id', 'x'], /Give --rule or/],
    [['--rule', 'none.yaml', '--trigger-instance', 'x.yaml'], /none.yaml/],
  ])('rejects the options %j', async (args, text) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(text)]);
  });
});

it('svc rule test reads everything that is not in files from the server, including the datastore', async () => {
  const criteria = { 'trigger.n': { type: 'eq', pattern: '{{ st2kv.system.wanted | int }}' } };
  server.on('GET /v1/rules/*', () => ({ body: rule({ criteria, trigger: { type: 'p.happened', ref: 'p.happened', parameters: {} } }) })); // oxfmt-ignore
  server.on('GET /v1/triggerinstances/*', () => ({ body: { trigger: 'p.happened', payload: { n: 7 } } }));
  server.on('GET /v1/keys/*', () => ({ body: { name: 'wanted', value: '7' } }));
  const ended = await run('--rule-ref', 'p.r', '--trigger-instance-id', '5'.repeat(24));
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('=== RULE MATCHES ===') });
});

it('svc rule backtest lists what would have run', async () => {
  server.on('POST /v1/rules/backtest', ({ body }) => {
    expect(body).toEqual({ rule: rule(), since: '7d' });
    const runs = [{ trigger_instance: 'i1', occurrence_time: '2026-01-02T03:04:05.000000Z', action: 'core.echo', parameters: { m: 1 } }]; // oxfmt-ignore
    return { body: { trigger: 'p.happened', instances: 9, matched: 3, suppressed: 2, complete: false, runs } };
  });
  const env = { HOME: home, SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN };
  const ended = await svc(['rule', 'backtest', file('rule.json', rule()), '--since', '7d'], env);
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain('{"m":1}');
  expect(ended.stderr).toContain('3 of 9 instances of p.happened match; 2 of them are suppressed.');
  expect(ended.stderr).toContain('choose a later --since');
});
