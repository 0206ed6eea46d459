import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { login, type ApiCaller } from './api-caller';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;

/** Method, path, body, and what the message must name. */
type BadRequest = [what: string, method: string, path: string, body: unknown, message: RegExp];

const noop = (more: object) => ({ action: 'core.noop', ...more });
const action = (more: object) => ({ name: 'bad', pack: 'default', runner_type: 'noop', ...more });

const badRequests: BadRequest[] = [
  ['an execution of nothing', 'POST', '/v1/executions', {}, /'action' is a required property/],
  ['a body that is a list', 'POST', '/v1/executions', [], /is not of type 'object'/],
  ['a body that is null', 'POST', '/v1/executions', null, /is not of type 'object'/],
  ['an unknown action', 'POST', '/v1/executions', { action: 'core.nope' }, /"core.nope" cannot be found/],
  ['an action that is a number', 'POST', '/v1/executions', { action: 5 }, /5 is not of type 'string'/],
  [
    'parameters that are a text',
    'POST',
    '/v1/executions',
    noop({ parameters: 'x' }),
    /'\*{8}' of type 'string' is not of type 'object'/,
  ],
  ['a delay that is a text', 'POST', '/v1/executions', noop({ delay: '10' }), /'10' is not of type 'integer'/],
  ['a negative delay', 'POST', '/v1/executions', noop({ delay: -5 }), /-5/],
  [
    'an unknown parameter',
    'POST',
    '/v1/executions',
    { action: 'core.local', parameters: { cmd: 'true', colour: 1 } },
    /'colour' was unexpected/,
  ],
  ['a missing parameter', 'POST', '/v1/executions', { action: 'core.local' }, /'cmd' is a required property/],
  [
    'a number for a text',
    'POST',
    '/v1/executions',
    { action: 'core.local', parameters: { cmd: 5 } },
    /must either be a string or None.*cmd/s,
  ],
  [
    'a text for an integer',
    'POST',
    '/v1/executions',
    { action: 'core.local', parameters: { cmd: 'true', timeout: 'soon' } },
    /timeout/,
  ],
  [
    'a text for an object',
    'POST',
    '/v1/executions',
    { action: 'core.local', parameters: { cmd: 'true', env: 'A=1' } },
    /env/,
  ],
  [
    'an immutable parameter',
    'POST',
    '/v1/executions',
    { action: 'core.local', parameters: { cmd: 'true', sudo: true } },
    /immutable parameter\(s\) \['sudo'\]/,
  ],
  [
    'a template that names nothing',
    'POST',
    '/v1/executions',
    { action: 'core.local', parameters: { cmd: '{{ nothing }}' } },
    /nothing/,
  ],
  ['an invalid status', 'PUT', '/v1/executions/{done}', { status: 'nonsense' }, /'nonsense' is not one of/],
  ['a change of an ended execution', 'PUT', '/v1/executions/{done}', { status: 'canceled' }, /completed state/],
  ['a limit of zero', 'GET', '/v1/executions?limit=0', undefined, /Limit, "0" specified/],
  ['a limit that is a text', 'GET', '/v1/executions?limit=many', undefined, /limit.*integer/i],
  ['a negative offset', 'GET', '/v1/executions?offset=-1', undefined, /offset/i],
  ['an invalid time', 'GET', '/v1/executions?timestamp_gt=yesterday', undefined, /expected format/],
  ['an unknown attribute', 'GET', '/v1/executions?include_attributes=nope', undefined, /nope/],
  ['an invalid id', 'GET', '/v1/executions/xyz', undefined, /xyz/],
  ['an action without a name', 'POST', '/v1/actions', { pack: 'default', runner_type: 'noop' }, /'name' is a required/],
  ['an action of an unknown runner', 'POST', '/v1/actions', action({ runner_type: 'nope' }), /nope is not found/],
  ['an action of a removed runner', 'POST', '/v1/actions', action({ runner_type: 'run-local' }), /local-shell-cmd/],
  ['an action with an unknown field', 'POST', '/v1/actions', action({ colour: 1 }), /'colour' was unexpected/],
  ['a parameter name with a dash', 'POST', '/v1/actions', action({ parameters: { 'a-b': {} } }), /a-b/],
  ['a parameter of an unknown type', 'POST', '/v1/actions', action({ parameters: { a: { type: 'date' } } }), /date/],
  [
    'an immutable parameter without a value',
    'POST',
    '/v1/actions',
    action({ parameters: { a: { type: 'string', immutable: true } } }),
    /Immutable param a requires a default value/,
  ],
  ['an action in a system pack', 'POST', '/v1/actions', action({ pack: 'core' }), /system level packs/],
  [
    'a file outside of the pack',
    'POST',
    '/v1/actions',
    action({ data_files: [{ file_path: '../../out.sh', content: 'x' }] }),
    /out\.sh/,
  ],
  ['an unknown pack', 'POST', '/v1/packs/register', { packs: ['nope'] }, /"nope" not found on disk/],
  ['a pack with a bad version', 'POST', '/v1/packs/register', { packs: ['badpack'], fail_on_failure: true }, /semver/],
  ['an unknown kind of content', 'POST', '/v1/packs/register', { types: ['nope'] }, /nope/],
  ['a runner type without "enabled"', 'PUT', '/v1/runnertypes/noop', {}, /enabled/],
  ['an API key with an unknown field', 'POST', '/v1/apikeys', { colour: 1 }, /colour/],
];

