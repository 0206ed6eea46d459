import { Allowance, evaluate, evaluateYaql, ExpressionError, inTurns, Interruption, renderText, Unread, withReads } from '../../src'; // oxfmt-ignore
import { longestHoldUp, MOST_HELD_UP, SLOW_TEMPLATE, SLOW_TEMPLATE_VALUE, SLOW_YAQL, SLOW_YAQL_VALUE } from '@switchyard/testkit/hold-up'; // oxfmt-ignore
import { scopeOf } from '../evaluate/scope-of';

/** Longer than a slice, but not too long for the main thread, where code is slow under Jest. */
const LONG = 'range(0, 100).select(let(a => $) -> range(0, 400).where($ * 2 - $ = $a).len()).sum()';
const LONG_VALUE = 100;

const QUICK = { variables: {}, functions: new Map() };

describe('work in turns', () => {
  test.each([
    ['an expression of YAQL', () => evaluate(`<% ${SLOW_YAQL} %>`, scopeOf({})), SLOW_YAQL_VALUE],
    ['a template with blocks', () => evaluate(SLOW_TEMPLATE, scopeOf({})), SLOW_TEMPLATE_VALUE],
    ['a template', () => renderText(SLOW_TEMPLATE, {}), SLOW_TEMPLATE_VALUE],
  ])('does not block other tasks with %s', async (_name, work, expected) => {
    const { result, share } = await longestHoldUp(() => inTurns(work));
    expect(result).toEqual(expected);
    expect(share).toBeLessThan(MOST_HELD_UP);
  });

  test('yields to other tasks between many short expressions', async () => {
    const source = 'range(0, 3000).select($ * 2).sum()';
    const work = () => Array.from({ length: 500 }, () => evaluateYaql(source, QUICK)).length;
    const { result, share } = await longestHoldUp(() => inTurns(work));
    expect(result).toBe(500);
    expect(share).toBeLessThan(MOST_HELD_UP);
  });

  test('evaluates each expression once, however often it is interrupted', async () => {
    let calls = 0;
    const count = { parameters: [], required: 0, call: () => (calls += 1) };
    const scope = { variables: {}, functions: new Map([['count', count]]) };
    const result = await withReads((read) => {
      const first = evaluateYaql('count()', scope);
      const slow = evaluateYaql(SLOW_YAQL, scope);
      const item = read('a', () => Promise.resolve('read'));
      return [first, slow, item, evaluateYaql('count()', scope), evaluateYaql('random()', scope)];
    });
    expect(result).toEqual([1, SLOW_YAQL_VALUE, 'read', 2, expect.any(Number)]);
    expect(calls).toBe(2);
  });

  test('gives a random expression the same value in all attempts', async () => {
    const seen = new Set<unknown>();
    await inTurns(() => {
      seen.add(evaluateYaql('random()', QUICK));
      seen.add(evaluateYaql('now()', QUICK));
      evaluateYaql(SLOW_YAQL, QUICK);
      evaluateYaql(SLOW_YAQL, QUICK);
    });
    expect(seen.size).toBe(2);
  });

  test('finishes even if it differs between attempts', async () => {
    let attempt = 0;
    const work = () => {
      attempt += 1;
      if (attempt % 2 === 0) evaluateYaql('1 + 1', QUICK);
      return attempt > 5 ? 'done' : evaluateYaql(`${SLOW_YAQL} + ${attempt}`, QUICK);
    };
    await expect(inTurns(work)).resolves.toBe('done');
  });

  test('is interrupted even if it catches the interruption', async () => {
    const work = () => {
      try {
        return evaluateYaql(SLOW_YAQL, QUICK);
      } catch {
        return 'caught';
      }
    };
    await expect(inTurns(work)).resolves.toBe(SLOW_YAQL_VALUE);
  });

  test('rejects with an unhandled interruption', async () => {
    class Strange extends Interruption {}
    const strange = new Strange();
    await expect(inTurns(() => { throw strange; })).rejects.toBe(strange); // oxfmt-ignore
  });
});

const LATER = `${SLOW_YAQL} > 0 and`;

