import { messageOf } from '@switchyard/base';
import type { TriggerInstanceMessage } from '@switchyard/messaging';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import type { Triggers } from '@switchyard/triggers';
import { triggersOn } from './triggers-fixture';

let platform: TestPlatform;
let triggers: Triggers;

beforeAll(async () => {
  platform = await openTestPlatform();
  triggers = triggersOn(platform);
  await triggers.registerBuiltIn();
  await triggers.registerType({
    pack: 'demo',
    name: 'placed',
    payload_schema: schemaOf({ order: { type: 'integer' } }),
  });
  await triggers.registerType({ pack: 'demo', name: 'open' });
});
afterAll(() => platform.close());

const schemaOf = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const instances = () => platform.store.triggerInstances;

it('stores an instance that is due for the rules engine, and notifies it', async () => {
  const seen: TriggerInstanceMessage[] = [];
  const consumer = await platform.bus.consume(
    'trigger_instances_dispatch.rules_engine',
    { prefetch: 10, name: 'test' },
    async (message) => void seen.push(message),
  );
  const made = await triggers.dispatch({
    trigger: 'demo.placed',
    payload: { order: 7 },
    traceContext: { trace_tag: 't' },
  });
  expect(await instances().get(made._id)).toMatchObject({
    trigger: 'demo.placed',
    payload: { order: 7 },
    status: 'pending',
    trace_context: { trace_tag: 't' },
    due: ['rules-engine'],
  });
  while (seen.length === 0) await new Promise(setImmediate);
  expect(seen[0]).toMatchObject({ id: made._id, ref: 'demo.placed', trace: 't' });
  await consumer.stop();
});

it('returns the first instance for a repeated request key', async () => {
  const request = { trigger: 'demo.open', payload: { n: 1 }, requestKey: 'timer:1' };
  const [first, second] = await Promise.all([triggers.dispatch(request), triggers.dispatch(request)]);
  expect(second._id).toBe(first._id);
});

it.each([
  ['a missing payload', null, {}],
  ['undeclared members', { a: 1 }, { a: 1 }],
])('accepts %s when there is no schema', async (_, payload, stored) => {
  expect((await triggers.dispatch({ trigger: 'demo.open', payload })).payload).toEqual(stored);
});

it('accepts the prefix core.svc for built-in triggers', async () => {
  const made = await triggers.dispatch({ trigger: 'core.svc.key_value_pair.create', payload: { object: {} } });
  expect(made.trigger).toBe('core.st2.key_value_pair.create');
});

it('finds a trigger by type and parameters, regardless of the order of the keys', async () => {
  await triggers.registerType({ pack: 'demo', name: 'queue', parameters_schema: { type: 'object' } });
  const trigger = await triggers.triggerFor('demo.queue', { a: 1, b: { c: 2, d: 3 } });
  const made = await triggers.dispatch({ trigger: { type: 'demo.queue', parameters: { b: { d: 3, c: 2 }, a: 1 } } });
  expect(made.trigger).toBe(trigger.ref);
});

const refused: readonly (readonly [string, unknown, unknown, string])[] = [
  ['demo.placed', { order: 'x' }, "'x' is not of type 'integer', 'null'", 'demo.placed'],
  ['demo.placed', null, "None is not of type 'object'", 'demo.placed'],
  ['demo.placed', 'text', "'text' is not of type 'object'", 'demo.placed'],
  ['demo.nope', {}, 'Trigger type with reference "demo.nope" doesn\'t exist in the database', 'demo.nope'],
];

it.each(refused)('refuses, for %s, the payload %j', async (trigger, payload, cause, shown) => {
  const before = await instances().count();
  const text = messageOf(await triggers.dispatch({ trigger, payload } as never).catch((error: unknown) => error));
  expect(text).toContain(`validation is enabled, not dispatching a trigger "${shown}" (`);
  expect(text).toContain(`): ${String(cause)}`);
  expect(await instances().count()).toBe(before);
});

it('masks secrets when it refuses a payload', async () => {
  const properties = { pin: { type: 'string', secret: true }, n: { type: 'integer' } };
  await triggers.registerType({ pack: 'demo', name: 'guarded', payload_schema: { type: 'object', properties } });
  const refusal = (payload: object) =>
    triggers.dispatch({ trigger: 'demo.guarded', payload } as never).catch((error: unknown) => messageOf(error));
  expect(await refusal({ pin: 'hush', n: 'x' })).toContain("({'pin': '********', 'n': 'x'}): 'x' is not of type");
  expect(await refusal({ pin: ['hush'] })).toContain(
    "({'pin': '********'}): '********' of type 'array' is not of type",
  );
});

it.each([
  ['demo.open', [1], 'The payload of a trigger must be an object, got list'],
  [
    { type: 'demo.queue', parameters: { z: 1 } },
    {},
    'There is no trigger of type "demo.queue" with the parameters {\'z\': 1}',
  ],
])('refuses, for %j, the payload %j', async (trigger, payload, text) => {
  await expect(triggers.dispatch({ trigger, payload } as never)).rejects.toThrow(text);
});

it('refuses a payload that would make its record too large', async () => {
  const payload = { order: 1, note: 'x'.repeat(4 * 1024 * 1024) };
  await expect(triggers.dispatch({ trigger: 'demo.placed', payload })).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('(limits.max_record_bytes)'),
  });
});

it('does not check events of the system itself', async () => {
  const made = await triggers.dispatch({ trigger: 'demo.gone', payload: { order: 'x' }, validate: false });
  expect(made).toMatchObject({ trigger: 'demo.gone', status: 'pending' });
});

it('dispatches all of several events, or none', async () => {
  const before = await instances().count();
  const fine = { trigger: 'demo.placed', payload: { order: 1 } };
  await expect(triggers.dispatchAll([fine, { ...fine, payload: { order: 'x' } }])).rejects.toThrow('validation failed');
  expect(await instances().count()).toBe(before);
  expect(await triggers.dispatchAll([fine, fine])).toHaveLength(2);
});

it('only warns when validation is off, except for webhooks and timers', async () => {
  const lax = await openTestPlatform({ system: { validate_trigger_payload: false } });
  try {
    const own = triggersOn(lax);
    await own.registerBuiltIn();
    await own.registerType({ pack: 'demo', name: 'placed', payload_schema: schemaOf({ order: { type: 'integer' } }) });
    expect((await own.dispatch({ trigger: 'demo.placed', payload: { order: 'x' } })).payload).toEqual({ order: 'x' });
    expect(lax.log.join('\n')).toContain('does not match its trigger type');
    const hook = await own.triggerFor('core.st2.webhook', { url: 'a' });
    await expect(own.dispatch({ trigger: hook.ref, payload: { body: 5 } })).rejects.toThrow('5 is not valid under any');
  } finally {
    await lax.close();
  }
});
