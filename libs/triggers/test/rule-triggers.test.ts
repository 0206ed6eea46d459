import { watchQueue } from '@switchyard/messaging';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { checkRule, type Triggers } from '@switchyard/triggers';
import { aRule, triggersOn } from './triggers-fixture';

let platform: TestPlatform;
let triggers: Triggers;
beforeEach(async () => {
  platform = await openTestPlatform();
  triggers = triggersOn(platform);
  await triggers.registerBuiltIn();
});
afterEach(() => platform.close());

const hook = (name: string, url: string, more: Record<string, unknown> = {}) =>
  checkRule({
    name,
    trigger: { type: 'core.st2.webhook', parameters: { url } },
    action: { ref: 'core.noop' },
    enabled: true,
    ...more,
  });
const hooks = async () =>
  (await platform.store.triggers.list({ filter: { type: 'core.st2.webhook' } })).map(
    ({ parameters }) => parameters.url,
  );

it('shares a trigger among rules with equal parameters, regardless of the order of the keys', async () => {
  await triggers.registerType({ pack: 'demo', name: 't', parameters_schema: { type: 'object' } });
  const one = await triggers.triggerFor('demo.t', { a: 1, b: [{ c: 1, d: 2 }] });
  const two = await triggers.triggerFor('demo.t', { b: [{ d: 2, c: 1 }], a: 1 });
  expect(two).toEqual(one);
  expect(one.name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('finds the triggers of every path and spelling that is asked for at the same time', async () => {
  for (const url of ['a', '/a', 'b/c']) await triggers.triggerFor('core.st2.webhook', { url });
  const found = await Promise.all(['a', 'b', 'b/c', 'a'].map((path) => triggers.hooksAt(path)));
  const urls = found.map((list) => list.map(({ parameters }) => parameters.url));
  expect(urls).toEqual([['a', '/a'], [], ['b/c'], ['a', '/a']]);
});

it('creates one trigger for concurrent requests', async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => triggers.triggerFor('core.st2.webhook', { url: 'a' })));
  expect(new Set(made.map(({ _id }) => _id)).size).toBe(1);
  expect(await hooks()).toEqual(['a']);
});

it('announces only the creation and removal of a trigger, which goes with its last rule', async () => {
  const seen: string[] = [];
  const queue = watchQueue('trigger', 'test');
  const consumer = await platform.bus.consume(
    queue,
    { prefetch: 10, name: 'test' },
    async (message) => void seen.push(message.change),
  );
  const one = await triggers.createRule(hook('one', 'a'));
  const two = await triggers.createRule(hook('two', 'a'));
  await triggers.replaceRule(one, hook('one', 'a', { enabled: false }));
  await triggers.removeRule(one);
  expect(await hooks()).toEqual(['a']);
  await triggers.removeRule(two);
  expect(await hooks()).toEqual([]);
  while (seen.length < 2) await new Promise(setImmediate);
  expect(seen).toEqual(['create', 'delete']);
  await consumer.stop();
});

it('removes the former trigger of a rule that switches to another one', async () => {
  const rule = await triggers.createRule(hook('one', 'a'));
  await triggers.replaceRule(rule, hook('one', 'b'));
  expect(await hooks()).toEqual(['b']);
});

it('leaves no trigger behind when a rule cannot be stored', async () => {
  await triggers.createRule(hook('one', 'a'));
  await expect(triggers.createRule(hook('one', 'b'))).rejects.toMatchObject({ code: 'storage.duplicate' });
  expect(await hooks()).toEqual(['a']);
});

it('keeps the trigger of every rule while rules come and go concurrently', async () => {
  for (let round = 0; round < 20; round += 1) {
    const former = await triggers.createRule(hook('former', 'a'));
    const [next] = await Promise.all([triggers.createRule(hook('next', 'a')), triggers.removeRule(former)]);
    expect((await platform.store.triggers.byKey(next.trigger))?.parameters).toEqual({ url: 'a' });
    await triggers.removeRule(next);
    expect(await hooks()).toEqual([]);
  }
});

