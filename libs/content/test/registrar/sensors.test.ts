import type { Message } from '@switchyard/messaging';
import type { SensorTypeRecord } from '@switchyard/model';
import { registerContent } from '../../src';
import { memoryStore } from '../support/memory-store';
import { PackDirectories, packFile, writeFiles, type Files } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { triggersOn } from '../support/triggers-on';

const directories = new PackDirectories();
afterEach(() => directories.clear());

const sensor = (more = ''): string => `class_name: Probe\nentry_point: probe.py\n${more}`;

async function site(files: Files) {
  const root = await directories.root();
  await writeFiles(`${root}/good`, { 'pack.yaml': packFile('good'), 'sensors/probe.py': 'x = 1', ...files });
  const store = memoryStore();
  const told: Message[] = [];
  const publisher = { publish: async (message: Message) => void told.push(message), publishAll: async () => undefined };
  const triggers = triggersOn(store);
  const logged: string[] = [];
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (message: string) => void logged.push(message),
  };
  const register = (overridesDirectory = `${root}/overrides`, failOnFailure = true) =>
    registerContent({ store, triggers, publisher, roots: [root], runnerTypes, failOnFailure, overridesDirectory, logger }); // oxfmt-ignore
  const stored = async () => (await store.sensorTypes.byKey('good.Probe'))!;
  const set = async (change: Partial<SensorTypeRecord>) =>
    store.sensorTypes.replace({ ...(await stored()), ...change });
  const write = (more: Files) => writeFiles(`${root}/good`, more);
  return { root, store, told, logged, register, stored, set, write };
}

