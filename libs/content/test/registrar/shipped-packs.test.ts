import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { entryPointPath, registerContent } from '../../src';
import { memoryStore } from '../support/memory-store';
import { conformancePack } from '../support/recordings';
import { namedRunner, runnerTypes } from '../support/runner-types';
import { NONE, triggersOn } from '../support/triggers-on';

const shipped = join(__dirname, '../../../../packs');
const logger = { info: () => undefined, error: () => undefined };

describe('the packs that ship', () => {
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

  it('register without a problem', async () => {
    const { store, counts } = await registered();
    expect(counts).toEqual({ ...NONE, runners: 4, actions: 14, rules: 1 });
    expect((await store.packs.list()).map(({ ref }) => ref).sort()).toEqual(['core', 'default', 'examples']);
  });

  it('have entry points that exist and can be executed', async () => {
    const { store } = await registered();
    for (const { pack, entry_point: entryPoint } of await store.actions.list()) {
      if (entryPoint === '') continue;
      const { mode } = await stat(entryPointPath(join(shipped, pack), entryPoint));
      expect([entryPoint, mode & 0o111]).toEqual([entryPoint, 0o111]);
    }
  });

  it('keep the command of core.echo that clients know', async () => {
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

const conformance = conformancePack === undefined ? describe.skip : describe;

conformance('the conformance pack', () => {
  it('registers unchanged', async () => {
    const store = memoryStore();
    const others = ['orquesta', 'action-chain', 'announcement', 'http-request', 'inquirer', 'python-script'];
    await triggersOn(store).registerBuiltIn();
    const triggers = triggersOn(store);
    await triggers.registerBuiltIn();
    const { counts } = await registerContent({
      store,
      triggers,
      roots: [conformancePack as string],
      runnerTypes: [...runnerTypes, ...others.map((name) => namedRunner(name))],
      failOnFailure: true,
      logger,
    });
    expect(counts.actions).toBe(93);
    expect(await store.packs.byKey('conformance')).toMatchObject({ version: '1.4.2', python_versions: ['3'] });
  });
});
