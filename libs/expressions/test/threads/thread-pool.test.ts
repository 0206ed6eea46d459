import { fault } from '@switchyard/base';
import { SLOW_YAQL, SLOW_YAQL_VALUE } from '@switchyard/testkit/hold-up';
import { evaluateYaql, inTurns, Unread, withReads } from '../../src';
import { jobOf } from '../../src/threads/job';
import { Thread } from '../../src/threads/thread';
import { threadPool } from '../../src/threads/thread-pool';
import type { ScopedExpression } from '../../src/turns/evaluation';
import { inThread } from './in-thread';

const QUICK = { variables: {}, functions: new Map() };
const expression = (source: string): ScopedExpression => ({ language: 'yaql', form: 'native', source, scope: QUICK });

const asking = (name: string, call: () => unknown) => ({
  variables: {},
  functions: new Map([[name, { parameters: [], required: 0, call }]]),
});

describe('the threads', () => {
  test('are lent in the order in which they are asked for', async () => {
    const lent: number[] = [];
    const borrowed = Array.from({ length: 8 }, async (_, n) => {
      const thread = await threadPool.borrow();
      lent.push(n);
      return thread;
    });
    for (const thread of borrowed) threadPool.giveBack(await thread);
    // The first two wait for their threads to start.
    expect(lent.filter((n) => n > 1)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test('refuse what comes when too much waits, and go on with the rest', async () => {
    const all = await Promise.allSettled(Array.from({ length: 10_100 }, (_, n) => inThread(expression(`${n}`))));
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10_100 - 10_000 - 2);
    expect(refused[0]).toMatchObject({ reason: { status: 503, code: 'expression.busy' } });
    expect(await inThread(expression('1 + 1'))).toEqual({ value: 2 });
  });

  test('are free again when the work is given up that they wait for', async () => {
    const outage = fault('expression.busy');
    for (let round = 0; round < 3; round += 1) {
      const work = withReads((read) => {
        const scope = asking('fetch', () => read('a', () => Promise.reject(outage)));
        return evaluateYaql(`[${SLOW_YAQL}, fetch()]`, scope);
      });
      await expect(work).rejects.toBe(outage);
    }
    expect(await inThread(expression('1 + 1'))).toEqual({ value: 2 });
  });

  test('are told once what is asked again and again, and not without end', async () => {
    let calls = 0;
    const scope = asking('next', () => (calls += 1));
    const counting = { ...scope.functions.get('next')!, parameters: ['n'] };
    const many = { variables: {}, functions: new Map([['next', counting]]) };
    const [same, others] = await Promise.allSettled([
      inTurns(() => evaluateYaql(`[${SLOW_YAQL}, range(50).select(next()).distinct().len()]`, scope)),
      inTurns(() => evaluateYaql(`[${SLOW_YAQL}, range(5000).select(next($)).len()]`, many)),
    ]);
    expect(same).toEqual({ status: 'fulfilled', value: [SLOW_YAQL_VALUE, 1] });
    expect(others).toMatchObject({ reason: { message: 'More than 1000 values are read by one evaluation.' } });
    expect(calls).toBe(1 + 1_000);
  });
});

test('a thread that goes beyond its time is ended', async () => {
  const thread = new Thread();
  await thread.ready();
  const heard = await thread.begin(jobOf(expression(SLOW_YAQL), undefined), -500);
  expect([heard.kind, thread.isAlive]).toEqual(['overtime', false]);
  expect(await thread.begin(jobOf(expression('1'), undefined), 1_000)).toMatchObject({ kind: 'died' });
});

test('a thread that waits for an answer can be ended', async () => {
  const thread = new Thread();
  await thread.ready();
  const evaluation = { ...expression('fetch()'), scope: asking('fetch', () => 1) };
  expect(await thread.begin(jobOf(evaluation, undefined), 1_000)).toMatchObject({ question: { name: 'fetch' } });
  const ended = thread.reply({ value: 1 }, 1_000);
  thread.end();
  expect(await ended).toMatchObject({ kind: expect.stringMatching(/died|outcome/) as string });
  expect(thread.isAlive).toBe(false);
});

test('what is asked for goes through a thread as an interruption', async () => {
  const seen: unknown[] = [];
  let there = false;
  const scope = asking('fetch', () => {
    if (there) return 'it';
    throw new Unread('key', () => Promise.resolve());
  });
  const value = await inTurns(
    () => evaluateYaql(`[${SLOW_YAQL}, fetch()]`, scope),
    (interruption) => {
      seen.push((interruption as Unread).key);
      there = true;
      return Promise.resolve();
    },
  );
  expect([value, seen]).toEqual([[SLOW_YAQL_VALUE, 'it'], ['key']]);
});
