import { loadConfig, paths } from '@switchyard/config';
import { unknownRunner } from '@switchyard/model';
import { runnerNamed, runnerRegistry, runnerTypes } from '@switchyard/runners';
import { runTrial } from './runner-fixture';

const { config } = loadConfig({ environment: {} });
const registry = runnerRegistry({ config, paths: paths(config) });

describe('the registry', () => {
  it('contains every runner by name', () => {
    expect([...registry].filter(([name, { manifest }]) => manifest.name !== name)).toEqual([]);
    expect([...registry.keys()].sort()).toEqual([
      'announcement',
      'http-request',
      'inquirer',
      'local-shell-cmd',
      'local-shell-script',
      'node-script',
      'noop',
      'python-script',
      'remote-shell-cmd',
      'remote-shell-script',
      'winrm-cmd',
      'winrm-ps-cmd',
      'winrm-ps-script',
    ]);
  });

  const shell = {
    cwd: { type: 'string' },
    env: { type: 'object' },
    kwarg_op: { type: 'string', default: '--' },
    sudo: { type: 'boolean', default: false },
    sudo_password: { type: 'string', default: null, secret: true, required: false },
    timeout: { type: 'integer', default: 60 },
  };

  it.each([
    ['local-shell-cmd', { cmd: { type: 'string' }, ...shell }],
    [
      'local-shell-script',
      {
        debug: { type: 'boolean', required: false, default: false },
        content_version: { type: 'string', required: false },
        ...shell,
      },
    ],
    ['noop', {}],
    [
      'announcement',
      {
        experimental: { type: 'boolean', required: true, default: false },
        route: { type: 'string', minLength: 1, maxLength: 255, default: 'general' },
      },
    ],
    [
      'http-request',
      {
        url: { type: 'string', required: true },
        headers: { type: 'object' },
        cookies: { type: 'object' },
        username: { type: 'string' },
        password: { type: 'string', secret: true },
        allow_redirects: { type: 'boolean', default: false },
        verify_ssl_cert: { type: 'boolean', default: true },
        http_proxy: { type: 'string' },
        https_proxy: { type: 'string' },
        url_hosts_blacklist: { type: 'array', items: { type: 'string' }, required: false },
        url_hosts_whitelist: { type: 'array', items: { type: 'string' }, required: false },
      },
    ],
    [
      'node-script',
      {
        debug: { type: 'boolean', required: false, default: false },
        content_version: { type: 'string', required: false },
        env: { type: 'object' },
        log_level: {
          type: 'string',
          enum: ['AUDIT', 'CRITICAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG'],
          default: 'DEBUG',
        },
        timeout: { type: 'integer', default: 600 },
      },
    ],
    [
      'python-script',
      {
        debug: { type: 'boolean', required: false, default: false },
        content_version: { type: 'string', required: false },
        env: { type: 'object' },
        timeout: { type: 'integer', default: 600 },
        log_level: {
          type: 'string',
          default: 'DEBUG',
          enum: ['AUDIT', 'CRITICAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG'],
        },
      },
    ],
  ])('includes the documented parameters of %s', (name, parameters) => {
    const { manifest } = runnerNamed(registry, name);
    const bare = Object.entries(manifest.runner_parameters).map(([key, { description, ...rest }]) => {
      expect(description).toEqual(expect.any(String));
      return [key, rest];
    });
    expect(Object.fromEntries(bare)).toEqual(parameters);
    expect(manifest).toMatchObject({ enabled: true, output_schema: {} });
  });

  const prefix = (name: string) =>
    `RunnerType ${name} is not found. If you are using old and deprecated runner name, you need to switch to a new one. `;

  it.each([
    ['nope', 'For more information, please see https://docs.stackstorm.com/upgrade_notes.html#st2-v0-9'],
    ['constructor', 'For more information, please see https://docs.stackstorm.com/upgrade_notes.html#st2-v0-9'],
    ['run-local', 'The new name of run-local is local-shell-cmd.'],
    ['run-python', 'The new name of run-python is python-script.'],
    ['mistral-v2', 'mistral-v2 was removed; use orquesta instead.'],
  ])('explains that it has no %s', (name, text) => {
    expect(() => runnerNamed(registry, name)).toThrow(
      expect.objectContaining({ status: 400, message: prefix(name) + text }) as Error,
    );
  });
});

it.each([
  'run-local',
  'run-local-script',
  'run-remote',
  'run-remote-script',
  'run-python',
  'run-http',
  'http-runner',
  'windows-cmd',
  'windows-script',
  'mistral-v1',
  'mistral-v2',
  'cloudslang',
])('contains the named successor of %s', (name) => {
  const { message } = unknownRunner(name);
  const [, successor] = /(?:The new name of \S+ is|use) (\S+?)(?: instead)?\.$/.exec(message)!;
  expect(runnerTypes(registry).map((type) => type.name)).toContain(successor);
});

describe('noop', () => {
  it('succeeds', async () => {
    expect(await runTrial({ runner: 'noop' })).toEqual({
      status: 'succeeded',
      result: { failed: false, succeeded: true, return_code: 0 },
    });
  });
});
