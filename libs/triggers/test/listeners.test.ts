import { recordChange } from '@switchyard/messaging';
import { eventually, handClock, leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { ACTION_TRIGGER, createListeners, toldStatuses, type ListenersDependencies } from '@switchyard/triggers';
import { aRule } from './triggers-fixture';

const later = leakCheck();

async function started(): Promise<TestPlatform> {
  const platform = await openTestPlatform();
  later(() => platform.close());
  return platform;
}

/** Counts the queries for rules. */
function bench({ store, bus, logger }: TestPlatform) {
  const clock = handClock();
  let looks = 0;
  const rules: ListenersDependencies['rules'] = {
    list: (page) => {
      looks++;
      return store.rules.list(page);
    },
  };
  return { listeners: createListeners({ rules, bus, clock, logger }, ACTION_TRIGGER), clock, looks: () => looks };
}

const listening = { trigger: ACTION_TRIGGER };

describe('mayBe', () => {
  it('is true until the answer is known', async () => {
    const { listeners } = bench(await started());
    expect(listeners.mayBe()).toBe(true);
    await eventually(
      () => !listeners.mayBe(),
      () => 'the answer',
    );
  });

  it('answers from the cache once prepared', async () => {
    const { listeners, looks } = bench(await started());
    await listeners.prepare();
    const before = looks();
    for (let i = 0; i < 100; i++) expect(listeners.mayBe()).toBe(false);
    expect(looks()).toBe(before);
  });

  it.each([
    ['an enabled rule of the trigger', listening, true],
    ['a disabled one', { ...listening, enabled: false }, false],
    ['one of another trigger', {}, false],
  ])('with %s is %p', async (_, rule, expected) => {
    const platform = await started();
    await platform.store.rules.insert(aRule(rule));
    const { listeners } = bench(platform);
    await listeners.prepare();
    expect([listeners.mayBe(), await listeners.are()]).toEqual([expected, expected]);
  });

  it('is true again as soon as this process changes a rule', async () => {
    const { listeners } = bench(await started());
    await listeners.prepare();
    listeners.changed();
    expect(listeners.mayBe()).toBe(true);
  });

  it('is refreshed after a message about a rule', async () => {
    const platform = await started();
    const { listeners } = bench(platform);
    await listeners.prepare();
    const rule = await platform.store.rules.insert(aRule(listening));
    await platform.bus
      .publisher()
      .publish(recordChange({ record: 'rule', change: 'create', id: rule._id, ref: rule.ref }));
    await eventually(listeners.mayBe, () => 'the message to arrive');
    await listeners.prepare();
    expect(listeners.mayBe()).toBe(true);
  });

  it('is refreshed over time even without a message', async () => {
    const platform = await started();
    const { listeners, clock } = bench(platform);
    await listeners.prepare();
    await platform.store.rules.insert(aRule(listening));
    expect(listeners.mayBe()).toBe(false);
    clock.advance(1100);
    await eventually(listeners.mayBe, () => 'the answer to be renewed');
    await platform.store.rules.remove((await platform.store.rules.list())[0]!._id);
    clock.advance(10_100);
    expect(listeners.mayBe()).toBe(true);
  });

  it('is true while the store is unavailable', async () => {
    const { bus, logger, log } = await started();
    const rules = { list: () => Promise.reject(new Error('no store')) };
    const listeners = createListeners({ rules, bus, clock: handClock(), logger }, ACTION_TRIGGER);
    await listeners.prepare();
    expect(listeners.mayBe()).toBe(true);
    expect(log.some((line) => line.includes('no store'))).toBe(true);
  });
});

it.each<[string, Parameters<typeof toldStatuses>[0], boolean, string[]]>([
  [
    'the configured final statuses',
    { enable: true, emit_when: ['succeeded', 'failed'] },
    true,
    ['succeeded', 'failed'],
  ],
  ['nothing while no rule listens', { enable: true, emit_when: ['succeeded'] }, false, []],
  ['nothing when disabled', { enable: false, emit_when: ['succeeded'] }, true, []],
  [
    'every final status when an intermediate one is configured',
    { enable: true, emit_when: ['running'] },
    true,
    ['running', 'succeeded', 'failed', 'canceled'],
  ],
])('rules are notified of %s', (_, options, heard, expected) => {
  const isTold = toldStatuses(options, { mayBe: () => heard });
  const statuses = ['requested', 'running', 'succeeded', 'failed', 'canceled'] as const;
  expect(statuses.filter(isTold)).toEqual(expected);
});
