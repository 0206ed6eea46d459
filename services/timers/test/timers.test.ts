import { SECOND_MS } from '@switchyard/base';
import { leakCheck, eventually } from '@switchyard/testkit/platform';
import { CRON_TIMER, DATE_TIMER, INTERVAL_TIMER, WEBHOOK } from '@switchyard/triggers';
import type { ConfigOverrides } from '@switchyard/config';
import { everySeconds, startBench, tell, type Bench } from './bench';

const later = leakCheck();

async function started(overrides: ConfigOverrides = {}): Promise<Bench> {
  const bench = await startBench(overrides, later);
  await bench.start();
  return bench;
}

const HOUR_MS = 3600 * SECOND_MS;

describe('a timer', () => {
  it('fires repeatedly, in the phase in which it was registered', async () => {
    const bench = await started();
    bench.clock.advance(250);
    const trigger = await bench.add(...everySeconds(10), { name: 'tick' });
    await bench.untilDue(trigger, '2030-01-01T00:00:10.250Z');
    bench.clock.advance(10 * SECOND_MS);
    await bench.ticks(trigger, 1);
    await bench.untilDue(trigger, '2030-01-01T00:00:20.250Z');
    bench.clock.advance(10 * SECOND_MS);
    const [first, second, ...more] = await bench.ticks(trigger, 2);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      trigger: 'core.tick',
      status: 'pending',
      due: ['rules-engine'],
      payload: {
        executed_at: expect.stringMatching(/^2030-01-01 00:00:10\.25\d{4}\+00:00$/),
        schedule: { unit: 'seconds', delta: 10 },
      },
      trace_context: { trace_tag: 'st2.IntervalTimer-tick' },
      request_key: `timer:${trigger._id}:${Date.UTC(2030, 0, 1, 0, 0, 10, 250) * 1000}`,
    });
    expect(second?.request_key).toBe(`timer:${trigger._id}:${Date.UTC(2030, 0, 1, 0, 0, 20, 250) * 1000}`);
  });

  it('fires once at a date', async () => {
    const bench = await started();
    const trigger = await bench.add(DATE_TIMER, { date: '2030-01-01T01:00:00', timezone: 'Europe/London' });
    await bench.untilDue(trigger, '2030-01-01T01:00:00.000Z');
    bench.clock.advance(HOUR_MS);
    await bench.ticks(trigger, 1);
    await eventually(
      async () => (await bench.due(trigger)) === undefined,
      () => 'the timer to have no further time',
    );
    expect((await bench.platform.store.timers.get(trigger._id))?.fired).toBe(Date.UTC(2030, 0, 1, 1) * 1000);
  });

  it('for a date in the past stays and never fires', async () => {
    const bench = await started();
    const past = await bench.add(DATE_TIMER, { date: '2014-12-31T23:59:59Z' });
    const other = await bench.add(...everySeconds(1));
    await bench.untilDue(other, '2030-01-01T00:00:01.000Z');
    bench.clock.advance(SECOND_MS);
    await bench.ticks(other, 1);
    expect(await bench.instances(past)).toEqual([]);
    expect(await bench.platform.store.timers.get(past._id)).not.toHaveProperty('due_at');
    expect(bench.platform.log.join('\n')).toContain('no future date');
  });

  it('without a zone uses the configured one, and follows its changes', async () => {
    const bench = await started({ timersengine: { local_timezone: 'Asia/Tokyo' } });
    const trigger = await bench.add(CRON_TIMER, { hour: 12 });
    await bench.untilDue(trigger, '2030-01-01T03:00:00.000Z');
    await bench.stop();
    const { config } = bench.platform;
    const timersengine = { ...config.timersengine, local_timezone: 'America/New_York' };
    await bench.start({ config: { ...config, timersengine } });
    await bench.untilDue(trigger, '2030-01-01T17:00:00.000Z');
  });
});

