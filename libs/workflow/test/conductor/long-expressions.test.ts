import { withReads } from '@switchyard/expressions';
import { MASK, SecretTexts } from '@switchyard/model';
import { longestHoldUp, MOST_HELD_UP, SLOW_YAQL, SLOW_YAQL_VALUE } from '@switchyard/testkit/hold-up';
import { Conductor, parseWorkflow } from '@switchyard/workflow';

const spec = parseWorkflow(`
version: 1.0
vars: [{n: "<% ${SLOW_YAQL} %>"}]
tasks:
  a:
    action: x.y
    next:
      - when: <% ${SLOW_YAQL} > 0 and succeeded() and task_status(a) = succeeded %>
        publish: [{sum: "<% ${SLOW_YAQL} + result().plus + ctx(n) %>"}]
        do: each
  each:
    with: <% let(x => ${SLOW_YAQL}) -> range(3).select($ + $x - ${SLOW_YAQL_VALUE}) %>
    action: x.y
    input: {n: "<% item() + ctx(sum) %>"}
`);

const started = { task: 'a', route: 0, status: 'running' } as const;
const ended = { task: 'a', route: 0, status: 'succeeded', result: { plus: 2 } } as const;

describe('long expressions of a workflow', () => {
  it('block nothing, and have the same values', async () => {
    const { result, share } = await longestHoldUp(async () => {
      const conductor = await withReads(() => Conductor.create(spec));
      conductor.requestStatus('running');
      await withReads(() => conductor.nextTasks());
      await withReads(() => conductor.taskEvent(started));
      await withReads(() => conductor.taskEvent(ended));
      const [each] = await withReads(() => conductor.nextTasks());
      return [conductor.status, conductor.errors, each?.actions.map(({ input }) => input)];
    });
    const sum = SLOW_YAQL_VALUE * 2 + 2;
    expect(result).toEqual(['running', [], [{ n: sum }, { n: sum + 1 }, { n: sum + 2 }]]);
    expect(share).toBeLessThan(MOST_HELD_UP);
  });

  it('leave the state unchanged until the call has finished', async () => {
    const conductor = await withReads(() => Conductor.create(spec));
    conductor.requestStatus('running');
    await withReads(() => conductor.nextTasks());
    conductor.taskEvent(started);
    conductor.takeChanges();
    const call = withReads(() => conductor.taskEvent(ended));
    expect([conductor.statusOf('a', 0), conductor.takeChanges()]).toEqual(['running', undefined]);
    await call;
    expect([conductor.statusOf('a', 0), conductor.errors]).toEqual(['succeeded', []]);
  });

  it.each([
    ['a datastore item that it reads', `st2kv('system.a').substring(0, 5)`, MASK],
    ['a datastore item that it decrypts', `st2kv('system.a', decrypt => true).substring(0, 5)`, MASK],
    ['a variable with a secret', `ctx(secret).substring(0, 5)`, MASK],
    ['a value that is not secret', `ctx(open)`, 'abc'],
  ])('are masked like short ones when they fail or follow a failure: %s', async (_name, text, shown) => {
    const messages = await Promise.all(
      [
        [`<% ${SLOW_YAQL} + int(${text}) %>`, '1'],
        [`<% int(${text}) %>`, `<% ${SLOW_YAQL} %>`],
        [`<% int(${text}) %>`, '1'],
      ].map(async ([expression = '', next]) => {
        const values = `vars: [{secret: hunter2xy}, {open: abc}]\noutput: [{v: "${expression}"}, {next: "${next}"}]`;
        const failing = parseWorkflow(`version: 1.0\n${values}\ntasks: {a: {action: x.y}}`);
        const conductor = Conductor.create(failing, {}, { secrets: new SecretTexts(['hunter2xy']) });
        conductor.requestStatus('running');
        conductor.nextTasks();
        conductor.taskEvent(started);
        conductor.taskEvent(ended);
        await withReads((read) => {
          const datastore = () => read('a', () => Promise.resolve('hunter2xy'));
          return conductor.output({ lookups: { datastore } });
        });
        return conductor.errors.map(({ message }) => message.replace(expression, '…')).join();
      }),
    );
    expect(messages).toEqual([messages[2], messages[2], expect.stringContaining(shown)]);
    expect(messages[2]).not.toContain('hunte');
  });
});
