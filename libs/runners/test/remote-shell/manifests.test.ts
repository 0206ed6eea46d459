import { loadConfig, paths } from '@switchyard/config';
import { runnerNamed, runnerRegistry } from '@switchyard/runners';

const { config } = loadConfig({ environment: {} });
const registry = runnerRegistry({ config, paths: paths(config) });

describe('the documented parameters', () => {
  const shared = {
    hosts: { type: 'string', required: true },
    username: { type: 'string', required: false },
    password: { type: 'string', required: false, secret: true },
    private_key: { type: 'string', required: false, secret: true },
    passphrase: { type: 'string', required: false, secret: true },
    port: { type: 'integer', required: false },
    bastion_host: { type: 'string', required: false },
    cwd: { type: 'string', default: '/tmp' },
    env: { type: 'object' },
    kwarg_op: { type: 'string', default: '--' },
    parallel: { type: 'boolean', default: false, immutable: true },
    sudo: { type: 'boolean', default: false },
    sudo_password: { type: 'string', default: null, secret: true, required: false },
    timeout: { type: 'integer', default: 60 },
  };

  it.each([
    [
      'remote-shell-cmd',
      { cmd: { type: 'string' }, dir: { type: 'string', default: '/tmp', immutable: true }, ...shared },
    ],
    ['remote-shell-script', { dir: { type: 'string', default: '/tmp' }, ...shared }],
  ])('are those of %s', (name, parameters) => {
    const { manifest } = runnerNamed(registry, name);
    const bare = Object.entries(manifest.runner_parameters).map(([key, { description, ...rest }]) => {
      expect(description).toEqual(expect.any(String));
      return [key, rest];
    });
    expect(Object.fromEntries(bare)).toEqual(parameters);
    expect(manifest).toMatchObject({ enabled: true, output_schema: {} });
  });
});
