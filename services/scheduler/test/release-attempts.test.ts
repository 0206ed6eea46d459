import { handClock } from '@switchyard/testkit/system';
import { createReleaseAttempts } from '../src/release-attempts';

const waiting = (revision = 1) => ({ _id: 'a', pool: 'default', revision });

/** Attempts, and the number of releases on arrival. */
function counted() {
  const clock = handClock();
  const attempts = createReleaseAttempts(clock);
  let releases = 0;
  const arrive = (revision?: number) => attempts.onArrival(waiting(revision), async () => void releases++);
  return { attempts, arrive, releases: () => releases, clock };
}

it('does not release on arrival what a look has just released, unless it was handed back since', async () => {
  const { attempts, arrive, releases } = counted();
  attempts.inLook(waiting(1));
  await arrive(1);
  expect(releases()).toBe(0);
  await arrive(2);
  expect(releases()).toBe(1);
});

it('forgets what a look has released after at most two seconds', async () => {
  const { attempts, arrive, releases, clock } = counted();
  attempts.inLook(waiting());
  clock.advance(999);
  await arrive();
  for (const other of ['b', 'c']) {
    clock.advance(1000);
    attempts.inLook({ ...waiting(), _id: other });
  }
  expect(releases()).toBe(0);
  await arrive();
  expect(releases()).toBe(1);
});

it('names what is being released on arrival, also if that fails', async () => {
  const { attempts } = counted();
  let fail!: (error: Error) => void;
  const arriving = attempts.onArrival(waiting(), () => new Promise((_, reject) => (fail = reject)));
  expect([...attempts.arriving()]).toEqual(['a']);
  fail(new Error('no store'));
  await expect(arriving).rejects.toThrow('no store');
  expect(attempts.arriving().size).toBe(0);
});

it('releases once what arrives twice at a time', async () => {
  const { arrive, releases } = counted();
  await Promise.all([arrive(), arrive()]);
  expect(releases()).toBe(1);
});
