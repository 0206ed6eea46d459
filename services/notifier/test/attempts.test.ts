import { fault, SECOND_MS } from '@switchyard/base';
import { eventually, handClock } from '@switchyard/testkit/platform';
import { createAttempts } from '../src/notifier';

const away = Object.assign(new Error('gone'), { name: 'MongoServerSelectionError' });
const refused = fault('trigger.unknown', { type: 'x', parameters: '{}' });

/** Work that fails as often as the test says. */
function bench(error: Error, failures = Infinity) {
  const clock = handClock();
  const log: string[] = [];
  const done: string[] = [];
  const given: string[] = [];
  let tries = 0;
  const write = (level: string) => (message: string) => void log.push(`${level} ${message}`);
  const attempts = createAttempts({
    clock,
    logger: { warn: write('warn'), error: write('error') },
    work: async (id) => {
      tries++;
      if (tries <= failures) throw error;
      done.push(id);
    },
    giveUp: async (id) => void given.push(id),
  });
  /** Lets the next attempt take place. */
  const next = async () => {
    const before = log.length + done.length + given.length;
    clock.advance(31 * SECOND_MS);
    await eventually(
      () => log.length + done.length + given.length > before,
      () => 'the next attempt',
    );
  };
  return { attempts, clock, log, done, given, next, tries: () => tries };
}

describe('work that fails', () => {
  it('is retried until it is done', async () => {
    const { attempts, done, next, log } = bench(refused, 3);
    await attempts.begin('a');
    for (let i = 0; i < 3; i++) await next();
    expect(done).toEqual(['a']);
    expect(log).toHaveLength(3);
    await attempts.stop();
  });

  it('is given up with an error in the log when it keeps failing for reasons other than the store', async () => {
    const { attempts, given, next, log, tries, clock } = bench(refused);
    await attempts.begin('a');
    for (let i = 0; i < 6; i++) await next();
    await eventually(
      () => clock.pending === 0,
      () => 'no further attempt to be scheduled',
    );
    expect(given).toEqual(['a']);
    expect(tries()).toBe(6);
    expect(log.filter((line) => line.startsWith('error'))).toHaveLength(1);
    await attempts.stop();
  });

  it('is never given up while the store is unavailable', async () => {
    const { attempts, given, done, next } = bench(away, 20);
    await attempts.begin('a');
    for (let i = 0; i < 20; i++) await next();
    expect([given, done]).toEqual([[], ['a']]);
    await attempts.stop();
  });

  it('is not started twice while it waits', async () => {
    const { attempts, tries, clock } = bench(refused);
    await attempts.begin('a');
    await attempts.begin('a');
    expect(tries()).toBe(1);
    await attempts.stop();
    expect(clock.pending).toBe(0);
    await attempts.begin('b');
    expect(tries()).toBe(1);
  });
});
