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

it('waits for releases on arrival to end, also if they fail', async () => {
  const { attempts } = counted();
  let [fail, ended] = [(_: Error) => {}, false];
  const arriving = attempts.onArrival(waiting(), () => new Promise((_, reject) => (fail = reject)));
  const waited = attempts.arrivalsEnded().then(() => (ended = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(false);
  fail(new Error('no store'));
  await expect(arriving).rejects.toThrow('no store');
  await waited;
  await attempts.arrivalsEnded();
});

it('releases once what arrives twice at a time', async () => {
  const { arrive, releases } = counted();
  await Promise.all([arrive(), arrive()]);
  expect(releases()).toBe(1);
});
