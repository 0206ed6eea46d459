import { MINUTE_MS, SECOND_MICROS } from '@switchyard/base';
import { INTERVAL_TIMER, timerSchedule } from '@switchyard/triggers';
import { planTick, type MisfireRule } from '../src/plan-tick';

const every = (delta: number) =>
  timerSchedule(INTERVAL_TIMER, { unit: 'seconds', delta }, { localZone: 'UTC', anchor: 0 });
const seconds = (count: number) => count * SECOND_MICROS;
const rule = (policy: MisfireRule['policy'], graceSeconds = 60): MisfireRule => ({
  policy,
  grace: seconds(graceSeconds),
});

describe('a tick of a timer for every ten seconds', () => {
  // Policy, how old the tick of second 100 is, whether it fires, the second of the next one.
  it.each([
    ['fire_all', 0, true, 110],
    ['fire_all', 0.9, true, 110],
    ['fire_all', 35, true, 110],
    ['fire_all', 60, true, 110],
    ['fire_all', 75, false, 120],
    ['fire_once', 0, true, 110],
    ['fire_once', 35, true, 140],
    ['fire_once', 75, false, 120],
    ['skip', 0.9, true, 110],
    ['skip', 1.1, false, 110],
    ['skip', 35, false, 140],
  ] as const)('under %s, %d s late', (policy, late, fires, next) => {
    expect(planTick(every(10), seconds(100), seconds(100 + late), rule(policy))).toEqual({
      fires,
      next: seconds(next),
    });
  });

  it('fires on time without a grace period', () => {
    expect(planTick(every(10), seconds(100), seconds(100.4), rule('fire_all', 0))).toMatchObject({ fires: true });
  });
});

it.each([
  ['fire_all', 60],
  ['fire_once', 1],
  ['skip', 0],
] as const)(
  'an hour without a service, under %s, makes up for %d ticks of a timer for every second',
  (policy, expected) => {
    const schedule = every(1);
    const now = seconds((60 * MINUTE_MS) / 1000);
    let fired = 0;
    for (let due: number | undefined = seconds(1); due !== undefined && due <= now;) {
      const plan = planTick(schedule, due, now, rule(policy));
      if (plan.fires) fired++;
      due = plan.next;
    }
    expect(fired).toBe(expected);
  },
);
