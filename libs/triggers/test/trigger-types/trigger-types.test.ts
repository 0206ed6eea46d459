import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { checkRule, checkTriggerType, type Triggers } from '@switchyard/triggers';
import { triggersOn } from '../triggers-fixture';

let platform: TestPlatform;
let triggers: Triggers;
beforeEach(async () => {
  platform = await openTestPlatform();
  triggers = triggersOn(platform);
});
afterEach(() => platform.close());

const refs = async () => (await platform.store.triggers.list({ sort: { ref: 1 } })).map(({ ref }) => ref);

it('stores the built-in types once', async () => {
  await Promise.all([triggers.registerBuiltIn(), triggersOn(platform).registerBuiltIn()]);
  const types = await platform.store.triggerTypes.list({ sort: { ref: 1 } });
  expect(types).toHaveLength(14);
  expect(await refs()).toHaveLength(10);
  await triggers.registerBuiltIn();
  expect(await platform.store.triggerTypes.list({ sort: { ref: 1 } })).toEqual(types);
});

it('omits the action trigger when it is disabled', async () => {
  const off = await openTestPlatform({ action_sensor: { enable: false } });
  await triggersOn(off).registerBuiltIn();
  expect(await off.store.triggerTypes.byKey('core.st2.generic.actiontrigger')).toBeUndefined();
  await off.close();
});

it('creates the trigger of a simple type, and removes it when the type is no longer simple', async () => {
  await triggers.registerType({ pack: 'demo', name: 't' });
  expect(await refs()).toEqual(['demo.t']);
  await triggers.registerType({ pack: 'demo', name: 't', parameters_schema: { type: 'object' } });
  expect(await refs()).toEqual([]);
  await triggers.registerType({ pack: 'demo', name: 't' });
  expect(await refs()).toEqual(['demo.t']);
});

it('removes a type with its trigger, which stays while a rule uses it', async () => {
  const type = await triggers.registerType({ pack: 'demo', name: 't' });
  const rule = await triggers.createRule(
    checkRule({ name: 'r', trigger: { type: 'demo.t' }, action: { ref: 'core.noop' } }),
  );
  expect(await triggers.removeType(type)).toBe(true);
  expect(await refs()).toEqual(['demo.t']);
  await triggers.removeRule(rule);
  expect(await refs()).toEqual([]);
});

it('renames a type together with its trigger', async () => {
  const type = await triggers.createType({ pack: 'demo', name: 'one' });
  const renamed = await triggers.replaceType(type, { pack: 'demo', name: 'two' });
  expect([renamed._id, renamed.ref]).toEqual([type._id, 'demo.two']);
  expect(await refs()).toEqual(['demo.two']);
});

it.each([
  [null, "None is not of type 'object'"],
  [{ pack: 'demo' }, 'Both pack and name needed for building ref. pack=demo, name=None'],
  [{ name: 't' }, 'pack=None, name=t'],
  [{ name: '', pack: 'demo' }, 'Both pack and name needed for building ref. pack=demo, name='],
  [{ name: 't', pack: 'a.b' }, 'Pack name should not contain "."'],
  [{ name: 5, pack: 'demo' }, "5 is not of type 'string'"],
  [{ name: 't', pack: 'demo', payload_schema: [] }, "[] is not of type 'object'"],
  [{ name: 't', pack: 'demo', payload_schema: { type: 'nope' } }, 'Invalid schema'],
  [{ name: 't', pack: 'demo', parameters_schema: { properties: { a: 5 } } }, 'Invalid schema'],
  [{ name: 't', pack: 'demo', tags: ['a'] }, "'a' is not of type 'object'"],
  [{ name: 't', pack: 'demo', tags: [{ name: 'a', value: 1 }] }, "1 is not of type 'string'"],
])('refuses %j', (type, text) => {
  expect(() => checkTriggerType(type)).toThrow(text);
});
