import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removePack, type PackRemoval } from '@switchyard/content';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
  for (const [path, text] of Object.entries(FILES)) await write(join(api.packs, 'full', path), text);
  await write(join(dirname(api.packs), 'configs/full.yaml'), 'level: 3\n');
});
beforeEach(async () => void (await api.ada.post('packs/register', { packs: ['full'] }).expect(200)));
afterAll(() => api.close());

async function write(path: string, text: string) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const FILES = {
  'pack.yaml': 'name: full\ndescription: One of each.\nversion: 1.0.0\nauthor: Somebody\n',
  'config.schema.yaml': 'level: {type: integer}\n',
  'actions/act.yaml': 'name: act\nrunner_type: noop\n',
  'sensors/probe.py': '',
  'sensors/probe.yaml': 'class_name: Probe\nentry_point: probe.py\ntrigger_types: [{name: tick}]\n',
  'triggers/level.yaml': 'name: level\nparameters_schema: {type: object, properties: {of: {type: integer}}}\n',
  'rules/on_tick.yaml': 'name: on_tick\ntrigger: {type: full.tick}\naction: {ref: full.act}\nenabled: true\n',
  'rules/on_level.yaml':
    'name: on_level\ntrigger: {type: full.level, parameters: {of: 2}}\naction: {ref: core.noop}\nenabled: true\n',
  'rules/on_timer.yaml':
    'name: on_timer\ntrigger: {type: core.st2.IntervalTimer, parameters: {delta: 977, unit: hours}}\naction: {ref: full.act}\nenabled: false\n',
  'aliases/do.yaml': 'name: do\naction_ref: full.act\nformats: [do the full thing]\n',
  'policies/single.yaml':
    'name: single\nresource_ref: full.act\npolicy_type: action.concurrency\nparameters: {threshold: 1, action: delay}\n',
};

const removed = {
  rules: ['full.on_level', 'full.on_tick', 'full.on_timer'],
  aliases: ['full.do'],
  policies: ['full.single'],
  sensors: ['full.Probe'],
  triggers: ['full.tick'],
  trigger_types: ['full.level', 'full.tick'],
  actions: ['full.act'],
  configs: ['full'],
  config_schemas: ['full'],
  packs: ['full'],
};

/** All records of the pack in the store. */
async function stored() {
  const {
    rules,
    actionAliases,
    policies,
    sensorTypes,
    triggers,
    triggerTypes,
    actions,
    configs,
    configSchemas,
    packs,
  } = api.store;
  const ofPack = { filter: { pack: 'full' } };
  const kinds = {
    rules,
    actionAliases,
    policies,
    sensorTypes,
    triggers,
    triggerTypes,
    actions,
    configs,
    configSchemas,
  };
  const found = await Promise.all(
    Object.entries(kinds).map(async ([kind, records]) => [kind, (await records.list(ofPack)).length] as const),
  );
  return { ...Object.fromEntries(found), packs: (await packs.byKey('full')) ? 1 : 0 };
}

const NOTHING = {
  ...{ rules: 0, actionAliases: 0, policies: 0, sensorTypes: 0, triggers: 0, triggerTypes: 0, actions: 0 },
  ...{ configs: 0, configSchemas: 0, packs: 0 },
};

const timers = async () => (await api.store.triggers.list({ filter: { type: 'core.st2.IntervalTimer' } })).length;