describe('sensors of a pack', () => {
  it('are registered with their trigger types and announced to containers', async () => {
    const { register, stored, store, told, root } = await site({
      'sensors/probe.yaml': sensor('poll_interval: 5\ntrigger_types: [{name: tick, payload_schema: {type: object}}]'),
    });
    expect((await register()).counts).toMatchObject({ sensors: 1 });
    expect(await stored()).toMatchObject({
      uid: 'sensor_type:good:Probe',
      enabled: true,
      artifact_uri: `file://${root}/good/sensors/probe.py`,
      entry_point: 'sensors.probe.Probe',
      trigger_types: ['good.tick'],
      poll_interval: 5,
      metadata_file: 'sensors/probe.yaml',
    });
    expect(await store.triggerTypes.byKey('good.tick')).toMatchObject({ payload_schema: { type: 'object' } });
    expect(told.map(({ exchange, routingKey }) => [exchange, routingKey])).toEqual([['sensor', 'create']]);
  });

  it('are rewritten only when their file or code changed', async () => {
    const { register, told, write, stored } = await site({ 'sensors/probe.yaml': sensor() });
    const changes = () => told.splice(0).map(({ routingKey }) => routingKey);
    await register();
    expect(changes()).toEqual(['create']);
    await register();
    expect(changes()).toEqual([]);
    await write({ 'lib/shared.py': 'y = 2' });
    await register();
    expect(changes()).toEqual(['update']);
    await write({ 'sensors/probe.yaml': sensor('description: new') });
    await register();
    expect(changes()).toEqual(['update']);
    expect((await stored()).description).toBe('new');
  });

  it('stay enabled or disabled as set through the API until the file or an override changes', async () => {
    const { register, stored, set, write, root } = await site({ 'sensors/probe.yaml': sensor() });
    await register();
    await set({ enabled: false });
    await write({ 'sensors/probe.py': 'x = 2' });
    await register();
    expect((await stored()).enabled).toBe(false);
    await write({ 'sensors/probe.yaml': sensor('description: new') });
    await register();
    expect((await stored()).enabled).toBe(true);
    await writeFiles(root, { 'overrides/good.yaml': 'sensors: {exceptions: {Probe: {enabled: false}}}' });
    expect((await register()).counts).toMatchObject({ 'sensors(overridden)': 1 });
    expect((await stored()).enabled).toBe(false);
  });

  it('may be in JavaScript or compiled TypeScript', async () => {
    const { register, store } = await site({
      'sensors/a.yaml': 'class_name: A\nentry_point: deep/a.mjs',
      'sensors/deep/a.mjs': '',
      'sensors/b.yaml': 'class_name: B\nentry_point: b.ts',
      'sensors/b.js': '',
    });
    await register();
    expect((await store.sensorTypes.list()).map(({ entry_point }) => entry_point).sort()).toEqual([
      'sensors.b.B',
      'sensors.deep.a.A',
    ]);
  });

  describe('with an invalid one', () => {
    const files = {
      'actions/act.yaml': 'name: act\nrunner_type: noop\n',
      'sensors/probe.yaml': sensor('trigger_types: [{name: tick}]'),
      'sensors/bad.yaml': 'class_name: Bad\nentry_point: gone.py\ntrigger_types: [{name: tock}]',
      'rules/on_tick.yaml': 'name: on_tick\ntrigger: {type: good.tick}\naction: {ref: good.act}\n',
      'rules/on_tock.yaml': 'name: on_tock\ntrigger: {type: good.tock}\naction: {ref: good.act}\n',
    };
    const refs = async ({ store }: Awaited<ReturnType<typeof site>>) =>
      (await Promise.all([store.sensorTypes, store.rules, store.actions].map((records) => records.list())))
        .flat()
        .map(({ ref }) => ref)
        .sort();

    it('lose only that one and the rules that listen to it', async () => {
      const made = await site(files);
      const { counts, failures } = await made.register(undefined, false);
      expect(counts).toMatchObject({ sensors: 1, rules: 1, actions: 1 });
      expect(failures.map(({ file, text }) => [file.slice(made.root.length), text])).toEqual([
        ['/good/sensors/bad.yaml', expect.stringContaining('gone.py')],
        ['/good/rules/on_tock.yaml', expect.stringContaining('good.tock')],
      ]);
      expect(await refs(made)).toEqual(['good.Probe', 'good.act', 'good.on_tick']);
    });

    it('keep its last valid record', async () => {
      const good = 'class_name: Bad\nentry_point: probe.py\ntrigger_types: [{name: tock}]';
      const made = await site({ ...files, 'sensors/bad.yaml': good });
      await made.register();
      await made.write({ 'sensors/bad.yaml': 'class_name: Bad\nentry_point: gone.py' });
      expect((await made.register(undefined, false)).counts).toMatchObject({ sensors: 1, rules: 2 });
      expect(await refs(made)).toEqual(['good.Bad', 'good.Probe', 'good.act', 'good.on_tick', 'good.on_tock']);
    });

    it('lose only the second of two with the same name', async () => {
      const made = await site({ 'sensors/a.yaml': sensor(), 'sensors/b.yaml': sensor('description: second') });
      const { counts, failures } = await made.register(undefined, false);
      expect([counts.sensors, failures.map(({ text }) => text)]).toEqual([
        1,
        ['The name "Probe" is taken by "sensors/a.yaml"'],
      ]);
      expect((await made.stored()).description).toBeUndefined();
    });

    it('are all refused with failOnFailure', async () => {
      const made = await site(files);
      await expect(made.register()).rejects.toMatchObject({ code: 'content.registration' });
      expect(await refs(made)).toEqual([]);
    });
  });

  describe('with an invalid trigger type', () => {
    const files = {
      'actions/act.yaml': 'name: act\nrunner_type: noop\n',
      'triggers/bang.yaml': 'name: bang',
      'sensors/other.yaml': 'class_name: Other\nentry_point: probe.py\ntrigger_types: [{name: other}]',
      'sensors/probe.yaml': sensor(
        'trigger_types:\n- name: tick\n- name: tock\n  payload_schema: {type: nope}\n- name: tuck',
      ),
      ...Object.fromEntries(
        ['tick', 'tock', 'other', 'bang'].map((name) => [
          `rules/on_${name}.yaml`,
          `name: on_${name}\ntrigger: {type: good.${name}}\naction: {ref: good.act}\n`,
        ]),
      ),
    };

    it('lose only that type and the rules that listen to it', async () => {
      const made = await site(files);
      const { counts, failures } = await made.register(undefined, false);
      expect(counts).toMatchObject({ sensors: 2, triggers: 1, rules: 3, actions: 1 });
      expect(failures.map(({ file, line, field, text }) => [file.slice(made.root.length), line, field, text])).toEqual([
        [
          '/good/sensors/probe.yaml',
          5,
          'trigger_types.1',
          expect.stringMatching(/^The trigger type "tock": Invalid schema.*nope/),
        ],
        ['/good/rules/on_tock.yaml', expect.any(Number), 'trigger', expect.stringContaining('good.tock')],
      ]);
      expect((await made.stored()).trigger_types).toEqual(['good.tick', 'good.tuck']);
      const types = (await made.store.triggerTypes.list()).map(({ ref }) => ref).sort();
      expect(types).toEqual(['good.bang', 'good.other', 'good.tick', 'good.tuck']);
    });

    it('are logged', async () => {
      const made = await site(files);
      await made.register(undefined, false);
      expect(made.logged).toContainEqual(expect.stringMatching(/Failed to register sensor .*probe.yaml.*"tock"/));
    });

    it('are registered completely once it is valid', async () => {
      const made = await site(files);
      await made.register(undefined, false);
      await made.write({ 'sensors/probe.yaml': sensor('trigger_types: [{name: tick}, {name: tock}]') });
      expect((await made.register(undefined, false)).failures).toEqual([]);
      expect((await made.stored()).trigger_types).toEqual(['good.tick', 'good.tock']);
    });
  });

  it.each([
    ['no class', 'entry_point: probe.py', 'class_name', /'class_name' is a required property/],
    ['no entry point', 'class_name: Probe', 'entry_point', /'entry_point' is a required property/],
    ['an unknown key', sensor('poll: 5'), 'poll', /'poll' was unexpected/],
    [
      'an invalid class name',
      'class_name: 9-x\nentry_point: probe.py',
      'class_name',
      /"9-x" is not the name of a class/,
    ],
    ['a text for a switch', sensor('enabled: "maybe"'), 'enabled', /'maybe' is not of type 'boolean'/],
    ['too long an interval', sensor('poll_interval: 2073601'), 'poll_interval', /greater than the maximum of 2073600/],
    ['too short an interval', sensor('poll_interval: 1'), 'poll_interval', /1 is less than the minimum of 4/],
    [
      'an interval that is not a number',
      sensor('poll_interval: soon'),
      'poll_interval',
      /'soon' is not of type 'number'/,
    ],
    ['another pack', sensor('pack: other'), 'pack', /is in pack "good" but field "pack" is different: other/],
    ['an entry point elsewhere', 'class_name: P\nentry_point: ../actions/x.py', 'entry_point', /lies outside of/],
    ['a missing file', 'class_name: P\nentry_point: gone.py', 'entry_point', /needs the file ".*gone\.py"/],
    [
      'TypeScript that is not compiled',
      'class_name: P\nentry_point: p.ts',
      'entry_point',
      /needs the file ".*p\.js" or/,
    ],
    ['another language', 'class_name: P\nentry_point: probe.rb', 'entry_point', /must be a Python/],
    ['a trigger type without a name', sensor('trigger_types: [{description: x}]'), 'trigger_types.0', /name needed/],
    ['a bad payload schema', sensor('trigger_types: [{name: t, payload_schema: {type: 5}}]'), 'trigger_types.0', /5/],
    ['trigger types that are not a list', sensor('trigger_types: {a: 1}'), 'trigger_types', /is not of type 'array'/],
  ])('with %s are refused', async (_, text, field, reason) => {
    const { register } = await site({ 'sensors/probe.yaml': text });
    const error = await register().catch((thrown: unknown) => thrown as { message: string; extra: any }); // eslint-disable-line @typescript-eslint/no-explicit-any
    expect(error).toMatchObject({ message: expect.stringMatching(reason) });
    expect((error as { message: string }).message).toContain(`field "${field}"`);
    expect((error as { message: string }).message).toContain('Failed to register sensor');
  });
});