describe('bad input', () => {
  let system: SystemProcess;
  let api: ApiCaller;
  let done: string;

  beforeAll(async () => {
    system = await startSystem();
    api = await login(system.api, system.auth);
    const bad = join(system.directory, 'packs/badpack');
    mkdirSync(join(bad, 'actions'), { recursive: true });
    writeFileSync(join(bad, 'pack.yaml'), 'name: badpack\nref: badpack\ndescription: x\nversion: one\nauthor: x\n');
    done = ((await api.call('POST', '/v1/executions', { action: 'core.noop' })).body as { id: string }).id;
    while ((await api.call('GET', `/v1/executions/${done}?include_attributes=status`)).body.status !== 'succeeded');
  }, MINUTE);
  afterAll(async () => {
    api.close();
    await system.stop();
  }, MINUTE);

  /** Everything that a request could change. */
  const state = async () => {
    const lists = ['executions', 'actions', 'runnertypes', 'packs', 'apikeys'];
    const answers = await Promise.all(lists.map((list) => api.call('GET', `/v1/${list}?limit=-1`)));
    return answers.map(({ body }) => body as unknown);
  };

  it.each(badRequests)('%s is rejected by name, and changes nothing', async (_, method, path, body, message) => {
    const before = await state();
    const { status, body: answer } = await api.call(method, path.replace('{done}', done), body);
    expect([status, answer.faultstring]).toEqual([expect.any(Number), expect.stringMatching(message)]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(answer.faultstring).not.toMatch(/\bat .+:\d+:\d+/);
    expect(await state()).toEqual(before);
  });
});

const badConfigurations: [what: string, text: string, message: RegExp][] = [
  ['a port that is a word', '[api]\nport = many', /api\.port.*many/s],
  ['a negative port', '[api]\nport = -1', /api\.port/],
  ['an unknown driver', '[storage]\ndriver = papyrus', /storage\.driver.*papyrus/s],
  ['arguments that are not JSON', '[auth]\nbackend_kwargs = {oops', /auth\.backend_kwargs/],
  ['an invalid line', '[api]\nport', /line|2/],
  ['a listener for everybody with the default password', '[api]\nhost = 0.0.0.0', /refusing to listen on 0\.0\.0\.0/],
];

describe('a bad configuration', () => {
  it.each(badConfigurations)(
    'with %s prevents the start, and the error contains the reason',
    (_, text, message) => {
      const directory = mkdtempSync(join(tmpdir(), 'svc-bad-'));
      const file = join(directory, 'svc.conf');
      writeFileSync(file, `[system]\nbase_path = ${directory}/base\n${text}\n`);
      const { status, stderr } = spawnSync(
        process.execPath,
        [join(ROOT, 'apps/cli/dist/main.js'), 'up', '--config-file', file],
        { encoding: 'utf8', timeout: MINUTE / 2 },
      );
      rmSync(directory, { recursive: true, force: true });
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/\bat .+:\d+:\d+/);
      expect(status).toBe(1);
    },
    MINUTE,
  );
});
