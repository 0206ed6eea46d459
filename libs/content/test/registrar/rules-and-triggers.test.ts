import type { Message } from '@switchyard/messaging';
import { registerContent } from '../../src';
import { memoryStore } from '../support/memory-store';
import { PackDirectories, actionFile, packFile, writeFiles } from '../support/pack-directory';
import { runnerTypes } from '../support/runner-types';
import { triggersOn } from '../support/triggers-on';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('registration of rules and triggers', () => {
  const directories = new PackDirectories();
  afterEach(() => directories.clear());

  async function prepared(files: Record<string, string>) {
    const root = await directories.root();
    await writeFiles(root, files);
    const store = memoryStore();
    const messages: Message[] = [];
    const triggers = triggersOn(store, messages);
    await triggers.registerBuiltIn();
    messages.length = 0;
    const register = (types?: string[]) =>
      registerContent({
        store,
        triggers,
        roots: [root],
        runnerTypes,
        failOnFailure: true,
        logger,
        ...(types ? { types } : {}),
      });
    return { root, store, messages, triggers, register };
  }

  const rule = (name: string, type: string, more = '') =>
    `name: ${name}\ntrigger:\n  type: ${type}\naction: {ref: one.run}\n${more}`;

  const files = {
    // Its rules listen to trigger types of packs registered later.
    'a/pack.yaml': packFile('a'),
    'a/rules/on_event.yaml': rule(
      'on_event',
      'z.event',
      'enabled: true\ncriteria:\n  trigger.n: {type: gt, pattern: 5}',
    ),
    'a/rules/on_tick.yml': rule('on_tick', 'z.tick'),
    'a/rules/hook.yaml': rule('hook', 'core.svc.webhook\n  parameters: {url: a/b}'),
    'z/pack.yaml': packFile('z'),
    'z/triggers/event.yaml': 'name: event\nfavourite: x\npayload_schema: {type: object}\ntags: [{name: a, value: b}]',
    'z/sensors/clock.yaml':
      'class_name: Clock\nentry_point: lib/clock.py\npoll_interval: 5\ntrigger_types:\n  - name: tick\n    description: Tick.',
    'z/sensors/lib/clock.py': 'class Clock: pass',
    'z/actions/run.yaml': actionFile('run'),
  };

  it('stores triggers, sensors and rules, and counts them', async () => {
    const { root, store, register } = await prepared(files);
    expect((await register()).counts).toEqual({
      runners: 4,
      rule_types: 2,
      policy_types: 4,
      aliases: 0,
      configs: 0,
      policies: 0,
      triggers: 1,
      sensors: 1,
      actions: 1,
      rules: 3,
    });
    expect(await store.triggerTypes.byKey('z.event')).toMatchObject({
      uid: 'trigger_type:z:event',
      payload_schema: { type: 'object' },
      tags: [{ name: 'a', value: 'b' }],
      metadata_file: 'triggers/event.yaml',
    });
    expect(await store.rules.byKey('a.on_event')).toMatchObject({
      uid: 'rule:a:on_event',
      enabled: true,
      trigger: 'z.event',
      context: {},
      metadata_file: 'rules/on_event.yaml',
    });
    expect(await store.sensorTypes.byKey('z.Clock')).toMatchObject({
      class_name: 'Clock',
      artifact_uri: `file://${root}/z/sensors/lib/clock.py`,
      entry_point: 'sensors.lib.clock.Clock',
      trigger_types: ['z.tick'],
      poll_interval: 5,
      enabled: true,
    });
    expect((await store.triggers.list({ filter: { type: 'core.st2.webhook' } }))[0]?.parameters).toEqual({
      url: 'a/b',
    });
  });

  it('writes and announces nothing when nothing changed', async () => {
    const { store, messages, register } = await prepared(files);
    await register();
    store.writes = 0;
    messages.length = 0;
    await register();
    expect([store.writes, messages]).toEqual([0, []]);
  });

  it('restores a removed trigger, and follows a rule to another trigger', async () => {
    const { root, store, register } = await prepared(files);
    await register();
    const [hook] = await store.triggers.list({ filter: { type: 'core.st2.webhook' } });
    await store.triggers.remove(hook?._id ?? '');
    await register(['rules']);
    expect(await store.triggers.byKey(hook?.ref ?? '')).toEqual(hook);
    await writeFiles(root, { 'a/rules/hook.yaml': rule('hook', 'z.event') });
    await register(['rules']);
    expect(await store.triggers.byKey(hook?.ref ?? '')).toBeUndefined();
    expect((await store.rules.byKey('a.hook'))?.trigger).toBe('z.event');
  });

  it('registers nothing with failOnFailure if a rule has no trigger type', async () => {
    const { store, register } = await prepared({ ...files, 'z/rules/bad.yaml': rule('bad', 'nobodys.event') });
    const before = (await store.triggerTypes.list()).length;
    const text = await register().then(
      () => '',
      (error: Error) => error.message,
    );
    expect(
      text.split('\n').map((line) => /"([^"]*\/rules\/[^"]*)"/.exec(line)?.[1]?.replace(/.*\/rules\//, '')),
    ).toEqual(['bad.yaml']);
    expect(await store.triggerTypes.list()).toHaveLength(before);
    expect(await store.rules.list()).toEqual([]);
  });

  it('replaces a rule of the same name in the pack default', async () => {
    const { store, triggers, register } = await prepared(files);
    await triggers.registerType({ pack: 'default', name: 'own' });
    await triggers.createRule({
      name: 'on_event',
      pack: 'default',
      enabled: true,
      type: { ref: 'standard', parameters: {} },
      trigger: { type: 'default.own', parameters: {} },
      criteria: {},
      action: { ref: 'one.run', parameters: {} },
      context: {},
      tags: [],
      metadata_file: '',
    });
    await register();
    expect(await store.rules.byKey('default.on_event')).toBeUndefined();
    expect(await store.rules.byKey('a.on_event')).toBeDefined();
  });
});
