import { setFlagsFromString } from 'node:v8';
import { Thread } from '../../src/threads/thread';
import { ThreadPool } from '../../src/threads/thread-pool';
import type { Evaluation } from '../../src/turns/evaluation';
import { inThread } from './in-thread';

/** Less than the gigabyte of production threads, which fail in the same way. */
const MEMORY_MB = 40;
const MINUTE_MS = 60_000;

const SCOPE = { variables: {}, functions: new Map() };
const yaql = (source: string): Evaluation => ({
  ...{ language: 'yaql', form: 'native', source, scope: SCOPE },
  limits: { durationMs: MINUTE_MS },
});
const template = (source: string): Evaluation => ({
  ...{ language: 'template', form: 'native', source, context: {} },
  options: { limits: { steps: 2_000_000, size: 16_000_000, durationMs: MINUTE_MS } },
});

/** Each element is a chain of pending iterators: the most memory that a step can take. */
const ITERATORS = `range(100000).select(range(1)${'.select($)'.repeat(12)}).toList().len()`;
const LISTS =
  '{% set all = namespace(of=[]) %}{% for a in range(9999) %}{% set _ = all.of.append(range(9999) | list) %}{% endfor %}{{ all.of | length }}';

// The tests run with larger semi-spaces. With these, V8 promotes more in one step than it allows a thread at its limit, and ends the process.
setFlagsFromString('--max-semi-space-size=16');

describe('an evaluation that exhausts the memory of its thread', () => {
  const pool = new ThreadPool(() => new Thread(MEMORY_MB));

  test.each<[string, Evaluation, object]>([
    [
      'YAQL',
      yaql(ITERATORS),
      { kind: 'MemoryQuotaExceededException', message: expect.stringContaining('consumed too much memory') },
    ],
    ['Jinja', template(LISTS), { kind: 'BudgetError', message: 'The template exceeds its memory limit.' }],
  ])('in %s fails alone, and other evaluations succeed', async (_, hungry, error) => {
    const all = await Promise.all(
      [hungry, yaql('1 + 1'), yaql('2 + 2'), hungry, yaql('3 + 3')].map((e) => inThread(e, pool)),
    );
    expect(all).toEqual([
      { error: expect.objectContaining(error) },
      { value: 2 },
      { value: 4 },
      { error: expect.objectContaining(error) },
      { value: 6 },
    ]);
    expect(await inThread(yaql('4 + 4'), pool)).toEqual({ value: 8 });
  });
});
