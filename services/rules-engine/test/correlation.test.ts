import { SECOND_MICROS, SECOND_MS } from '@switchyard/base';
import type { RuleRecord, TriggerInstanceRecord } from '@switchyard/model';
import { eventually, handClock, leakCheck, type HandClock } from '@switchyard/testkit/system';
import { engineFixture, type EngineFixture } from './support/engine-fixture';

const later = leakCheck();

/** A system in which the engines use a separate clock that stands still. */
async function started(engines = 1) {
  const clock = handClock();
  const on = await engineFixture({ engines: 0 });
  later(() => on.close());
  for (let i = 0; i < engines; i++) await on.addEngine(clock);
  return { on, clock, now: () => ({ occurrence_time: clock.nowMicros() }) };
}

const texts = async (on: EngineFixture) => (await on.executions()).map(({ parameters }) => parameters['text']);

const saying = (correlation: Record<string, unknown>, text = '{{ trigger.n }}'): Partial<RuleRecord> => ({
  correlation,
  action: { ref: 'tests.action', parameters: { text } },
});

const suppressed = ({ outcome }: TriggerInstanceRecord) => outcome?.suppressed?.map(({ by }) => by) ?? [];

it('throttle passes a number of events in each group, and reports the others', async () => {
  const { on, clock, now } = await started();
  await on.rule(saying({ throttle: { count: 2, seconds: 60, group_by: '{{ trigger.host }}' } }, '{{ trigger.host }}{{ trigger.n }}')); // oxfmt-ignore
  const outcomes: string[][] = [];
  for (let n = 0; n < 4; n++)
    for (const host of ['a', 'b']) {
      outcomes.push(suppressed(await on.happens({ n, host }, now())));
      clock.advance(SECOND_MS);
    }
  expect(await texts(on)).toEqual(['a0', 'b0', 'a1', 'b1']);
  expect(outcomes.slice(4)).toEqual([['throttle'], ['throttle'], ['throttle'], ['throttle']]);
  clock.advance(60 * SECOND_MS);
  await on.happens({ n: 9, host: 'a' }, now());
  expect(await texts(on)).toContain('a9');
});

it('once_within runs once, whichever engines receive the events', async () => {
  const { on, now } = await started(3);
  await on.rule(saying({ once_within: { seconds: 10 } }));
  const instances = await Promise.all(Array.from({ length: 40 }, (_, n) => on.stored({ n }, now())));
  await on.tell(...instances);
  for (const { _id } of instances) await on.dealtWith(_id);
  expect(await on.executions()).toHaveLength(1);
});

it('accumulate passes the payloads of all events to the action', async () => {
  const { on, clock, now } = await started(2);
  await on.rule(saying({ accumulate: { count: 3, within_seconds: 60 } }, "{{ trigger.events | map(attribute='n') | list }} {{ trigger.n }}")); // oxfmt-ignore
  for (let n = 0; n < 7; n++) {
    await on.happens({ n }, now());
    clock.advance(SECOND_MS);
  }
  expect(await texts(on)).toEqual(['[0, 1, 2] 2', '[3, 4, 5] 5']);
});

it('accumulate drops events that are too old', async () => {
  const { on, clock, now } = await started();
  await on.rule(saying({ accumulate: { count: 2, within_seconds: 10 } }));
  await on.happens({ n: 1 }, now());
  clock.advance(11 * SECOND_MS);
  await on.happens({ n: 2 }, now());
  expect(await texts(on)).toEqual([]);
  clock.advance(SECOND_MS);
  await on.happens({ n: 3 }, now());
  expect(await texts(on)).toEqual(['3']);
});

describe('debounce', () => {
  const quiet = (on: EngineFixture) => on.rule(saying({ debounce: { seconds: 30 } }));
  const until = (on: EngineFixture, clock: HandClock, wanted: string[]) =>
    eventually(
      async () => {
        // An engine that was busy while the time passed has set its timer for now.
        clock.advance(0);
        const enforced = (await on.enforcements()).length === wanted.length;
        return enforced && JSON.stringify(await texts(on)) === JSON.stringify(wanted);
      },
      () => `the executions ${wanted.join()}`,
    );

  it('runs for the last event after the quiet time', async () => {
    const { on, clock, now } = await started(2);
    await quiet(on);
    for (let n = 0; n < 3; n++) {
      expect(suppressed(await on.happens({ n }, now()))).toEqual(['debounce']);
      clock.advance(20 * SECOND_MS);
    }
    expect(await texts(on)).toEqual([]);
    clock.advance(10 * SECOND_MS);
    await until(on, clock, ['2']);
    clock.advance(3600 * SECOND_MS);
    await on.happens({ n: 3 }, now());
    clock.advance(31 * SECOND_MS);
    await until(on, clock, ['2', '3']);
  });

  it('survives a stop of every engine', async () => {
    const { on, clock, now } = await started(0);
    const first = await on.addEngine(clock);
    await quiet(on);
    await on.happens({ n: 1 }, now());
    await first.stop();
    clock.advance(3600 * SECOND_MS);
    await on.addEngine(clock);
    await until(on, clock, ['1']);
  });

  it('is dropped with its rule', async () => {
    const { on, clock, now } = await started();
    const rule = await quiet(on);
    await on.happens({ n: 1 }, now());
    await on.store.rules.replace({ ...rule, enabled: false });
    clock.advance(31 * SECOND_MS);
    await eventually(
      async () => {
        clock.advance(0);
        return (await on.store.ruleStates.nextDue()) === undefined;
      },
      () => 'the state to be settled',
    );
    expect(await on.executions()).toEqual([]);
  });

  it('runs once when the engine that took it dies before it is settled', async () => {
    const { on, clock, now } = await started();
    await quiet(on);
    await on.happens({ n: 1 }, now());
    const [state] = await on.store.ruleStates.due(Number.MAX_SAFE_INTEGER, 1);
    const pending = state!.pending.map((event) => ({ ...event, taken: true, due: state!.due! + 5 * SECOND_MICROS }));
    const due = pending[0]!.due;
    expect(await on.store.ruleStates.save({ ...state!, pending, due, revision: state!.revision + 1 })).toBe(true);
    clock.advance(31 * SECOND_MS);
    // Another engine has it; a new event starts anew.
    await on.happens({ n: 2 }, now());
    clock.advance(36 * SECOND_MS);
    await until(on, clock, ['1', '2']);
  });
});
