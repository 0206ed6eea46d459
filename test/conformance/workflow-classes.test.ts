import type { Trace } from '../../libs/workflow/test/conductor/trace';
import { classOfDifference } from './vectors/workflow-classes';

const traced = (steps: readonly object[], tasks: object = TASKS): Trace =>
  ({
    ...{
      name: 'x',
      definition: { version: 1.0, tasks, output: OUTPUT },
      input: {},
      context: {},
      inspect: {},
      trace: steps,
    },
  }) as unknown as Trace;

const TASKS = { j: { action: 'x.y', join: 'all' }, l: { action: 'x.y', with: '<% ctx().x %>' } };

/** A step with the statuses after it. */
const after = (tasks: object, step: object = { op: 'next_tasks', tasks: [] }): object => ({
  ...step,
  after: { workflow: 'running', tasks },
});

const ended = (task: string): object => ({ op: 'task_event', task, route: 0, status: 'succeeded', result: null });

/** A chain whose last transition publishes the output. */
const CHAIN = {
  a: { action: 'x.y', next: [{ do: 'b' }] },
  b: { action: 'x.y', next: [{ publish: [{ n: 4 }], do: 'c' }] },
  c: { action: 'x.y' },
};
const OUTPUT = [{ o: '<% ctx(n) %>' }, { p: '<% ctx(m) %>' }];

/** Two transitions lead from a task to its predecessor in a loop. */
const LOOP = {
  a: { action: 'x.y', input: { message: '<% ctx(n) %>' }, next: [{ when: '<% ctx().n < 6 %>', do: 'b' }] },
  b: { action: 'x.y', next: [{ publish: [{ n: 5 }], do: 'a' }, { do: 'a' }] },
};

/** A join reads what one of its sources publishes. */
const JOINED = {
  a: { action: 'x.y', join: 'all', input: { message: '<% ctx(n) %>' } },
  b: { action: 'x.y', next: [{ publish: [{ n: 5 }], do: 'a' }] },
  c: { action: 'x.y', next: [{ do: 'a' }] },
};

const handOut = (given: string): string =>
  `step 1, next_tasks: hand-out: expected [{"id":"a","route":0,"actions":[]}], got ${given}`;

/** Only the reference runs the task. */
const moved = (task: string): string =>
  `step 1, next_tasks: hand-out: expected [{"id":"${task}","route":0},{"id":"l","route":0}], got [{"id":"l","route":0}]`;

const LOOP_OF_JOINS = { ...LOOP, a: { ...LOOP.a, join: 'all' }, l: TASKS.l };

/** A run that logged an error. */
const failed = (error: object, steps: readonly object[] = []): Trace => ({
  ...traced(steps),
  final: { status: 'failed', output: null, errors: [{ type: 'error', ...error }] },
});

const ending = (theirs: string, ours: string): string =>
  `step 1, task_event: state: expected {"workflow":"${theirs}","tasks":{}}, got {"workflow":"${ours}","tasks":{}}`;

