import { fault } from '@switchyard/base';
import { SLOW_YAQL, SLOW_YAQL_VALUE } from '@switchyard/testkit/hold-up';
import { setTimeout as delay } from 'node:timers/promises';
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

describe('the thread pool', () => {
  test('lends threads in the order of requests', async () => {
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

  test('refuses requests when too many wait, and serves the rest', async () => {
    const all = await Promise.allSettled(Array.from({ length: 10_100 }, (_, n) => inThread(expression(`${n}`))));
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10_100 - 10_000 - 2);
    expect(refused[0]).toMatchObject({ reason: { status: 503, code: 'expression.busy' } });
    expect(await inThread(expression('1 + 1'))).toEqual({ value: 2 });
  });

  test('frees threads when the work that they wait for is abandoned', async () => {
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

  test('answers a repeated question once, and limits the number of questions', async () => {
    let calls = 0;
    const scope = asking('next', () => (calls += 1));
    const counting = { ...scope.functions.get('next')!, parameters: ['n'] };
    const many = { variables: {}, functions: new Map([['next', counting]]) };
    const [same, others] = await Promise.allSettled([
      inTurns(() => evaluateYaql(`[${SLOW_YAQL}, range(50).select(next()).distinct().len()]`, scope)),
      inTurns(() => evaluateYaql(`[${SLOW_YAQL}, range(5000).select(next($)).len()]`, many)),
    ]);
    expect(same).toEqual({ status: 'fulfilled', value: [SLOW_YAQL_VALUE, 1] });
    expect(others).toMatchObject({ reason: { message: 'One evaluation may read at most 1000 values.' } });
    expect(calls).toBe(1 + 1_000);
    // Two thousand times one thread waits for the other, and on a busy machine for a processor as well.
  }, 240_000);
});

test('a thread that exceeds its time is terminated', async () => {
  const thread = new Thread();
  await thread.ready();
  const heard = await thread.begin(jobOf(expression(SLOW_YAQL), undefined), -500);
  expect([heard.kind, thread.isAlive]).toEqual(['overtime', false]);
  expect(await thread.begin(jobOf(expression('1'), undefined), 1_000)).toMatchObject({ kind: 'died' });
});

test('a thread without a processor keeps its remaining time', async () => {
  const thread = new Thread();
  await thread.ready();
  // Nobody answers the question, so the thread waits.
  const evaluation = { ...expression('fetch()'), scope: asking('fetch', () => 1) };
  await thread.begin(jobOf(evaluation, undefined), 1_000);
  const heard = thread.begin(jobOf(expression('1'), undefined), -490);
  const [kind] = await Promise.all([
    Promise.race([heard.then((each) => each.kind), delay(100, 'waits')]),
    heard.then((each) => expect(each.kind).toBe('overtime')),
  ]);
  expect(kind).toBe(process.platform === 'linux' ? 'waits' : 'overtime');
});

test('a thread that waits for an answer can be terminated', async () => {
  const thread = new Thread();
  await thread.ready();
  const evaluation = { ...expression('fetch()'), scope: asking('fetch', () => 1) };
  expect(await thread.begin(jobOf(evaluation, undefined), 1_000)).toMatchObject({ question: { name: 'fetch' } });
  const ended = thread.reply({ value: 1 }, 1_000);
  thread.end();
  expect(await ended).toMatchObject({ kind: expect.stringMatching(/died|outcome/) as string });
  expect(thread.isAlive).toBe(false);
});

test('a question from a thread reaches the host as an interruption', async () => {
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
