import { evaluate, type TaskRecord, workflowFunctions } from '../../src';
import { scopeOf } from '../evaluate/scope-of';

const record: TaskRecord = {
  task_execution_id: 'te1',
  workflow_execution_id: 'we1',
  task_name: 't1',
  task_id: 't1',
  route: 0,
  result: { code: 3 },
  status: 'succeeded',
  start_timestamp: '2026-01-01 00:00:00+00:00',
  end_timestamp: null,
};

const statuses: Readonly<Record<string, string>> = { 't1/0': 'succeeded', 't1/1': 'failed' };
const records: Readonly<Record<string, TaskRecord>> = { 't1/0': record, 't1/1': { ...record, route: 1 } };

const scope = scopeOf(
  { num: 5, text: 'x', __state: { status: 'running' }, __other: 1, st2: { user: 'ada' } },
  {
    item: { a: 1, b: null },
    currentTask: { id: 't1', route: 1, status: 'failed', result: { code: 7 } },
    taskStatus: (id, route = 0) => statuses[`${id}/${route}`],
    task: (id, route = 0) => records[`${id}/${route}`],
  },
);
const bare = scopeOf({ num: 5 });

test.each<[string, string, unknown]>([
  ["<% ctx().num + ctx(num) + ctx('num') %>", "{{ ctx().num + ctx('num') + ctx(key='num') }}", 15],
  ['<% ctx().keys().toList() %>', '{{ ctx() | list }}', ['num', 'text', 'st2']],
  ['<% ctx(null).text %>', '{{ ctx(none).text }}', 'x'],
  ['<% ctx().st2.user %>', '{{ ctx().st2.user }}', 'ada'],
  ['<% item() %>', '{{ item() }}', { a: 1, b: null }],
  ['<% item(a) %>', "{{ item('a') }}", 1],
  ['<% item(b) %>', "{{ item('b') }}", null],
  ['<% result().code %>', '{{ result().code }}', 7],
  ['<% succeeded() %>', '{{ succeeded() }}', false],
  ['<% failed() %>', '{{ failed() }}', true],
  ['<% completed() %>', '{{ completed() }}', true],
  ['<% task_status(t1) %>', "{{ task_status('t1') }}", 'failed'],
  ['<% task_status(t1, 0) %>', "{{ task_status('t1', route=0) }}", 'succeeded'],
  ['<% task_status(taskId => t1, route => 0) %>', "{{ task_status(task_id='t1', route=0) }}", 'succeeded'],
  ['<% task_status(other) %>', "{{ task_status('other') }}", 'null'],
  ['<% task().result.code %>', '{{ task().result.code }}', 3],
  ['<% task(t1).route %>', "{{ task('t1').route }}", 1],
  ['<% task(t1, 0) %>', "{{ task('t1', 0) }}", record],
])('%s and %s', (yaql, jinja, expected) => {
  expect(evaluate(yaql, scope)).toEqual(expected);
  expect(evaluate(jinja, scope)).toEqual(expected);
});

test('there is no item and no current task outside of a task', () => {
  expect(evaluate(['<% item() %>', '{{ item() }}'], bare)).toEqual([null, null]);
  for (const name of ['result', 'succeeded', 'failed', 'completed', 'task']) {
    const cause = 'ExpressionEvaluationException: The current task is not set in the context.';
    expect(() => evaluate(`<% ${name}() %>`, bare)).toThrow(cause);
    expect(() => evaluate(`{{ ${name}() }}`, bare)).toThrow(cause);
  }
  expect(evaluate('<% task_status(t1) %>', bare)).toBe('null');
});

test('a task without a result has null as its result', () => {
  const running = scopeOf({}, { currentTask: { id: 't1', route: 0, status: 'running' } });
  expect(evaluate(['<% result() %>', '<% completed() %>'], running)).toEqual([null, false]);
});

test.each<[string, string, string]>([
  ['<% ctx(no) %>', "{{ ctx('no') }}", 'VariableUndefinedError: The variable "no" is undefined.'],
  ["<% ctx('__state') %>", "{{ ctx('__state') }}", 'VariableInaccessibleError: The variable "__state" is for internal use and inaccessible.'],
  ["<% ctx('__other') %>", "{{ ctx('__other') }}", 'VariableInaccessibleError: The variable "__other" is for internal use and inaccessible.'],
  ["<% ctx('__no') %>", "{{ ctx('__no') }}", 'VariableUndefinedError: The variable "__no" is undefined.'],
  ['<% item(c) %>', "{{ item('c') }}", 'ExpressionEvaluationException: Item does not have key "c".'],
  ['<% task(no) %>', "{{ task('no') }}", 'ExpressionEvaluationException: Unable to find task execution for "no".'],
])('%s and %s fail', (yaql, jinja, cause) => {
  for (const expression of [yaql, jinja]) {
    expect(() => evaluate(expression, scope)).toThrow(`Unable to evaluate expression '${expression}'. ${cause}`);
  }
}); // oxfmt-ignore

test('an item that is not a map has no keys', () => {
  for (const item of [undefined, null, 5, [1]]) {
    const one = scopeOf({}, { item });
    expect(() => evaluate('<% item(a) %>', one)).toThrow('Item is not type of collections.abc.Mapping.');
    expect(evaluate('{{ item() }}', one)).toEqual(item ?? null);
  }
});

test('one map of functions serves all expressions of a state', () => {
  let asked = 0;
  const variables = { get secret() { return (asked += 1); }, num: 1 }; // oxfmt-ignore
  const functions = workflowFunctions({ variables, taskStatus: () => undefined });
  evaluate(['{{ ctx().num }}', "{{ ctx('num') }}", '{{ ctx().num }}'], { variables, functions });
  expect(asked).toBe(0);
});