describe('A pack', () => {
  it('is removed with everything that it registered', async () => {
    const before = await timers();
    const { body } = await api.ada.delete('packs/full').expect(200);
    expect(body).toEqual({ removed, kept: {} });
    expect(await stored()).toEqual(NOTHING);
    expect(await timers()).toBe(before - 1);
    await api.ada.get('packs/full').expect(404);
    const again = await api.ada.delete('packs/full').expect(404);
    expect(again.body.faultstring).toBe('Resource with a ref or id "full" not found');
    expect(api.log.filter(({ level }) => level === 'audit').at(-1)).toMatchObject({
      message: 'Pack deleted.',
      fields: { pack: 'full', user: 'ada' },
    });
  });

  it('is unloaded in the same way', async () => {
    const { body } = await api.ada.post('packs/full/unload').expect(200);
    expect(body).toEqual({ removed, kept: {} });
    expect(await stored()).toEqual(NOTHING);
    await api.ada.post('packs/full/unload').expect(404);
    await api.ada.post('packs/core/unload').expect(400);
  });

  it('is registered again from its files, and removed by its id', async () => {
    await api.ada.delete('packs/full').expect(200);
    await api.ada.post('packs/register', { packs: ['full'] }).expect(200);
    const { body: pack } = await api.ada.get('packs/full').expect(200);
    expect((await api.ada.delete(`packs/${pack.id}`).expect(200)).body.removed).toEqual(removed);
  });

  it('leaves content of other packs, and the triggers that they use', async () => {
    const rule = { name: 'mine', trigger: { type: 'full.tick' }, action: { ref: 'core.noop' } };
    await api.ada.post('rules', { pack: 'default', ...rule }).expect(201);
    const { body } = await api.ada.delete('packs/full').expect(200);
    const { triggers: _released, ...others } = removed;
    expect(body).toEqual({ removed: others, kept: { triggers: ['full.tick'] } });
    await api.ada.get('rules/default.mine').expect(200);
    await api.ada.delete('rules/default.mine').expect(204);
    expect(await stored()).toEqual(NOTHING);
  });

  it.each(['core', 'packs', 'linux', 'chatops', 'default'])('named %s cannot be removed', async (pack) => {
    const { body } = await api.ada.delete(`packs/${pack}`).expect(400);
    expect(body.faultstring).toBe("Resources belonging to system level packs can't be manipulated");
    await api.ada.get(`packs/${pack}`).expect(200);
  });

  it('leaves no dangling references, wherever its removal fails; another removal completes it', async () => {
    const target = (await api.store.packs.byKey('full'))!;
    // The examples name actions of packs that are not installed.
    const before = await dangling();
    for (let steps = 0; ; steps++) {
      await api.ada.post('packs/register', { packs: ['full'] }).expect(200);
      const ended = await removePack(dyingAfter(steps), {
        ...target,
        _id: (await api.store.packs.byKey('full'))!._id,
      }).then(
        () => true,
        () => false,
      );
      if (ended) break;
      expect({ steps, dangling: await dangling() }).toEqual({ steps, dangling: before });
      await api.ada.delete('packs/full').expect(200);
      expect(await stored()).toEqual(NOTHING);
    }
  });
});

describe("With api.delete_content off, DELETE gets StackStorm's response", () => {
  let other: ApiFixture;
  beforeAll(async () => (other = await apiFixture({ overrides: { api: { delete_content: false } } })));
  afterAll(() => other.close());

  it.each(['packs/examples', 'sensortypes/linux.FileWatchSensor'])('for %s', async (path) => {
    await other.ada.get(path).expect(200);
    const { body } = await other.ada.delete(path).expect(404);
    expect(body).toEqual({ faultstring: 'The resource could not be found.' });
    await other.ada.get(path).expect(200);
  });

  it('while packs can still be unloaded', async () => {
    const { body } = await other.ada.post('packs/examples/unload').expect(200);
    expect(body.removed.packs).toEqual(['examples']);
    await other.ada.get('packs/examples').expect(404);
  });
});

/** Fails after it has removed this many records. */
function dyingAfter(steps: number): PackRemoval {
  let left = steps;
  const step = () => {
    if (left === 0) throw new Error('the process ends');
    left -= 1;
  };
  const dying = <T extends object>(parts: T): T =>
    new Proxy(parts, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          if (String(name).startsWith('remove')) step();
          return (value as (...all: unknown[]) => unknown).apply(target, given);
        };
      },
    });
  const store = Object.fromEntries(
    Object.entries(api.store).map(([name, part]) => [name, typeof part === 'object' ? dying(part as object) : part]),
  );
  return {
    store: store as never,
    triggers: dying(api.triggers),
    publisher: { publish: async () => undefined },
    logger: { warn: () => undefined },
  };
}

/** References to missing records. */
async function dangling(): Promise<string[]> {
  const {
    rules,
    actionAliases,
    policies,
    sensorTypes,
    triggers,
    triggerTypes,
    actions,
    configs,
    configSchemas,
    packs,
  } = api.store;
  const problems: string[] = [];
  const needs = async (who: string, records: { byKey(key: string): Promise<unknown> }, key: string) => {
    if (!(await records.byKey(key))) problems.push(`${who} needs ${key}`);
  };
  for (const { ref, trigger, action } of await rules.list()) {
    await needs(ref, triggers, trigger);
    await needs(ref, actions, action.ref);
  }
  for (const { ref, action_ref } of await actionAliases.list()) await needs(ref, actions, action_ref);
  for (const { ref, resource_ref } of await policies.list()) await needs(ref, actions, resource_ref);
  for (const { ref, trigger_types } of await sensorTypes.list())
    for (const type of trigger_types) await needs(ref, triggerTypes, type);
  for (const { ref, type } of await triggers.list()) await needs(ref, triggerTypes, type);
  for (const { pack } of await configs.list()) await needs(`configuration of ${pack}`, configSchemas, pack);
  if (JSON.stringify(await stored()) !== JSON.stringify(NOTHING)) await needs('what is left', packs, 'full');
  return problems;
}
