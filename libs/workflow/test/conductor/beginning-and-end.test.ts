import { Conductor, parseWorkflow } from '@switchyard/workflow';
import { Player } from './player';

const begun = (definition: string, inputs = {}, context = {}): Conductor =>
  Conductor.create(parseWorkflow(`version: 1.0\n${definition}`), { inputs, context });

const inputsOf = (conductor: Conductor): unknown => {
  conductor.requestStatus('running');
  return conductor.nextTasks()[0]?.actions[0]?.input;
};

describe('inputs and variables', () => {
  const definition = `
input: [a, {b: <% ctx().parent.user %>}, {c: <% ctx().b %>}]
vars: [{d: <% ctx().a %>}]
tasks: {t: {action: x.y, input: '<% dict(a => ctx().a, b => ctx().b, c => ctx().c, d => ctx().d) %>'}}
`;

  it('have the passed values or their defaults, each seeing those before it', () => {
    const context = { parent: { user: 'jo' } };
    expect(inputsOf(begun(definition, { a: 1, other: 2 }, context))).toEqual({ a: 1, b: 'jo', c: 'jo', d: 1 });
    expect(inputsOf(begun(definition, { b: null }, context))).toEqual({ a: null, b: null, c: null, d: null });
  });

  it('are not evaluated when passed', () => {
    const given = inputsOf(begun(definition, { a: '<% 1 + 1 %>', b: '{{ 2 }}' })) as Record<string, unknown>;
    expect([given['a'], given['d'], given['b']]).toEqual(['<% 1 + 1 %>', '<% 1 + 1 %>', '{{ 2 }}']);
  });

  it('that cannot be evaluated end the run, each with its own error', () => {
    const conductor = begun(
      'input: [{a: <% ctx().x %>}]\nvars: [{b: <% ctx().y %>}, {c: 1}]\ntasks: {t: {action: x.y}}',
    );
    expect(conductor.status).toBe('failed');
    expect(conductor.errors.map(({ message }) => message)).toEqual([
      "YaqlEvaluationException: Unable to resolve key 'x' in expression '<% ctx().x %>' from context.",
      "YaqlEvaluationException: Unable to resolve key 'y' in expression '<% ctx().y %>' from context.",
    ]);
  });
});

describe('tasks that cannot be rendered', () => {
  it('all report their errors, and none is dispatched', () => {
    const play = new Player(`
tasks:
  a: {action: x.y, input: {v: <% ctx().x %>}}
  b: {action: <% ctx().y %>}
  c: {action: x.y, delay: <% soon %>}
  d: {action: x.y}
`);
    expect(play.handOut()).toEqual([]);
    expect([play.status, play.conductor.errors.map(({ task_id, route }) => [task_id, route])]).toEqual([
      'failed',
      [['a', 0], ['b', 0], ['c', 0]],
    ]); // oxfmt-ignore
  });
});

describe('transitions that cannot be evaluated', () => {
  it('fail the run with an error for each destination', () => {
    const play = new Player(`
tasks:
  a: {action: x.y, next: [{when: <% ctx().x %>, do: 'b, c'}, {publish: [{p: <% ctx().y %>}, {q: <% ctx().z %>}], do: b}]}
  b: {action: x.y}
  c: {action: x.y}
`);
    play.startAll();
    expect(play.report('a', 'succeeded')).toBe('failed');
    expect(play.conductor.errors.map(({ task_transition_id: id }) => id)).toEqual(['b__t0', 'b__t1', 'b__t1', 'c__t0']);
  });
});

