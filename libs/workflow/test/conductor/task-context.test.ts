import { Conductor, parseWorkflow, type Lookups } from '@switchyard/workflow';

const spec = parseWorkflow(`
version: 1.0
input: [{ kept: { a: 1 } }]
vars:
  - item: "<% st2kv('system.pw', decrypt => true) %>"
tasks:
  one:
    action: x.y
    next:
      - when: <% succeeded() %>
        publish: [{ n: "<% result() %>" }, { kept: { b: 2 } }]
        do: [left, right]
      - publish: [{ m: "<% concat(st2kv('system.pw', decrypt => true), '!') %>" }]
        do: meet
  left: { action: x.y, next: [{ publish: [{ l: 1 }], do: meet }] }
  right: { action: x.y, next: [{ publish: [{ r: 2 }], do: meet }] }
  meet: { join: all, action: x.y }
`);

const lookups: Lookups = { datastore: ({ decrypt }) => (decrypt ? '{"pin": 1234}' : 'sealed') };
const given = { st2: { user: 'ada' }, parent: {} };

function started(): Conductor {
  const conductor = Conductor.create(spec, { context: given }, { lookups });
  conductor.requestStatus('running');
  return conductor;
}

function run(conductor: Conductor, task: string): void {
  conductor.nextTasks();
  conductor.taskEvent({ task, route: 0, status: 'running' });
  conductor.taskEvent({ task, route: 0, status: 'succeeded', result: 7 }, { lookups });
}

const of = (task: string, round = 1) => ({ task, route: 0, round });

describe('the context of a task', () => {
  it('has the variables before it, and what each transition published', () => {
    const conductor = started();
    run(conductor, 'one');
    const before = { kept: { a: 1 }, item: '{"pin": 1234}' };
    expect(conductor.contextOf(of('one'))).toEqual({
      status: 'succeeded',
      before,
      after: [
        { to: ['left', 'right'], published: { n: 7, kept: { a: 1, b: 2 } } },
        { to: ['meet'], published: { m: '{"pin": 1234}!' } },
      ],
    });
    run(conductor, 'left');
    run(conductor, 'right');
    run(conductor, 'meet');
    expect(conductor.contextOf(of('meet'))).toMatchObject({ before: { l: 1, r: 2, n: 7 }, after: [] });
  });

  it('is missing for a run that there was not', () => {
    const conductor = started();
    run(conductor, 'one');
    expect([conductor.contextOf(of('one', 2)), conductor.contextOf(of('left'))]).toEqual([undefined, undefined]);
  });
});

it('what expressions decrypt, and what they make of it, is reported once', () => {
  const conductor = started();
  conductor.nextTasks();
  conductor.taskEvent({ task: 'one', route: 0, status: 'running' });
  expect(conductor.takeChanges()?.secrets).toEqual(expect.arrayContaining(['{"pin": 1234}', '1234']));
  conductor.taskEvent({ task: 'one', route: 0, status: 'succeeded', result: 7 }, { lookups });
  const { secrets = [] } = conductor.takeChanges()!;
  expect(secrets).toContain('{"pin": 1234}!');
  expect(secrets).not.toContain('1234');
});
