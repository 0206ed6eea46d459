import { actionsNamedIn, inspectWorkflow, type ActionParameters } from '../../src';
import { inTask } from './definitions';

const registered: Record<string, ActionParameters> = {
  'core.noop': {},
  'core.two': { second: { required: true }, first: { required: true } },
  'core.echo': { message: { required: true }, times: { required: true, default: 1 }, second: {} },
};

const contentOf = (yaml: string): string[] =>
  (inspectWorkflow(inTask(yaml), { actions: (ref) => registered[ref], context: ['a'] }).content ?? []).map(
    ({ spec_path, schema_path, message }) => `${spec_path} (${schema_path.split('$.properties.')[1]}): ${message}`,
  );

it.each([
  ['action: core.noop', []],
  ['action: core.echo message="hi"', []],
  ['action: <% ctx(a) %>', []],
  ['action: core.echo\ninput: <% ctx(a) %>', []],
  ['action: noop', ['tasks.t1.action (action): The action reference "noop" is not formatted correctly.']],
  ['action: std.noop', ['tasks.t1.action (action): The action "std.noop" is not registered in the database.']],
  ['action: core.echo', ['tasks.t1.input (input): Action "core.echo" is missing required input "message".']],
  ['action: core.two', [
    'tasks.t1.input (input): Action "core.two" is missing required input "first".',
    'tasks.t1.input (input): Action "core.two" is missing required input "second".',
  ]],
  ['action: core.echo\ninput: {message: 1, foo: 2}', [
    'tasks.t1.input.foo (input.patternProperties.^\\w+$): Action "core.echo" has unexpected input "foo".',
  ]],
  ['action: std.noop\nfoo: 1', ['tasks.t1.action (action): The action "std.noop" is not registered in the database.']],
  ['action: core.echo\ninput: [1]', []],
])('inspects the content of %s', (yaml, findings) => {
  expect(contentOf(yaml)).toEqual(findings);
}); // oxfmt-ignore

it('lists the actions to look up, even for an invalid definition', () => {
  const tasks = {
    a: { action: 'core.echo x=1', foo: 1 },
    b: { action: 'core.echo' },
    c: { action: '<% ctx(a) %>' },
    d: 1,
  };
  expect(actionsNamedIn({ tasks })).toEqual(['core.echo']);
});

it('checks no actions without a lookup', () => {
  expect(inspectWorkflow(inTask('action: std.noop'))).toEqual({});
});
