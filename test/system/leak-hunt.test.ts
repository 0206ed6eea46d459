import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { certificateAuthority } from '@switchyard/testkit/certificates';
import { eventually } from '@switchyard/testkit/platform';
import { missingSlapd, startSlapd, type Slapd } from '@switchyard/testkit/slapd';
import {
  groupDn,
  sampleLdif,
  samplePolicy,
  SERVICE,
  SUFFIX,
} from '../../libs/identity/test/passwords/ldap/sample-directory';
import { madeBrowser } from '../../services/auth/test/sso/made-browser';
import { madeProvider } from '../../services/auth/test/sso/made-provider';
import { startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;

const missing = missingSlapd();
if (missing !== undefined && (process.env['SVC_TEST_SERVERS'] === 'required' || process.env['CI'] === 'true')) {
  throw new Error(`${missing} is needed for these tests.`);
}
if (missing !== undefined) console.warn(`Skipped: the search for leaks, because ${missing} is not installed.`);
const described = missing === undefined ? describe : describe.skip;

const mark = (name: string) => `marked-${name}-${randomBytes(6).toString('hex')}`;

/** Every secret that the system receives, by its source. Secrets that the system generates are added once they are
 * known. */
const marks: Record<string, string> = Object.fromEntries(
  [
    ...['bind password', 'client secret', 'password', 'wrong password', 'wrong bind password', 'environment'],
    ...['parameter', 'configuration', 'item', 'rule', 'alias', 'webhook secret', 'private key', 'header'],
  ].map((name) => [name, mark(name.replaceAll(' ', '-'))]),
);
const secret = (name: string) => marks[name]!;
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** @returns the names of the secrets in a text, and the first place */
function leaksIn(text: string): string[] {
  return Object.entries(marks).flatMap(([name, value]) => {
    const at = [value, Buffer.from(`ada:${value}`).toString('base64')].map((form) => text.indexOf(form));
    const [found] = at.filter((index) => index >= 0);
    return found === undefined ? [] : [`${name}: …${text.slice(Math.max(0, found - 60), found + 40)}`];
  });
}

const FILES: Readonly<Record<string, string>> = {
  'packs/vault/pack.yaml': 'name: vault\ndescription: d\nversion: 1.0.0\nauthor: a\n',
  'packs/vault/config.schema.yaml': 'password: {type: string, secret: true}\nregion: {type: string}\n',
  'packs/vault/actions/run.yaml': `
name: run
runner_type: node-script
entry_point: run.js
parameters:
  pin: {type: string, secret: true}
  copy: {type: string, default: '{{ config_context.password }}'}
`,
  'packs/vault/actions/run.js': `
module.exports = async (parameters, service, config) => {
  const held = JSON.stringify([process.env, process.argv]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { lengths: [parameters.pin, parameters.copy, config.password].map(({ length }) => length), held: held.includes('marked-') };
};
`,
};

/** The only files that may contain them: those in which the operator or the system stores them. */
const KEEPING = /^(svc\.conf|configs\/|keys\/|tls\/)/;

described('secrets of a running system', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-leak-hunt-'));
  let slapd: Slapd;
  let provider: Awaited<ReturnType<typeof madeProvider>>;
  let system: SystemProcess;
  let stream: IncomingMessage;
  let events = '';
  /** All responses, by request. */
  const answers: [request: string, text: string][] = [];
  let processes: ReturnType<typeof watchProcesses>;

  const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const init = { method, headers: { ...headers, ...type }, ...(body === undefined ? {} : { body: text }) };
    const answer = await fetch(`${system.api}${path}`, { ...init, redirect: 'manual' });
    const received = await answer.text();
    const sent = [...answer.headers].filter(([name]) => name !== 'set-cookie');
    return { status: answer.status, text: received, headers: JSON.stringify(sent) };
  };
  /** Sends a request, and keeps the response for the search. */
  const noted = async (...asked: Parameters<typeof ask>) => {
    const answer = await ask(...asked);
    answers.push([`${asked[0]} ${asked[1]} (${answer.status})`, `${answer.text} ${answer.headers}`]);
    return answer;
  };
  const token = (): Record<string, string> => ({ 'x-auth-token': secret('token') });
  const made = async (method: string, path: string, body: unknown) => {
    const answer = await noted(method, path, token(), body);
    expect([path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([path, expect.any(Number), '']);
    return answer.text === '' ? {} : JSON.parse(answer.text);
  };

  const ldap = (more: object = {}) => ({
    ...{ ...SERVICE, bind_password: secret('bind password'), base_ou: SUFFIX, group_dns: [groupDn('operators')] },
    ...{ host: slapd.host, port: slapd.port, network_timeout: 2 },
    ...more,
  });
  const oidc = (more: object = {}) => ({
    ...{ issuer: provider.issuer, client_id: 'svc', client_secret: secret('client secret') },
    redirect_uri: 'http://127.0.0.1/auth/v1/sso/callback',
    ...more,
  });
  const configWith = (backend: object | string, sso: object | string, more = '') =>
    [
      `[auth]\nbackend = ldap\nbackend_kwargs = ${typeof backend === 'string' ? backend : JSON.stringify(backend)}`,
      `sso = True\nsso_backend = oidc\nsso_backend_kwargs = ${typeof sso === 'string' ? sso : JSON.stringify(sso)}`,
      more,
    ].join('\n');

  beforeAll(async () => {
    processes = watchProcesses();
    const ldif = sampleLdif.replaceAll(SERVICE.bind_password, secret('bind password')).replaceAll('ada-secret', secret('password')); // oxfmt-ignore
    slapd = await startSlapd({ ldif, suffix: SUFFIX, config: samplePolicy });
    provider = await madeProvider();
    for (const [file, text] of Object.entries({
      ...FILES,
      'configs/vault.yaml': `region: north\npassword: ${secret('configuration')}\n`,
    })) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), text);
    }
    mkdirSync(join(directory, 'tls'));
    const { cert, key } = certificateAuthority(join(directory, 'tls')).issue('auth');
    marks['TLS key'] = readFileSync(key, 'utf8').split('\n')[1]!;
    const tls = `use_ssl = True\ncert = ${cert}\nkey = ${key}`;
    const environment = { SVC_DATABASE__PASSWORD: secret('environment') };
    system = await startSystem({ directory, users: false, config: configWith(ldap(), oidc(), tls), environment });
    const login = await ask('POST', '/auth/v1/tokens', { authorization: basic('ada', secret('password')) }, {});
    expect([login.status, login.text]).toEqual([201, expect.any(String)]);
    marks['token'] = JSON.parse(login.text).token;
    stream = await opened(`${system.stream}/v1/stream`, token());
    stream.setEncoding('utf8').on('data', (part: string) => void (events += part));
  }, 3 * MINUTE);

  afterAll(async () => {
    processes?.stop();
    stream?.destroy();
    await system?.stop();
    await provider?.close();
    await slapd?.stop();
    rmSync(directory, { recursive: true, force: true });
  }, MINUTE);

  it(
    'are used, in requests that succeed',
    async () => {
      const key = await ask('POST', '/api/v1/apikeys', token(), {});
      expect(key.status).toBe(201);
      marks['API key'] = JSON.parse(key.text).key;
      await made('PUT', '/api/v1/keys/vault', { name: 'vault', value: secret('item'), secret: true });
      await made('PUT', '/api/v1/keys/hook', { name: 'hook', value: secret('webhook secret'), secret: true });
      const run = await made('POST', '/api/v1/executions', {
        action: 'vault.run',
        parameters: { pin: secret('parameter'), copy: '{{ st2kv.system.vault | decrypt_kv }}' },
      });
      const signature = { scheme: 'gitlab', secrets: ['hook'] };
      const trigger = { type: 'core.st2.webhook', parameters: { url: 'hunt', signature } };
      const action = { ref: 'vault.run', parameters: { pin: secret('rule') } };
      await made('POST', '/api/v1/rules', { name: 'hunt', pack: 'vault', enabled: true, trigger, action });
      const alias = { name: 'hunt', pack: 'vault', action_ref: 'vault.run', formats: ['hunt'] };
      await made('POST', '/api/v1/actionalias', { ...alias, immutable_parameters: { pin: secret('alias') } });
      const command = { command: 'hunt', user: 'ada', source_channel: 'room' };
      await made('POST', '/api/v1/aliasexecution/match_and_execute', command);
      const hook = await noted(
        'POST',
        '/api/v1/webhooks/hunt',
        { 'x-gitlab-token': secret('webhook secret') },
        { n: 1 },
      );
      expect(hook.status).toBe(202);
      const keyed = await noted('GET', '/api/v1/user', { 'st2-api-key': secret('API key') });
      expect(keyed.status).toBe(200);
      await noted('GET', `/api/v1/user?x-auth-token=${secret('token')}`, {});
      await noted('GET', `/api/v1/user?st2-api-key=${secret('API key')}`, {});
      await noted('GET', '/api/v1/user', { cookie: `auth-token=${secret('token')}` });
      let runs: { status: string; result: { result?: { held: boolean } } }[] = [];
      await eventually(
        async () => {
          const { text } = await ask('GET', '/api/v1/executions?action=vault.run', token());
          runs = JSON.parse(text) as typeof runs;
          return (
            runs.length === 3 && runs.every(({ status, result }) => status === 'succeeded' && !result.result?.held)
          );
        },
        () => `three runs that have used their secrets, not ${runs.map(({ status }) => status).join()}`,
      );
      const shown = await ask('GET', `/api/v1/executions/${run.id}?show_secrets=true`, token());
      expect(shown.text).toContain(secret('parameter'));
      expect(await singleSignOn()).toBe(200);
    },
    2 * MINUTE,
  );

  /** @returns the status of the callback */
  async function singleSignOn(): Promise<number> {
    const browser = madeBrowser();
    const start = await browser.request(`${system.api}/auth/v1/sso/request`);
    const back = provider.logIn(start.headers.get('location') ?? '');
    const callback = await browser.request(
      `${system.api}/auth/v1/sso/callback?${new URLSearchParams(back).toString()}`,
    );
    const text = await callback.text();
    // The page with the new token is for the browser that has logged in.
    const [issued] = /[0-9a-f]{32}/.exec(text) ?? [];
    if (callback.status === 200 && issued !== undefined) marks['token of single sign-on'] = issued;
    else answers.push([`GET /auth/v1/sso/callback (${callback.status})`, text]);
    return callback.status;
  }

  it(
    'are used, in logins and requests that fail',
    async () => {
      const logIn = (password: string) =>
        noted('POST', '/auth/v1/tokens', { authorization: basic('ada', password) }, { user: 'x', ttl: 'x' });
      expect((await logIn(secret('wrong password'))).status).toBe(401);
      expect((await logIn(secret('password'))).status).toBe(400);
      await noted('POST', '/auth/v1/tokens', { authorization: `Basic ${secret('header')}` }, {});
      await noted('GET', '/api/v1/actions', { 'x-auth-token': secret('header') });
      await noted('GET', '/api/v1/actions', { 'x-auth-token': secret('token'), 'st2-api-key': secret('API key') });
      await noted('GET', `/api/v1/actions?x-auth-token=${secret('header')}&limit=none`, {});
      await noted('POST', '/api/v1/webhooks/hunt', { 'x-gitlab-token': secret('header') }, { n: 2 });
      const refused = (path: string, body: unknown) => noted('POST', path, token(), body);
      await refused('/api/v1/executions', { action: 'vault.run', parameters: { pin: [secret('parameter')] } });
      await refused('/api/v1/executions', { action: 'vault.none', parameters: { pin: secret('parameter') } });
      await refused('/api/v1/executions', `{"action": "vault.run", "parameters": {"pin": "${secret('parameter')}"`);
      const remote = { hosts: '127.0.0.1', cmd: 'true', private_key: secret('private key'), port: 1 };
      const run = await refused('/api/v1/executions', { action: 'core.remote', parameters: remote });
      expect(run.status).toBe(201);
      await noted('PUT', '/api/v1/keys/vault', token(), { name: 'vault', value: [secret('item')], secret: true });
      await noted('PUT', '/api/v1/configs/vault', token(), { password: [secret('configuration')] });
      provider.behaviour.error = 'invalid_client';
      expect(await singleSignOn()).toBe(503);
      provider.behaviour.error = undefined;
      provider.behaviour.status = 500;
      expect(await singleSignOn()).toBe(503);
      provider.behaviour.status = 200;
      await slapd.stop();
      expect((await logIn(secret('password'))).status).toBe(503);
      await eventually(
        async () => {
          const { text } = await ask('GET', '/api/v1/executions?action=core.remote', token());
          return (JSON.parse(text) as { status: string }[]).every(({ status }) => status === 'failed');
        },
        () => 'a remote command that has failed',
      );
    },
    2 * MINUTE,
  );

  it('are in no response to a request that does not ask for them', async () => {
    const lists = [
      ...['executions?include_attributes=parameters,result,context,liveaction', 'executions', 'liveactions', 'rules'],
      ...['rules/views', 'ruleenforcements', 'ruleenforcements/views', 'triggers', 'triggertypes', 'triggerinstances'],
      ...['traces', 'keys', 'apikeys', 'configs', 'configs/vault', 'config_schemas', 'packs', 'actions', 'actionalias'],
      ...['actionalias/help', 'webhooks', 'timers', 'audit?limit=100', 'audit/verify', 'user', 'inquiries', 'policies'],
    ];
    for (const list of lists) expect((await noted('GET', `/api/v1/${list}`, token())).status).toBe(200);
    expect((await noted('GET', '/auth/v1/issued_tokens', token())).status).toBe(200);
    for (const page of ['/metrics', '/healthz', '/readyz', '/api/v1/openapi.json']) await noted('GET', page, {});
    const found = answers.flatMap(([request, text]) => leaksIn(text).map((leak) => `${request}: ${leak}`));
    expect(found).toEqual([]);
    // Errors of schemas and parameters name the invalid member.
    expect(answers.map(([, text]) => text).join('')).toContain('pin');
  });

  it('are in no event, and not in the log', async () => {
    await eventually(
      () => events.includes('vault.run') && events.includes('core.remote'),
      () => 'events of the runs',
    );
    expect(leaksIn(events)).toEqual([]);
    const readLog = () => readFileSync(join(directory, 'logs/switchyard.log'), 'utf8');
    await eventually(
      () => readLog().includes('cannot check passwords'),
      () => 'the reason of a failed login in the log',
    );
    const log = readLog();
    expect(leaksIn(`${system.output()}\n${log}`)).toEqual([]);
  });

  it('are in no list of processes, and in no environment but that of the services', () => {
    const { seen, commands, environments } = processes;
    expect(seen()).toBeGreaterThan(3);
    expect(leaksIn(commands())).toEqual([]);
    expect(leaksIn(environments(system.child.pid!))).toEqual([]);
  });

  it('are in no file but those that keep them', () => {
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => join(directory, name))
      .filter((path) => statSync(path).isFile() && !KEEPING.test(relative(directory, path)));
    expect(files.some((path) => readFileSync(path).includes('vault.run'))).toBe(true);
    const found = files.flatMap((path) =>
      leaksIn(readFileSync(path, 'latin1')).map((leak) => `${relative(directory, path)}: ${leak}`),
    );
    expect(found).toEqual([]);
    for (const file of ['svc.conf', 'configs/vault.yaml'])
      expect(leaksIn(readFileSync(join(directory, file), 'utf8'))).not.toEqual([]);
  });

  it.each<[string, () => string]>([
    ['an argument of LDAP that does not exist', () => configWith(ldap({ bind_pasword: secret('bind password') }), oidc())], // oxfmt-ignore
    ['a password of LDAP that is a list', () => configWith(ldap({ bind_password: [secret('bind password')] }), oidc())],
    ['arguments of LDAP that are not JSON', () => configWith(`{"bind_password": "${secret('bind password')}"`, oidc())],
    ['an argument of single sign-on that does not exist', () => configWith(ldap(), oidc({ secret: secret('client secret') }))], // oxfmt-ignore
    ['a client secret that is a list', () => configWith(ldap(), oidc({ client_secret: [secret('client secret')] }))],
    ['arguments of single sign-on that are not JSON', () => configWith(ldap(), `{"client_secret": ${secret('client secret')}}`)], // oxfmt-ignore
    ['SAML with a private key', () => configWith(ldap(), { entity_id: 'https://x', private_key: secret('private key') }).replace('sso_backend = oidc', 'sso_backend = saml2')], // oxfmt-ignore
    ['an invalid TLS key', () => configWith(ldap(), oidc(), `use_ssl = True\ncert = ${writtenMark('private key')}\nkey = ${writtenMark('private key')}`)], // oxfmt-ignore
    ['roles of a plug-in that is missing', () => configWith(ldap(), oidc(), `[rbac]\nenable = True\nbackend = enterprise\nbackend_kwargs = {"password": "${secret('configuration')}"}`)], // oxfmt-ignore
  ])(
    'are not printed by a start that fails: %s',
    async (_, config) => {
      const other = mkdtempSync(join(tmpdir(), 'svc-leak-hunt-'));
      try {
        const environment = { SVC_DATABASE__PASSWORD: secret('environment') };
        const started = startSystem({ directory: other, users: false, config: config(), environment });
        const printed = await started.then(
          () => 'it has started',
          (error: Error) => error.message,
        );
        expect(printed).toContain('the system ended');
        expect(leaksIn(printed)).toEqual([]);
      } finally {
        rmSync(other, { recursive: true, force: true });
      }
    },
    MINUTE,
  );

  /** @returns a file with a secret where a key is expected */
  function writtenMark(name: string): string {
    const path = join(directory, 'tls', `${name}.pem`);
    writeFileSync(path, `-----BEGIN PRIVATE KEY-----\n${secret(name)}\n-----END PRIVATE KEY-----\n`);
    return path;
  }
});