describe('triggers that change', () => {
  it('take effect at once', async () => {
    const bench = await started();
    const trigger = await bench.add(...everySeconds(10));
    await bench.untilDue(trigger, '2030-01-01T00:00:10.000Z');
    const changed = { ...trigger, parameters: { unit: 'minutes', delta: 10 }, parameters_hash: 'other' };
    bench.clock.advance(5 * SECOND_MS);
    await bench.platform.store.triggers.replace(changed);
    await tell(bench.platform, 'update', changed);
    await bench.untilDue(trigger, '2030-01-01T00:10:05.000Z');
    await bench.remove(changed);
    await eventually(
      async () => !(await bench.platform.store.timers.get(trigger._id)),
      () => 'the timer to be gone',
    );
  });

  it('keep their phase when only the description changes', async () => {
    const bench = await started();
    const trigger = await bench.add(...everySeconds(10));
    await bench.untilDue(trigger, '2030-01-01T00:00:10.000Z');
    bench.clock.advance(5 * SECOND_MS);
    const changed = { ...trigger, description: 'other' };
    await bench.platform.store.triggers.replace(changed);
    await tell(bench.platform, 'update', changed);
    const marker = await bench.add(...everySeconds(60));
    await bench.untilDue(marker, '2030-01-01T00:01:05.000Z');
    expect(await bench.due(trigger)).toBe('2030-01-01T00:00:10.000Z');
  });

  it('are found by the sweep when the message is lost', async () => {
    const bench = await started({ sweep: { interval_ms: 1000 } });
    const gone = await bench.add(...everySeconds(7));
    await bench.untilDue(gone, '2030-01-01T00:00:07.000Z');
    await bench.platform.store.triggers.remove(gone._id);
    const trigger = await bench.add(...everySeconds(10), { silently: true });
    bench.clock.advance(15 * SECOND_MS);
    await eventually(
      async () => (await bench.due(trigger)) !== undefined && (await bench.due(gone)) === undefined,
      () => 'the sweep to have read both',
    );
  });

  it('of other types are ignored', async () => {
    const bench = await started();
    const hook = await bench.add(WEBHOOK, { url: 'a' });
    const marker = await bench.add(...everySeconds(60));
    await bench.untilDue(marker, '2030-01-01T00:01:00.000Z');
    expect(await bench.platform.store.timers.get(hook._id)).toBeUndefined();
  });
});

describe('invalid timers', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    [INTERVAL_TIMER, { unit: 'seconds', delta: -1 }, /delta .* 1 or more, got -1/],
    [INTERVAL_TIMER, { unit: 'eons', delta: 1 }, /eons/],
    [CRON_TIMER, { hour: 1, timezone: 'Europe/Atlantis' }, /Europe\/Atlantis/],
    [CRON_TIMER, { hour: 99 }, /hour/],
    [DATE_TIMER, { date: 'whenever' }, /whenever/],
  ])('%s %j: is reported once, and the others continue', async (type, parameters, reason) => {
    const bench = await startBench({ sweep: { interval_ms: 1000 } }, later);
    const bad = await bench.add(type, parameters, { silently: true });
    const good = await bench.add(...everySeconds(1), { silently: true });
    await bench.start();
    await bench.untilDue(good, '2030-01-01T00:00:01.000Z');
    for (let second = 1; second <= 20; second++) {
      bench.clock.advance(SECOND_MS);
      await bench.ticks(good, second);
    }
    await tell(bench.platform, 'update', bad);
    const marker = await bench.add(...everySeconds(60));
    await bench.untilDue(marker, '2030-01-01T00:01:20.000Z');
    const lines = bench.platform.log.filter((line) => line.includes('Ignoring an invalid timer'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(reason);
    expect(await bench.instances(bad)).toEqual([]);
  });
});

describe('a service that was down', () => {
  it.each([
    ['fire_all', 35, 3, '2030-01-01T00:00:50.000Z'],
    ['fire_once', 35, 1, '2030-01-01T00:00:50.000Z'],
    ['skip', 35, 0, '2030-01-01T00:00:50.000Z'],
    ['fire_all', 2 * 3600, 6, '2030-01-01T02:00:20.000Z'],
    ['fire_once', 2 * 3600, 1, '2030-01-01T02:00:20.000Z'],
    ['skip', 2 * 3600, 0, '2030-01-01T02:00:20.000Z'],
  ])('under %s, for %d s, catches up on %d ticks and keeps the phase', async (misfire, seconds, made, next) => {
    const bench = await started({ timersengine: { misfire } });
    const trigger = await bench.add(...everySeconds(10));
    await bench.untilDue(trigger, '2030-01-01T00:00:10.000Z');
    bench.clock.advance(10 * SECOND_MS);
    await bench.ticks(trigger, 1);
    await bench.untilDue(trigger, '2030-01-01T00:00:20.000Z');
    await bench.stop();
    bench.clock.advance(seconds * SECOND_MS);
    await bench.start();
    await bench.untilDue(trigger, next);
    expect(await bench.instances(trigger)).toHaveLength(1 + made);
  });

  it('while a timer was registered fires the ticks that became due meanwhile', async () => {
    const bench = await startBench({}, later);
    const trigger = await bench.add(DATE_TIMER, { date: '2030-01-01T00:00:20Z' }, { silently: true });
    bench.clock.advance(50 * SECOND_MS);
    await bench.start();
    await bench.ticks(trigger, 1);
  });

  it('finds a tick that was fired but not advanced, and does not fire it again', async () => {
    const bench = await started();
    const trigger = await bench.add(...everySeconds(10));
    await bench.untilDue(trigger, '2030-01-01T00:00:10.000Z');
    await bench.stop();
    bench.clock.advance(11 * SECOND_MS);
    const requestKey = `timer:${trigger._id}:${Date.UTC(2030, 0, 1, 0, 0, 10) * 1000}`;
    await bench.triggers.dispatch({ trigger: trigger.ref, payload: {}, requestKey, validate: false });
    await bench.start();
    await bench.untilDue(trigger, '2030-01-01T00:00:20.000Z');
    expect(await bench.instances(trigger)).toHaveLength(1);
  });
});