it('recreates a removed trigger with the same name and id', async () => {
  const first = await triggers.triggerFor('core.st2.webhook', { url: 'a' });
  await triggers.release(first.ref);
  expect(await triggers.triggerFor('core.st2.webhook', { url: 'a' })).toEqual(first);
});

it('removes triggers left behind by a killed process', async () => {
  await triggers.triggerFor('core.st2.webhook', { url: 'left' });
  const kept = await triggers.triggerFor('core.st2.webhook', { url: 'kept' });
  await platform.store.rules.insert(aRule({ trigger: kept.ref }));
  await triggers.registerBuiltIn();
  expect(await hooks()).toEqual(['kept']);
});

it('keeps the trigger of a simple type, and one created by a client', async () => {
  await triggers.registerType({ pack: 'demo', name: 'simple' });
  const rule = await triggers.createRule(hook('r', 'x', { trigger: { type: 'demo.simple' } }));
  expect(rule.trigger).toBe('demo.simple');
  await triggers.removeRule(rule);
  expect(await platform.store.triggers.byKey('demo.simple')).toBeDefined();
  const made = await triggers.createTrigger({
    name: 'mine',
    pack: 'demo',
    type: 'core.st2.webhook',
    parameters: { url: 'm' },
  });
  const user = await triggers.createRule(hook('u', 'm'));
  expect(user.trigger).toBe(made.ref);
  await expect(triggers.removeTrigger(made)).rejects.toMatchObject({ code: 'trigger.in-use', status: 409 });
  await triggers.removeRule(user);
  expect(await hooks()).toEqual(['m']);
  expect(await triggers.removeTrigger(made)).toBe(true);
});

it('names the trigger of a rule without parameters after its type, even if the type accepts parameters', async () => {
  await triggers.registerType({
    pack: 'demo',
    name: 'queue',
    parameters_schema: { properties: { n: { type: 'integer' } } },
  });
  expect(await platform.store.triggers.byKey('demo.queue')).toBeUndefined();
  const rule = await triggers.createRule(hook('r', 'x', { trigger: { type: 'demo.queue' } }));
  expect(rule.trigger).toBe('demo.queue');
  await triggers.removeRule(rule);
  expect(await platform.store.triggers.byKey('demo.queue')).toBeUndefined();
});

it('accepts the prefix core.svc for built-in triggers', async () => {
  const rule = hook('r', 'own', { trigger: { type: 'core.svc.webhook', parameters: { url: 'own' } } });
  await triggers.createRule(rule);
  expect(await hooks()).toEqual(['own']);
});

it.each([
  [{ type: 'demo.nope' }, 'Trigger "demo.nope" defined in the rule does not exist in system'],
  [{ type: 'demo.nope', parameters: { a: 1 } }, 'Trigger type with reference "demo.nope" doesn\'t exist'],
  [{ type: 'core.st2.CronTimer' }, 'missing required "parameters" attribute'],
  [{ type: 'core.st2.IntervalTimer', parameters: { delta: -1, unit: 'seconds' } }, 'must be 1 or more'],
])('refuses a rule for %j and stores nothing', async (trigger, text) => {
  const before = await platform.store.triggers.count();
  await expect(triggers.createRule(hook('r', 'x', { trigger }))).rejects.toThrow(text);
  expect([await platform.store.rules.count(), await platform.store.triggers.count()]).toEqual([0, before]);
});

it('replaces a rule of the same name in the pack default', async () => {
  await triggers.createRule(hook('same', 'a'));
  const registered = await triggers.registerRule({ ...hook('same', 'b'), pack: 'demo' });
  expect((await platform.store.rules.list()).map(({ ref }) => ref)).toEqual(['demo.same']);
  expect(registered.context).toEqual({});
  expect(await hooks()).toEqual(['b']);
});
