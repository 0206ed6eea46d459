import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig, paths } from '@switchyard/config';
import { runnerRegistry, runnerTypes as typesOf } from '@switchyard/runners';
import { entryPointPath, registerContent } from '../../src';
import { memoryStore } from '../support/memory-store';
import { conformancePacks } from '../support/recordings';
import { namedRunner, runnerTypes as testRunners } from '../support/runner-types';
import { NONE, triggersOn } from '../support/triggers-on';

const shipped = join(__dirname, '../../../../packs');
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('the built-in packs', () => {
  // Their actions must match the built-in runners.
  const { config } = loadConfig({ environment: {} });
  const runnerTypes = typesOf(runnerRegistry({ config, paths: paths(config) }));

  async function registered() {
    const store = memoryStore();
    const triggers = triggersOn(store);
    await triggers.registerBuiltIn();
    const { counts } = await registerContent({
      store,
      triggers,
      roots: [shipped],
      runnerTypes,
      failOnFailure: true,
      logger,
    });
    return { store, counts };
  }

  it('register without failures', async () => {
    const { store, counts } = await registered();
    const kinds = { runners: runnerTypes.length, actions: expect.any(Number), rules: expect.any(Number) };
    expect(counts).toEqual({ ...NONE, ...kinds, sensors: 1, aliases: 5 });
    const packs = (await store.packs.list()).map(({ ref }) => ref).sort();
    expect(packs).toEqual(['chatops', 'core', 'default', 'examples', 'linux', 'packs']);
  });

  it('have existing entry points and executable scripts', async () => {
    const { store } = await registered();
    for (const { pack, entry_point: entryPoint, runner_type: runner } of await store.actions.list()) {
      if (entryPoint === '') continue;
      const { mode } = await stat(entryPointPath(join(shipped, pack), entryPoint));
      if (runner.endsWith('-shell-script')) expect([entryPoint, mode & 0o111]).toEqual([entryPoint, 0o111]);
    }
  });

  it('keep the command of core.echo that clients expect', async () => {
    const echo = await (await registered()).store.actions.byKey('core.echo');
    const { description: _, ...cmd } = echo?.parameters.cmd ?? {};
    expect(cmd).toEqual({ type: 'string', required: true, default: 'echo "{{message}}"', immutable: true });
    expect(echo?.parameters.sudo).toEqual({ default: false, immutable: true });
    expect(echo?.output_schema).toEqual({});
  });

  it('have an icon', async () => {
    expect((await readFile(join(shipped, 'core/icon.png'))).subarray(1, 4).toString()).toBe('PNG');
  });
});

describe('the conformance pack', () => {
  it('registers unchanged', async () => {
    const store = memoryStore();
    const others = ['orquesta', 'action-chain', 'announcement', 'http-request', 'inquirer', 'python-script'];
    await triggersOn(store).registerBuiltIn();
    const triggers = triggersOn(store);
    await triggers.registerBuiltIn();
    const { counts } = await registerContent({
      store,
      triggers,
      roots: [conformancePacks],
      runnerTypes: [...testRunners, ...others.map((name) => namedRunner(name))],
      failOnFailure: true,
      logger,
    });
    expect(counts.actions).toBe(93);
    expect(await store.packs.byKey('conformance')).toMatchObject({ version: '1.4.2', python_versions: ['3'] });
  });
});
