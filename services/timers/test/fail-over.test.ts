import { setTimeout as delay } from 'node:timers/promises';
import { CRON_TIMER, INTERVAL_TIMER } from '@switchyard/triggers';
import { isoToMicros, SECOND_MICROS, SECOND_MS } from '@switchyard/base';
import type { TriggerInstanceRecord, TriggerRecord } from '@switchyard/model';
import { eventually, leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { rounds } from '@switchyard/testkit/rounds';
import { aTrigger } from './bench';
import { mortal, type Mortal } from './mortal';

/** How often the leader is killed or suspended. */
const ROUNDS = rounds(5);
/** How late a tick may be on an idle machine: `ON_TIME_MS=250 npx jest services/timers`. */
const ON_TIME_MS = Number(process.env['ON_TIME_MS'] ?? Number.POSITIVE_INFINITY);
const LEASE_MS = 600;

const later = leakCheck();

async function opened(leaseMs: number): Promise<TestPlatform> {
  const platform = await openTestPlatform({ instances: { heartbeat_ms: 100, lease_ms: leaseMs } });
  later(() => platform.close());
  return platform;
}

/** Timers that fire every second, of every type that can. */
async function timersOf(platform: TestPlatform, count: number): Promise<TriggerRecord[]> {
  const triggers = [aTrigger(CRON_TIMER, { second: '*' })];
  for (let i = 1; i < count; i++) {
    await delay(70);
    // The zone has no effect on an interval, but makes it another timer.
    triggers.push(aTrigger(INTERVAL_TIMER, { unit: 'seconds', delta: 1, timezone: `Etc/GMT+${i}` }));
  }
  for (const trigger of triggers) await platform.store.triggers.insert(trigger);
  return triggers;
}

const dueOf = ({ request_key: key = '' }: TriggerInstanceRecord): number => Number(key.split(':')[2]);

/** The times at which ticks of a trigger were due, in order. */
async function ticksOf({ store }: TestPlatform, { ref }: TriggerRecord): Promise<TriggerInstanceRecord[]> {
  const found = await store.triggerInstances.list({ filter: { trigger: ref } });
  return found.sort((a, b) => dueOf(a) - dueOf(b));
}

it('a timer never fires too early, and its delay is printed', async () => {
  // As long as in production, so that a busy machine does not look dead.
  const platform = await opened(6000);
  const service = mortal(platform);
  await service.start();
  later(() => service.stop());
  const [trigger] = (await timersOf(platform, 1)) as [TriggerRecord];
  let ticks: TriggerInstanceRecord[] = [];
  for (let count = 1; count <= 8; count++)
    ticks = await eventually(
      async () => {
        const found = await ticksOf(platform, trigger);
        return found.length >= count && found;
      },
      () => `tick ${count}`,
    );
  // The first ticks waited until the sweep found their trigger.
  const lateMs = ticks.slice(-5).map((tick) => {
    const at = isoToMicros(String(tick.payload['executed_at'])) as number;
    return (at - dueOf(tick)) / 1000;
  });
  console.info(`late by ${lateMs.map((ms) => ms.toFixed(1)).join(', ')} ms`);
  expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...lateMs)).toBeLessThanOrEqual(ON_TIME_MS);
});

it(
  `no tick is lost or doubled while leaders are killed and stopped, ${ROUNDS} times`,
  async () => {
    const platform = await opened(LEASE_MS);
    const triggers = await timersOf(platform, 5);
    const living = new Set<Mortal>();
    const join = async () => {
      const service = mortal(platform);
      await service.start();
      living.add(service);
    };
    const leader = () =>
      eventually(
        async () => {
          for (const service of living) if (await service.leads()) return service;
          return undefined;
        },
        () => 'a leader',
      );
    later(async () => {
      for (const service of living) await service.stop();
    });
    await join();
    await join();
    const frozen: Mortal[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const doomed = await leader();
      await delay(Math.random() * SECOND_MS);
      living.delete(doomed);
      if (round % 3 === 2) {
        doomed.freeze();
        frozen.push(doomed);
      } else await doomed.kill();
      await leader();
      // The suspended service wakes up in the middle of its tick, before it has noticed that it was replaced.
      for (const service of frozen.splice(0)) {
        service.thaw();
        living.add(service);
      }
      if (living.size < 2) await join();
    }
    await leader();
    const end = Date.now() * 1000;
    for (const trigger of triggers)
      await eventually(
        async () => dueOf((await ticksOf(platform, trigger)).at(-1) as TriggerInstanceRecord) > end,
        () => `${trigger.ref} to continue`,
      );
    let count = 0;
    for (const trigger of triggers) {
      const dues = (await ticksOf(platform, trigger)).map(dueOf);
      const steps = dues.slice(1).map((due, index) => due - (dues[index] as number));
      expect([trigger.ref, steps.filter((step) => step !== SECOND_MICROS)]).toEqual([trigger.ref, []]);
      count += dues.length;
    }
    console.info(`${ROUNDS} leaders lost, ${count} ticks`);
  },
  60_000 + ROUNDS * 5000,
);
