import { parseRehearsal, rehearse, type RehearsalReport } from '../../src';

const DECISION = `
version: 1.0
input: [which]
tasks:
  choose:
    action: core.noop
    next:
      - {when: <% succeeded() and ctx(which) = a %>, publish: way=<% result() %>, do: a}
      - {when: <% succeeded() and ctx(which) = b %>, do: b}
      - {when: <% failed() %>, do: [cleanup, fail]}
  a: {action: core.noop}
  b:
    with: <% list(1, 2) %>
    action: core.echo message=<% item() %>
    next: [{publish: [{all: <% result() %>}]}]
  cleanup: {action: core.noop}
output: [{way: <% ctx().get(way) %>}, {all: <% ctx().get(all) %>}]
`;

const play = (
  definition: string,
  rehearsal: Record<string, unknown>,
  files: Record<string, unknown> = {},
): RehearsalReport =>
  rehearse(definition, parseRehearsal({ workflow: 'w.yaml', ...rehearsal }), { readResult: (path) => files[path] });

describe('rehearse', () => {
  it.each<[string, Record<string, unknown>]>([
    [
      'a linear workflow',
      {
        inputs: { which: 'a' },
        mock_action_executions: [{ task_id: 'choose', result: 'the left one' }],
        expected_task_sequence: ['choose', 'a'],
        expected_term_tasks: ['a__r0'],
        expected_output: { way: 'the left one', all: null },
      },
    ],
    [
      'results from files, by item',
      {
        inputs: { which: 'b' },
        mock_action_executions: [
          { task_id: 'b', item_id: 0, result_path: 'one.json' },
          { task_id: 'b', item_id: 1, result: 'two' },
        ],
        expected_task_sequence: ['choose', 'b', 'continue'],
        expected_output: { way: null, all: [{ from: 'file' }, 'two'] },
      },
    ],
    [
      'a failure',
      {
        mock_action_executions: [{ task_id: 'choose', status: 'failed', result: 'no' }],
        expected_task_sequence: ['choose', 'fail', 'cleanup'],
        expected_workflow_status: 'failed',
        expected_errors: [{ type: 'error', task_id: 'choose', result: 'no' }, { task_id: 'fail' }],
      },
    ],
  ])('passes %s', (_, rehearsal) => {
    expect(play(DECISION, rehearsal, { 'one.json': { from: 'file' } })).toEqual({ passed: true, differences: [] });
  });

  it('reports every difference', () => {
    const { passed, differences } = play(DECISION, {
      inputs: { which: 'a' },
      expected_task_sequence: ['choose', 'b'],
      expected_routes: [[], ['choose__t0']],
      expected_workflow_status: 'failed',
      expected_term_tasks: ['b'],
      expected_errors: [{ type: 'error' }],
      expected_output: { way: 'x' },
    });
    expect(passed).toBe(false);
    expect(differences).toEqual([
      { what: 'task sequence', expected: ['choose', 'b'], actual: ['choose', 'a'] },
      { what: 'routes', expected: [[], ['choose__t0']], actual: [[]] },
      { what: 'workflow status', expected: 'failed', actual: 'succeeded' },
      { what: 'terminal tasks', expected: ['b'], actual: ['a'] },
      { what: 'errors', expected: [{ type: 'error' }], actual: [] },
      { what: 'output', expected: { way: 'x' }, actual: { way: null, all: null } },
    ]);
  });

  it('shows routes', () => {
    const definition = `
version: 1.0
tasks:
  t1: {action: core.noop, next: [{do: [t2, t3]}]}
  t2: {action: core.noop, next: [{do: t4}]}
  t3: {action: core.noop, next: [{do: t4}]}
  t4: {action: core.noop}
`;
    const rehearsal = {
      expected_task_sequence: ['t1', 't2', 't3', 't4__r1', 't4__r2'],
      expected_routes: [[], ['t2__t0'], ['t3__t0']],
      expected_term_tasks: ['t4__r1', 't4__r2'],
    };
    expect(play(definition, rehearsal)).toEqual({ passed: true, differences: [] });
  });

  it('answers retries one by one', () => {
    const definition = 'version: 1.0\ntasks: {t1: {action: core.noop, retry: {count: 2}}}';
    const mocks = [{ task_id: 't1', iter_id: 0, num_iter: 2, status: 'failed' }];
    const report = play(definition, { mock_action_executions: mocks, expected_task_sequence: ['t1'] });
    expect(report).toEqual({ passed: true, differences: [] });
  });

  it('reruns tasks at the end', () => {
    const definition =
      'version: 1.0\ntasks: {t1: {action: core.noop, next: [{when: <% succeeded() %>, do: t2}]}, t2: {action: core.noop}}';
    const report = play(definition, {
      mock_action_executions: [{ task_id: 't1', iter_id: 0, status: 'failed' }],
      rerun_tasks: [{ task_id: 't1' }],
      expected_task_sequence: ['t1', 't1', 't2'],
    });
    expect(report).toEqual({ passed: true, differences: [] });
  });

  it('accepts expected findings, and does not run an invalid definition', () => {
    const definition = 'version: 1.0\ntasks: {t1: {action: core.noop, next: [{do: t2}]}}';
    const finding = { spec_path: 'tasks.t1.next[0].do' };
    const rehearsal = { expected_task_sequence: [], expected_inspection_errors: { semantics: [finding] } };
    expect(play(definition, rehearsal)).toEqual({ passed: true, differences: [] });
    expect(play(definition, { expected_task_sequence: [] }).differences).toEqual([
      expect.objectContaining({ what: 'inspection errors', expected: {} }),
    ]);
  });

  it('stops an endless workflow', () => {
    const definition = 'version: 1.0\ntasks: {t1: {action: core.noop, next: [{do: t2}]}, t2: {next: [{do: t2}]}}';
    const { differences } = play(definition, { expected_task_sequence: [] });
    expect(differences).toContainEqual({ what: 'end', expected: 'within 10,000 rounds', actual: 'none' });
  });
});