describe('a difference in a recorded workflow', () => {
  it.each<[string, string, Trace]>([
    ['inspection tells a finding more or fewer times', 'inspection: expected a, a, b, got b, a', traced([])],
    ['inspection finds something else', 'inspection: expected a, got nothing', traced([])],
    [
      'a list that succeeded is run again',
      'step 0, rerun: expected a refusal ("AttributeError")',
      traced([{ op: 'rerun', tasks: [{ task_id: 'l' }] }]),
    ],
    [
      'a workflow that was canceled with a half-reached join is canceled',
      ending('failed', 'canceled'),
      failed({ message: 'UnreachableJoinError: …', task_id: 'j' }),
    ],
    ['other', ending('failed', 'canceled'), failed({ message: 'Execution failed.' })],
    [
      'a half-reached join fails a rerun, too',
      ending('succeeded', 'failed'),
      failed({ task_transition_id: 'j__t0' }, [after({}, { op: 'rerun' })]),
    ],
    ['other', ending('succeeded', 'failed'), failed({}, [after({}, { op: 'rerun' })])],
    ['a join runs once a round, with the sources of that round', moved('j'), traced([after({}, { op: 'rerun' })])],
    ['a join runs once a round, with the sources of that round', moved('a'), traced([], LOOP_OF_JOINS)],
    ['other', moved('j'), traced([])],
    [
      'a source whose values could not be evaluated does not count at a join',
      moved('j'),
      failed({ task_transition_id: 'j__t0' }),
    ],
    ['other', moved('j'), failed({ task_transition_id: 'l__t0' })],
    ['an older value does not hide a newer one at a join', 'output: expected {"o":1}, got {"o":4}', traced([], JOINED)],
    [
      'an older value does not hide a newer one at a join',
      handOut('[{"id":"a","route":0,"actions":[1]}]'),
      traced([], JOINED),
    ],
    [
      'a join after a rerun sees what all of its sources handed on',
      handOut('[{"id":"a","route":0,"actions":[1]}]'),
      traced([after({}, { op: 'rerun', tasks: [] })], JOINED),
    ],
    ['other', 'output: expected {"p":1}, got {"p":4}', traced([], JOINED)],
    [
      'other',
      handOut('[{"id":"a","route":0,"actions":[1]}]'),
      traced([], { ...JOINED, a: { action: 'x.y', input: JOINED.a.input } }),
    ],
    ['other', 'output: expected {"a":1}, got {"a":2}', traced([], { l: { action: 'x.y' } })],
    ['other', 'step 1, next_tasks: hand-out: expected [], got [{"id":"l"}]', traced([])],
    [
      'what followed from a rerun task no longer feeds the output',
      'output: expected {"o":4}, got {"o":1}',
      traced([{ op: 'rerun', tasks: [{ task_id: 'a' }] }], CHAIN),
    ],
    [
      'what followed from a rerun task no longer feeds the output',
      'output: expected {"o":4}, got {"o":1}; errors: expected ["error a ","error b "], got ["error a "]',
      traced([{ op: 'rerun', tasks: [{ task_id: 'a' }] }], CHAIN),
    ],
    [
      'other',
      'output: expected {"o":4}, got {"o":1}; errors: expected ["error a "], got ["error a ","error b "]',
      traced([{ op: 'rerun', tasks: [{ task_id: 'a' }] }], CHAIN),
    ],
    [
      'other',
      'output: expected {"o":4,"p":1}, got {"o":4,"p":2}',
      traced([{ op: 'rerun', tasks: [{ task_id: 'a' }] }], CHAIN),
    ],
    ['other', 'output: expected {"o":4}, got {"o":1}', traced([{ op: 'rerun', tasks: [{ task_id: 'c' }] }], CHAIN)],
    [
      'a rerun of all failures leaves out what has succeeded since',
      'step 1, rerun: threw ConductorError: Unable to rerun',
      traced([after({ 'a:0': 'succeeded', 'b:0': 'succeeded' }), { op: 'rerun' }]),
    ],
    [
      'other',
      'step 1, rerun: threw ConductorError: Unable to rerun',
      traced([after({ 'a:0': 'succeeded', 'b:0': 'running' }), { op: 'rerun' }]),
    ],
    [
      'a rerun of all failures leaves out what has succeeded since',
      'step 1, rerun: state: expected {"tasks":{"a:0":null,"b:0":null}}, got {"tasks":{"a:0":"succeeded","b:0":null}}',
      traced([after({ 'a:0': 'succeeded', 'b:0': 'failed' }), { op: 'rerun' }]),
    ],
    [
      'other',
      'step 1, rerun: state: expected {"tasks":{"a:0":"succeeded","b:0":null}}, got {"tasks":{"a:0":"succeeded","b:0":"failed"}}',
      traced([after({ 'a:0': 'succeeded', 'b:0': 'failed' }), { op: 'rerun' }]),
    ],
    [
      'a task that is reached while it runs runs again',
      'step 2, next_tasks: hand-out: expected [], got [{"id":"b","route":0}]',
      traced([after({ 'b:0': 'running' }, ended('a')), after({ 'b:0': 'succeeded' }, ended('b'))], CHAIN),
    ],
    [
      'other',
      'step 2, next_tasks: hand-out: expected [], got [{"id":"b","route":0}]',
      traced([after({ 'b:0': 'succeeded' }, ended('a')), after({ 'b:0': 'succeeded' }, ended('b'))], CHAIN),
    ],
    [
      'a task that is reached while it runs runs again',
      'step 1, next_tasks: hand-out: expected [], got [{"id":"a","route":0,"items_count":2}]',
      traced([after({ 'a:0': 'running' }, ended('b'))], LOOP),
    ],
    [
      'other',
      'step 1, next_tasks: hand-out: expected [], got [{"id":"a","route":0}]',
      traced([after({ 'a:0': 'running' }, ended('b'))], LOOP),
    ],
    [
      'an older value does not hide a newer one in a loop',
      'step 0, task_event a succeeded: state: expected {"workflow":"running"}, got {"workflow":"succeeded"}',
      traced([after({}, ended('a'))], LOOP),
    ],
    [
      'an older value does not hide a newer one in a loop',
      handOut('[{"id":"a","route":0,"actions":[1]}]'),
      traced([], LOOP),
    ],
    ['other', handOut('[]'), traced([], LOOP)],
    ['other', handOut('[{"id":"a","route":0,"actions":[1]}]'), traced([], CHAIN)],
  ])('is attributed to its cause: %s', (cause, text, trace) => {
    expect(classOfDifference(trace, text)).toBe(cause);
  });
});