const opened = (url: string, headers: Record<string, string>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => void get(url, { agent: false, headers }, resolve).on('error', reject));

const WATCH_MS = 50;

/** Examines the arguments and environments of all processes of this machine while the tests run. */
function watchProcesses() {
  const commands = new Set<string>();
  const environments = new Map<number, { readonly command: string; readonly environment: string }>();
  const read = (pid: number, what: string) => {
    try {
      return readFileSync(`/proc/${pid}/${what}`, 'latin1');
    } catch {
      // The process has ended, or belongs to another user.
      return '';
    }
  };
  const look = () => {
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!Number.isInteger(pid) || pid === process.pid) continue;
      const command = read(pid, 'cmdline');
      const environment = read(pid, 'environ');
      commands.add(command);
      if (environment !== '') environments.set(pid, { command, environment });
    }
  };
  const timer = setInterval(look, WATCH_MS);
  return {
    stop: () => clearInterval(timer),
    seen: () => commands.size,
    commands: () => [...commands].join('\n'),
    /** Of all but the process `except` and its children that do not run a program yet: they are copies of it. */
    environments: (except: number) =>
      [...environments.values()]
        .filter(({ command }) => command !== environments.get(except)?.command)
        .map(({ command, environment }) => `${environment} of ${command}`)
        .join('\n'),
  };
}