describe('a wall clock that jumps', () => {
  it('ahead is noticed within seconds', async () => {
    const bench = await startBench({}, later);
    let jump = 0;
    const clock = { ...bench.clock, nowMicros: () => bench.clock.nowMicros() + jump, after: bench.clock.after };
    await bench.start({ clock });
    const trigger = await bench.add(CRON_TIMER, { hour: 1 });
    await bench.untilDue(trigger, '2030-01-01T01:00:00.000Z');
    jump = HOUR_MS * 1000;
    bench.clock.advance(2 * SECOND_MS);
    await bench.ticks(trigger, 1);
    await bench.untilDue(trigger, '2030-01-02T01:00:00.000Z');
  });

  it('back does not stop an interval for that long', async () => {
    const bench = await startBench({}, later);
    const fast = { ...bench.clock, nowMicros: () => bench.clock.nowMicros() + 20 * 365 * 24 * HOUR_MS * 1000 };
    await bench.start({ clock: fast });
    const trigger = await bench.add(...everySeconds(10));
    await bench.untilDue(trigger, '2049-12-27T00:00:10.000Z');
    await bench.stop();
    await bench.start();
    await bench.untilDue(trigger, '2030-01-01T00:00:10.000Z');
  });
});

describe('the service', () => {
  it('continues after ticks could not be stored for a while', async () => {
    const bench = await startBench({}, later);
    let down = true;
    await bench.start({
      dispatch: (request) => (down ? Promise.reject(new Error('no store')) : bench.triggers.dispatch(request)),
    });
    const trigger = await bench.add(...everySeconds(10));
    await bench.untilDue(trigger, '2030-01-01T00:00:10.000Z');
    bench.clock.advance(10 * SECOND_MS);
    await eventually(
      () => bench.platform.log.some((line) => line.includes('no store')),
      () => 'the failure to be reported',
    );
    down = false;
    // The service reports the failure first, and starts the retry a moment later.
    const [first] = await eventually(
      async () => {
        bench.clock.advance(20);
        const found = await bench.instances(trigger);
        return found.length > 0 && found;
      },
      () => 'the tick that could not be stored',
    );
    expect(first?.request_key).toBe(`timer:${trigger._id}:${Date.UTC(2030, 0, 1, 0, 0, 10) * 1000}`);
  });

  it('ends immediately when timers are disabled', async () => {
    const bench = await started({ timersengine: { enable: false } });
    await bench.service.finished;
    expect(bench.clock.pending).toBe(0);
    expect(await bench.platform.store.instances.list('timers')).toEqual([]);
  });

  it('leaves nothing behind', async () => {
    const bench = await started();
    expect(await bench.service.health()).toMatchObject({ live: true, ready: true });
    expect(await bench.platform.store.instances.list('timers')).toHaveLength(1);
    await bench.stop();
    await bench.service.finished;
    expect(bench.clock.pending).toBe(0);
    expect(await bench.platform.store.instances.list('timers')).toEqual([]);
    expect(await bench.platform.store.elections.get('timers')).not.toHaveProperty('holder');
  });

  it('records metrics', async () => {
    const bench = await started();
    const trigger = await bench.add(...everySeconds(10));
    await bench.untilDue(trigger, '2030-01-01T00:00:10.000Z');
    bench.clock.advance(10 * SECOND_MS);
    await bench.ticks(trigger, 1);
    await bench.untilDue(trigger, '2030-01-01T00:00:20.000Z');
    const page = await bench.platform.metrics.page.text();
    expect(page).toContain('svc_timers_fired_total{type="IntervalTimer"} 1');
    expect(page).toContain('svc_timers_active 1');
    expect(page).toContain('svc_timers_lateness_seconds_count 1');
  });
});
