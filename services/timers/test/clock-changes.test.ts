import { SECOND_MS } from '@switchyard/base';
import { eventually, leakCheck } from '@switchyard/testkit/platform';
import { CRON_TIMER } from '@switchyard/triggers';
import { everySeconds, startBench } from './bench';

const later = leakCheck();

/** The start time of the bench. */
const START = Date.UTC(2030, 0, 1);
const timezone = 'Europe/Oslo';

// Oslo: on 31 March 2030 02:00 becomes 03:00 at 01:00Z, on 27 October 03:00 becomes 02:00 at 01:00Z.
describe('a cron timer fires when clocks are set', () => {
  it.each<[string, Record<string, unknown>, string, string[], string]>([
    [
      'forward over its time: at the change',
      { hour: 2, minute: 30 },
      '2030-03-30T12:00:00.000Z',
      ['2030-03-31T01:00:00.000Z', '2030-04-01T00:30:00.000Z'],
      '2030-04-02T00:30:00.000Z',
    ],
    [
      'back over its time: the first time, and not again',
      { hour: 2, minute: 30 },
      '2030-10-26T12:00:00.000Z',
      ['2030-10-27T00:30:00.000Z', '2030-10-28T01:30:00.000Z'],
      '2030-10-29T01:30:00.000Z',
    ],
    [
      'back, and it is for every hour: both times',
      { minute: 30 },
      '2030-10-26T23:45:00.000Z',
      ['2030-10-27T00:30:00.000Z', '2030-10-27T01:30:00.000Z', '2030-10-27T02:30:00.000Z'],
      '2030-10-27T03:30:00.000Z',
    ],
    [
      'forward, and it is for every hour: no tick is missing',
      { minute: 30 },
      '2030-03-30T23:45:00.000Z',
      ['2030-03-31T00:30:00.000Z', '2030-03-31T01:30:00.000Z'],
      '2030-03-31T02:30:00.000Z',
    ],
  ])('%s', async (_, fields, from, dues, next) => {
    const bench = await startBench({}, later);
    let now = Date.parse(from);
    bench.clock.advance(now - START);
    await bench.start();
    const trigger = await bench.add(CRON_TIMER, { ...fields, timezone });
    for (const [index, due] of dues.entries()) {
      await bench.untilDue(trigger, due);
      // Not a second too early.
      bench.clock.advance(Date.parse(due) - now - SECOND_MS);
      expect(await bench.instances(trigger)).toHaveLength(index);
      bench.clock.advance(SECOND_MS);
      await bench.ticks(trigger, index + 1);
      now = Date.parse(due);
    }
    await bench.untilDue(trigger, next);
    const keys = (await bench.instances(trigger)).map(({ request_key: key }) => Number(key?.split(':')[2]) / 1000);
    expect(keys.map((ms) => new Date(ms).toISOString())).toEqual(dues);
  });
});

describe('the clock of the machine is set while the service runs', () => {
  it.each([
    ['back by an hour: intervals start again', -3600, '2029-12-31T23:00:22.000Z'],
    ['back by half a minute: intervals start again', -30, '2029-12-31T23:59:52.000Z'],
    ['back by less than a second: the next tick waits', -0.5, '2030-01-01T00:00:20.000Z'],
    ['forward: intervals keep their phase', 3600, '2030-01-01T01:00:20.000Z'],
  ])('%s', async (_, seconds, next) => {
    const bench = await startBench({}, later);
    await bench.start();
    const trigger = await bench.add(...everySeconds(10));
    await bench.untilDue(trigger, '2030-01-01T00:00:10.000Z');
    bench.clock.advance(10 * SECOND_MS);
    await bench.ticks(trigger, 1);
    await bench.untilDue(trigger, '2030-01-01T00:00:20.000Z');
    bench.clock.setWallClock(seconds * SECOND_MS);
    // This is how soon it is noticed.
    bench.clock.advance(2 * SECOND_MS);
    await bench.untilDue(trigger, next);
  });

  it.each(['before the tick is stored', 'while the tick is stored'])(
    'back by an hour while a timer fires, %s: intervals start again',
    async (moment) => {
      const bench = await startBench({}, later);
      const { store } = bench.platform;
      let isFirst = true;
      const setBack = () => {
        if (isFirst) bench.clock.setWallClock(-3600 * SECOND_MS);
        isFirst = false;
      };
      const isStored = moment.startsWith('while');
      const timers: typeof store.timers = {
        ...store.timers,
        async due(...asked) {
          const found = await store.timers.due(...asked);
          if (found.length > 0 && !isStored) setBack();
          return found;
        },
        async advance(...asked) {
          const isAdvanced = await store.timers.advance(...asked);
          bench.clock.advance(1);
          return isAdvanced;
        },
      };
      const dispatch: typeof bench.triggers.dispatch = (request) => {
        if (isStored) setBack();
        return bench.triggers.dispatch(request);
      };
      await bench.start({ dispatch, store: { ...store, timers } });
      const trigger = await bench.add(...everySeconds(10));
      await bench.untilDue(trigger, '2030-01-01T00:00:10.000Z');
      bench.clock.advance(10 * SECOND_MS);
      const ticks = isStored ? 2 : 1;
      await eventually(
        async () => {
          bench.clock.advance(SECOND_MS / 10);
          return (await bench.instances(trigger)).length >= ticks;
        },
        () => 'the next tick',
      );
      expect(await bench.due(trigger)).toMatch(/^2029-12-31T23:/);
    },
  );
});
