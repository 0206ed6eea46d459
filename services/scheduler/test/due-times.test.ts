import { deferred, type Micros } from '@switchyard/base';
import { handClock } from '@switchyard/testkit/system';
import { createDueTimes } from '../src/capacity';

const START: Micros = 1_000_000;

/** @param stored the time that the store returns next */
function asked(stored: Micros | undefined) {
  const clock = handClock();
  const store = { time: stored, queries: 0, answered: Promise.resolve() };
  const nextDue = async () => {
    store.queries += 1;
    const { time } = store;
    await store.answered;
    return time;
  };
  return { clock, store, times: createDueTimes({ nextDue }, clock) };
}

it('asks the store once a second for each pool', async () => {
  const { clock, store, times } = asked(undefined);
  expect(await times.next('a', START)).toBeUndefined();
  clock.advance(999);
  expect(await times.next('a', START)).toBeUndefined();
  expect(store.queries).toBe(1);
  await times.next('b', START);
  expect(store.queries).toBe(2);
  clock.advance(1);
  store.time = START + 5;
  expect(await times.next('a', START)).toBe(START + 5);
});

it('asks again once the time is reached, or when an execution gets a delay', async () => {
  const { store, times } = asked(START + 5);
  expect(await times.next('a', START)).toBe(START + 5);
  store.time = START + 9;
  expect(await times.next('a', START + 4)).toBe(START + 5);
  expect(await times.next('a', START + 5)).toBe(START + 9);
  store.time = START + 7;
  times.forget();
  expect(await times.next('a', START + 5)).toBe(START + 7);
});

it('does not keep an answer that may be from before a delay', async () => {
  const { store, times } = asked(undefined);
  const answer = deferred();
  store.answered = answer.promise;
  const before = times.next('a', START);
  times.forget();
  answer.resolve();
  expect(await before).toBeUndefined();
  store.time = START + 5;
  expect(await times.next('a', START)).toBe(START + 5);
});