describe('the output', () => {
  const definition = `
output: [{a: <% ctx().v %>}, {b: <% ctx().nothing %>}, {c: <% ctx().a + 1 %>}]
vars: [{v: 1}]
tasks: {t: {action: x.y}}
`;

  it('omits what cannot be rendered, and turns a success into a failure', () => {
    const play = new Player(definition);
    expect(play.conductor.output()).toBeNull();
    play.finish();
    expect(play.status).toBe('succeeded');
    expect(play.conductor.output()).toEqual({ a: 1, c: 2 });
    expect([play.status, play.conductor.errors.length]).toEqual(['failed', 1]);
    play.conductor.output();
    expect(play.conductor.errors).toHaveLength(1);
  });

  it('is rendered for a canceled run, which stays canceled', () => {
    const play = new Player(definition);
    play.startAll();
    play.request('canceled');
    play.report('t', 'canceled');
    expect([play.conductor.output(), play.status]).toEqual([{ a: 1, c: 2 }, 'canceled']);
  });

  it('is rendered again after a rerun, with new errors', () => {
    const play = new Player(definition);
    play.finish();
    play.conductor.output();
    play.conductor.rerun([{ task: 't' }]);
    expect([play.conductor.output(), play.messages()]).toEqual([null, []]);
    play.finish();
    expect(play.conductor.output()).toEqual({ a: 1, c: 2 });
  });
});

describe('a definition in the dialect of action chains', () => {
  it('sees variables by bare names and results of tasks, and replaces published values', () => {
    const transition = { publish: [{ name: 'm', value: '{{ first.code }}' }] };
    const conductor = Conductor.create(
      {
        dialect: 'chain',
        tags: [],
        input: [{ name: 'given' }],
        vars: [{ name: 'm', value: 'was {{ given }}' }],
        tasks: new Map([
          ['first', { name: 'first', action: 'x.{{ y }}', input: { v: '{{ m }}' }, resultAs: 'first', next: [{ ...transition, do: ['second'] }] }],
          ['second', { name: 'second', action: 'x.y', input: { m: '{{ m }}', code: '{{ first.code }}', all: '{{ __results.first.code }}' }, next: [] }],
        ]),
        start: ['first'],
        output: [{ name: 'm', value: '<% ctx().m %>' }],
        finally: [],
      },
      { inputs: { given: '{{ data }}' } },
    ); // oxfmt-ignore
    conductor.requestStatus('running');
    expect(conductor.nextTasks()[0]?.actions).toEqual([{ action: 'x.{{ y }}', input: { v: 'was {{ data }}' } }]);
    conductor.taskEvent({ task: 'first', route: 0, status: 'succeeded', result: { code: 7 } });
    expect(conductor.nextTasks()[0]?.actions[0]?.input).toEqual({ m: '7', code: '7', all: '7' });
    conductor.taskEvent({ task: 'second', route: 0, status: 'succeeded' });
    expect(conductor.output()).toEqual({ m: '7' });
  });
});

describe('the output', () => {
  const STEPS = `
vars: [{x: start}]
output: [{x: <% ctx().x %>}]
tasks:
  a: {action: x.y, next: [{publish: [{x: published}], do: b}]}
  b: {action: x.y, input: {n: <% INPUT %>}, next: [{when: <% failed() %>, do: c}]}
  c: {action: x.y}
`;

  it('has the values published last, even if the next task cannot be rendered', () => {
    const play = new Player(STEPS.replace('INPUT', 'ctx().x + 1'));
    play.startAll();
    play.report('a', 'succeeded');
    expect(play.handOut()).toEqual([]);
    expect([play.status, play.conductor.output()]).toEqual(['failed', { x: 'published' }]);
  });

  it('is the same whether or not the last task ended during a pause', () => {
    for (const isPaused of [false, true]) {
      const play = new Player(STEPS.replace('INPUT', 'ctx().x'));
      play.startAll();
      play.report('a', 'succeeded');
      play.startAll();
      if (isPaused) play.request('pausing');
      expect(play.report('b', 'succeeded')).toBe(isPaused ? 'paused' : 'succeeded');
      if (isPaused) expect(play.request('resuming')).toBe('succeeded');
      expect(play.conductor.output()).toEqual({ x: 'published' });
    }
  });
});