describe('a long expression', () => {
  test('calls the host in the matching state', async () => {
    const state = { status: 'before' };
    const scope = scopeOf({ name: 'web1' }, { taskStatus: () => state.status, item: 7 });
    const answer = await inTurns(() => {
      state.status = 'within';
      try {
        const source = `[${SLOW_YAQL}, ctx().name, ctx(name), item(), task_status(a), task_status(a)]`;
        return evaluateYaql(source, scope);
      } finally {
        state.status = 'rolled back';
      }
    });
    expect(answer).toEqual([SLOW_YAQL_VALUE, 'web1', 'web1', 7, 'within', 'within']);
  });

  test('awaits what its functions read, and reads it once', async () => {
    let reads = 0;
    const answer = await withReads((read) => {
      const load = () => Promise.resolve(void (reads += 1)).then(() => 'stored');
      const scope = scopeOf({}, { datastore: ({ name }) => read(name, load) });
      return evaluate(`<% [${SLOW_YAQL}, st2kv('system.a'), st2kv('system.a')] %>`, scope);
    });
    expect({ answer, reads }).toEqual({ answer: [SLOW_YAQL_VALUE, 'stored', 'stored'], reads: 1 });
  });

  test('also reads the datastore from templates', async () => {
    const read: string[] = [];
    const items = new Map<string, string>();
    const datastore = ({ name }: { name: string }) => {
      if (!items.has(name)) throw new Unread(name, () => Promise.resolve());
      return items.get(name);
    };
    const text = await inTurns(
      () => renderText(`${SLOW_TEMPLATE}{{ st2kv.system.a }}{{ name }}`, { name: 'x', other: () => 1 }, { datastore }),
      (interruption) => {
        read.push((interruption as Unread).key);
        items.set('a', 'A');
        return Promise.resolve();
      },
    );
    expect({ text, read }).toEqual({ text: `${SLOW_TEMPLATE_VALUE}Ax`, read: ['a'] });
  });

  test.each([
    ['of its own', `<% ${LATER} 1 / 0 %>`, { kind: 'YaqlEvaluationException', message: expect.stringContaining('ZeroDivisionError') }],
    ['of a function', `<% ${LATER} ctx(nope) %>`, { kind: 'YaqlEvaluationException', message: expect.stringContaining('VariableUndefinedError: The variable "nope" is undefined.') }],
  ])('fails with an error %s', async (_name, text, expected) => {
    const failure = await inTurns(() => evaluate(text, scopeOf({}))).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ExpressionError);
    expect(failure).toMatchObject(expected);
  }); // oxfmt-ignore

  test('rethrows the same error object that a function has thrown', async () => {
    const thrown = new Error('of the host');
    const fail = () => {
      throw thrown;
    };
    const scope = { variables: {}, functions: new Map([['fail', { parameters: [], required: 0, call: fail }]]) };
    const failure = await inTurns(() => evaluateYaql(`${LATER} fail()`, scope)).catch((error: unknown) => error);
    expect((failure as Error).cause).toBe(thrown);
  });

  test('runs on the main thread if its data cannot be sent', async () => {
    const scope = scopeOf({ odd: { method: () => 1 }, plain: 2 });
    await expect(inTurns(() => evaluateYaql(`[${LONG}, ctx().plain]`, scope))).resolves.toEqual([LONG_VALUE, 2]);
  });
});

const ENDLESS = 'range(0, 100000).select(range(0, 100000).len()).sum()';
const LOOP = '{% for i in range(100000) %}{% for j in range(100000) %}{{ i }}{% endfor %}{% endfor %}';
const MATCHING = '{% for i in range(10000) %}{{ ("aaaab" * 250) | regex_replace("(a+)b", "c") | length }}{% endfor %}';

describe('the limits of a long expression', () => {
  test.each([
    ['its steps, in YAQL', () => evaluateYaql(ENDLESS, QUICK), 'Expression takes more than 5000000 steps'],
    ['its steps, in Jinja', () => renderText(LOOP, {}), 'The template exceeds its limit of 2000000 steps.'],
    ['its time, in YAQL', () => evaluateYaql(ENDLESS, QUICK, { durationMs: 100, steps: 1e9 }), 'Expression takes longer than 100 ms'],
    ['its time, in Jinja', () => renderText(MATCHING, {}, { limits: { steps: 1e9, size: 1e6, durationMs: 100 } }), 'The template exceeds its limit of 100 ms.'],
  ])('are %s', async (_name, work, message) => {
    const { result, share } = await longestHoldUp(() => inTurns(work).catch((error: unknown) => error));
    expect(result).toMatchObject({ message });
    expect(share).toBeLessThan(MOST_HELD_UP);
  }); // oxfmt-ignore

  test.each([
    ['steps', { steps: 1_000_000, durationMs: 60_000 }, SLOW_YAQL, 'Expressions take more than 1000000 steps together'],
    ['time', { steps: 1e9, durationMs: 60 }, ENDLESS, 'Expressions take more than 60 ms together'],
  ])('include the %s of all expressions together', async (_name, limits, slow, message) => {
    const work = () => new Allowance(limits).run(() => ['range(0, 9).len()', slow].map((each) => evaluateYaql(each, QUICK, { steps: 1e9, durationMs: 60_000 }))); // oxfmt-ignore
    await expect(inTurns(work)).rejects.toMatchObject({ message });
  });

  test('count an evaluation in a thread once', async () => {
    const allowance = new Allowance({ steps: 5_000_000, durationMs: 60_000 });
    const alone = new Allowance({ steps: 5_000_000, durationMs: 60_000 });
    alone.run(() => evaluateYaql(LONG, QUICK));
    await inTurns(() => allowance.run(() => evaluateYaql(LONG, QUICK)));
    expect(allowance.balance).toBe(alone.balance);
  });
});
