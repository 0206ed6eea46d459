import { createExecutions } from '@switchyard/executions';
import { DEFAULT_ALLOWANCE } from '@switchyard/expressions';
import type { TriggerInstanceRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { leakCheck, openTestPlatform, testClock, withReconnects } from '@switchyard/testkit/system';
import { processInstance, processPending } from '../src/process-instance';
import { createRuleBook } from '../src/rule-book';
import { createInstanceCalls, type EngineParts } from '../src/rules-engine';
import { engineFixture, type EngineFixture } from './support/engine-fixture';
import { Ended, failingStore } from './support/failing-store';

const later = leakCheck();

async function started(options: Parameters<typeof engineFixture>[0] = {}): Promise<EngineFixture> {
  const fixture = await engineFixture(options);
  later(() => fixture.close());
  return fixture;
}

/** The dependencies of the engine, over another store. */
function partsOver(on: EngineFixture, store: Store): EngineParts {
  const { clock, logger, metrics, sealer, bus, config } = on.system.platform;
  const executions = createExecutions({ store, sealer, clock, logger, publisher: bus.publisher(), webUrl: '' });
  const systemUser = config.system_user.user;
  return { store, executions, book: createRuleBook(store, clock), instances: createInstanceCalls(store), clock, logger, metrics, systemUser, expressionLimits: DEFAULT_ALLOWANCE, wakeAt: () => undefined }; // oxfmt-ignore
}

/** The records that an instance has led to, without ids and times. */
async function led(on: EngineFixture) {
  const executions = await on.executions();
  const enforcements = await on.enforcements();
  const traces = await on.store.traces.list();
  return {
    executions: executions.map(({ request_key, parameters, status }) => ({ request_key, parameters, status })),
    enforcements: enforcements.map(({ request_key, status, execution_id: id }) => ({
      request_key,
      status,
      linked: executions.find(({ _id }) => _id === id)?.request_key,
    })),
    traces: traces.map(({ rules, action_executions, trigger_instances }) => [
      trigger_instances.length,
      rules.length,
      action_executions.length,
    ]),
  };
}

async function withRules(on: EngineFixture): Promise<void> {
  await on.rule({ name: 'plain', action: { ref: 'tests.action', parameters: { text: '{{ trigger.a }}' } } });
  await on.rule({ name: 'failing', action: { ref: 'tests.action', parameters: { text: '{{ trigger.no }}' } } });
  await on.rule({ name: 'once', correlation: { once_within: { seconds: 60 } } });
  await on.rule({ name: 'both', correlation: { accumulate: { count: 2, within_seconds: 60 } } });
}

it('a crash at any point leads to the same records as no crash', async () => {
  const on = await started({ engines: 0 });
  await withRules(on);
  await processAll(on, await on.stored({ a: 0 }));
  const byKey = (list: { request_key?: string | undefined }[], id: string) =>
    list
      .filter(({ request_key: key }) => key?.startsWith(id))
      .map((each) => JSON.parse(JSON.stringify(each).replaceAll(id, 'INSTANCE')) as unknown);
  const lasting: unknown[] = [];
  for (const takesPlace of [false, true]) {
    for (let calls = 1; calls < 100; calls++) {
      // Each round starts with the state of the first one.
      for (const { _id } of await on.store.rules.list()) await on.store.rules.remove(_id);
      await withRules(on);
      const first = await on.stored({ a: 'first' });
      await processAll(on, first);
      const instance = await on.stored({ a: 'second' });
      const claimed = (await on.store.triggerInstances.claim(instance._id, 1)) as TriggerInstanceRecord;
      const crash = processInstance(partsOver(on, failingStore(on.store, calls, takesPlace)), claimed, false);
      const ended = await crash.then(
        () => false,
        (error: unknown) => error instanceof Ended,
      );
      await processInstance(partsOver(on, on.store), claimed, true);
      const { executions, enforcements } = await led(on);
      const rules = new Map((await on.store.rules.list()).map(({ _id, name }) => [_id, name]));
      const named = (text: string) => [...rules].reduce((all, [id, name]) => all.replaceAll(id, name), text);
      const outcome = named(JSON.stringify([byKey(executions, instance._id), byKey(enforcements, instance._id)]));
      lasting.push(outcome);
      expect((await on.store.triggerInstances.get(instance._id))?.status).toBe('processed');
      if (!ended) break;
    }
  }
  expect(lasting.length).toBeGreaterThan(30);
  expect(new Set(lasting)).toEqual(new Set([lasting.at(-1)]));
  expect(lasting[0]).toContain('"INSTANCE:both"');
  expect(lasting[0]).not.toContain('"INSTANCE:once"');
});

it('a crash while an instance is pending leads to the same records as no crash', async () => {
  const on = await started({ engines: 0 });
  await on.rule({ name: 'other', criteria: { 'trigger.a': { type: 'eq', pattern: 'never' } } });
  const plain = await on.rule({ name: 'plain', criteria: { 'trigger.a': { type: 'eq', pattern: 'wanted' } } });
  const payloads = [{ a: 'wanted' }, { a: 'unwanted' }];
  const rounds: unknown[] = [];
  for (const payload of payloads)
    for (const takesPlace of [false, true])
      for (let calls = 1; calls < 100; calls++) {
        const tag = `tag-${rounds.length}`;
        const instance = await on.stored(payload, { trace_context: { trace_tag: tag } });
        const crash = processPending(partsOver(on, failingStore(on.store, calls, takesPlace)), instance);
        const ended = await crash.then(
          () => false,
          (error: unknown) => error instanceof Ended,
        );
        await sweptUp(on, instance);
        expect(await on.store.triggerInstances.get(instance._id)).toMatchObject({
          status: 'processed',
          outcome: { matched: payload.a === 'wanted' ? [plain.ref] : [], rules: 2 },
        });
        const executions = (await on.executions()).filter(({ request_key: key }) => key?.startsWith(instance._id));
        const [trace, ...others] = await on.store.traces.list({ filter: { trace_tag: tag } });
        rounds.push([payload.a, executions.length, trace?.trigger_instances.length, trace?.rules.length, others]);
        if (!ended) break;
      }
  expect(rounds.length).toBeGreaterThan(10);
  expect(new Set(rounds.map((round) => JSON.stringify(round)))).toEqual(
    new Set(['["wanted",1,1,1,[]]', '["unwanted",0,1,0,[]]']),
  );
});

/** Picks up what a crash left behind, as the sweep does. */
async function sweptUp(on: EngineFixture, { _id }: TriggerInstanceRecord): Promise<void> {
  const left = (await on.store.triggerInstances.get(_id)) as TriggerInstanceRecord;
  const claimed = left.due && (await on.store.triggerInstances.reclaim(left, on.system.platform.clock.nowMicros()));
  if (claimed) await processInstance(partsOver(on, on.store), claimed, left.status === 'processing');
}

it('an instance that matches no rule is left to the engine that claimed it', async () => {
  const on = await started({ engines: 0 });
  const instance = await on.stored();
  await on.store.triggerInstances.claim(instance._id, on.system.platform.clock.nowMicros());
  await processPending(partsOver(on, on.store), instance);
  expect(await on.store.triggerInstances.get(instance._id)).toMatchObject({ status: 'processing' });
});

async function processAll(on: EngineFixture, ...instances: TriggerInstanceRecord[]): Promise<void> {
  for (const { _id } of instances) {
    const claimed = await on.store.triggerInstances.claim(_id, on.system.platform.clock.nowMicros());
    if (claimed) await processInstance(partsOver(on, on.store), claimed, false);
  }
}

it('repeated messages to several engines change nothing', async () => {
  const on = await started({ engines: 3 });
  await withRules(on);
  const instance = await on.stored({ a: 1 });
  await on.tell(...Array.from({ length: 30 }, () => instance));
  await on.dealtWith(instance._id);
  const { executions, enforcements } = await led(on);
  await on.tell(instance, instance);
  await on.happens({ a: 2 });
  const after = await led(on);
  expect(executions).toHaveLength(3);
  expect(enforcements.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded', 'succeeded']);
  expect(after.executions.filter(({ request_key: key }) => key?.startsWith(instance._id))).toEqual(executions);
});

it('two engines that process one instance at the same time create one execution', async () => {
  const on = await started({ engines: 0 });
  await withRules(on);
  const instance = await on.stored({ a: 1 });
  const claimed = (await on.store.triggerInstances.claim(instance._id, 1)) as TriggerInstanceRecord;
  await Promise.all([0, 1, 2].map(() => processInstance(partsOver(on, on.store), claimed, true)));
  const { executions, enforcements } = await led(on);
  expect(executions.map(({ request_key: key }) => key)).toHaveLength(3);
  expect(enforcements).toHaveLength(3);
});

it('an instance whose message was never sent is picked up', async () => {
  const on = await started();
  const rule = await on.rule();
  const instance = await on.stored();
  expect((await on.dealtWith(instance._id)).outcome?.matched).toEqual([rule.ref]);
});

it('a backlog from a time without engines is processed at the start', async () => {
  const on = await started({ engines: 0, overrides: { sweep: { interval_ms: 60_000, older_than_ms: 60_000 } } });
  await on.rule();
  const instances = await Promise.all(Array.from({ length: 30 }, () => on.stored()));
  await on.addEngine();
  for (const { _id } of instances) expect((await on.dealtWith(_id)).status).toBe('processed');
  expect(await on.executions()).toHaveLength(30);
});

it('an instance whose message was lost is picked up once a lost connection to the broker is replaced', async () => {
  const opened = await openTestPlatform({ sweep: { interval_ms: 60_000, older_than_ms: 60_000 } });
  const { platform, reconnect } = withReconnects(opened);
  const on = await started({ platform });
  const rule = await on.rule();
  const instance = await on.stored();
  reconnect();
  expect((await on.dealtWith(instance._id)).outcome?.matched).toEqual([rule.ref]);
});

it('an instance whose engine was killed is picked up by another one', async () => {
  const on = await started({ engines: 0 });
  const rule = await on.rule();
  const instance = await on.stored();
  await on.store.triggerInstances.claim(instance._id, on.system.platform.clock.nowMicros());
  await on.addEngine();
  expect((await on.dealtWith(instance._id)).outcome?.matched).toEqual([rule.ref]);
});

it('a stopping engine finishes its work, and the other one does the rest', async () => {
  const on = await started({ engines: 1 });
  const own = testClock();
  const leaving = await on.addEngine(own);
  await on.rule();
  const instances = await Promise.all(Array.from({ length: 60 }, (_, n) => on.stored({ n })));
  await on.tell(...instances);
  await leaving.stop();
  expect(own.pending).toBe(0);
  for (const { _id } of instances) await on.dealtWith(_id);
  expect(await on.executions()).toHaveLength(60);
});

it('two engines process a burst of 1,000 instances, each exactly once', async () => {
  const on = await started({ engines: 2 });
  const rule = await on.rule({ action: { ref: 'tests.action', parameters: { number: '{{ trigger.n }}' } } });
  const numbers = Array.from({ length: 1000 }, (_, n) => n);
  const instances: TriggerInstanceRecord[] = [];
  for (const n of numbers) instances.push(await on.stored({ n }));
  // Every tenth instance is announced twice, every seventh not at all.
  await on.tell(...instances.flatMap((one, n) => (n % 7 === 0 ? [] : n % 10 === 0 ? [one, one] : [one])));
  for (const { _id } of instances) await on.dealtWith(_id);
  const executions = await on.executions();
  expect(executions.map(({ parameters }) => Number(parameters['number'])).sort((a, b) => a - b)).toEqual(numbers);
  expect(await on.enforcements(rule)).toHaveLength(1000);
  expect(await on.store.triggerInstances.count({ status: 'processed' })).toBe(1000);
});
