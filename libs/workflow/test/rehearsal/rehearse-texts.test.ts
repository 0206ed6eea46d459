import { RehearsalError, rehearseTexts, type RehearsalReportWithOutcome } from '../../src';

const DEFINITION = `
version: 1.0
input: [hosts]
tasks:
  reserve:
    action: inventory.reserve
    input: {hosts: <% ctx(hosts) %>, by: <% ctx(st2).user %>}
    next: [{when: <% succeeded() %>, publish: [{ticket: <% result().ticket %>}], do: update}, {when: <% failed() %>, do: fail}]
  update:
    with: <% ctx(hosts) %>
    action: packages.update host=<% item() %>
output: [{ticket: <% ctx().get(ticket) %>}]
`;

const REHEARSAL = `
inputs: {hosts: [web1, web2]}
mock_action_executions:
  - {task_id: reserve, result: {ticket: 17}}
`;

const rehearse = (definition: string, rehearsal: string | Record<string, unknown>): RehearsalReportWithOutcome =>
  JSON.parse(rehearseTexts({ definition, rehearsal, context: { st2: { user: 'ada' } } })) as RehearsalReportWithOutcome;

describe('rehearseTexts', () => {
  it('shows how the run went, and compares only what the rehearsal expects', () => {
    expect(rehearse(DEFINITION, REHEARSAL)).toEqual({
      passed: true,
      differences: [],
      outcome: {
        status: 'succeeded',
        tasks: [
          { task: 'reserve', route: 0, status: 'succeeded', input: { hosts: ['web1', 'web2'], by: 'ada' } },
          { task: 'update', route: 0, status: 'succeeded', items: 2 },
        ],
        task_sequence: ['reserve', 'update'],
        routes: [[]],
        term_tasks: ['update'],
        output: { ticket: 17 },
        errors: [],
      },
    });
  });

  it('reports differences, and a failure that is not expected', () => {
    const failing = { inputs: { hosts: [] }, mock_action_executions: [{ task_id: 'reserve', status: 'failed' }] };
    const { passed, differences, outcome } = rehearse(DEFINITION, { ...failing, expected_output: { ticket: 1 } });
    expect([passed, differences]).toEqual([
      false,
      [
        { what: 'workflow status', expected: 'succeeded', actual: 'failed' },
        { what: 'output', expected: { ticket: 1 }, actual: { ticket: null } },
      ],
    ]);
    expect(outcome?.tasks.map(({ task, status }) => `${task} ${status}`)).toEqual(['reserve failed', 'fail failed']);
    expect(outcome?.errors).toEqual([
      expect.objectContaining({ task_id: 'reserve' }),
      expect.objectContaining({ task_id: 'fail' }),
    ]);
  });

  it('does not run a definition with findings', () => {
    const { outcome, differences } = rehearse('version: 1.0\ntasks: {a: {action: core.noop, next: [{do: b}]}}', {});
    expect([outcome, differences]).toEqual([null, [expect.objectContaining({ what: 'inspection errors' })]]);
  });

  it.each<[string, string | Record<string, unknown>, string, object | undefined]>([
    ['text that is not YAML', 'inputs: [', 'Failed to load rehearsal because', { line: 1, column: 10 }],
    ['empty text', '', 'The rehearsal is empty', { line: 1, column: 1 }],
    ['list', '- a', 'The rehearsal is not a map', { line: 1, column: 1 }],
    ['unknown key', 'inputs: {}\nresults: []', "'results' was unexpected", { line: 1, column: 1 }],
    ['mock without a task', 'mock_action_executions:\n  - result: 1', "'task_id' is a required property", { line: 2, column: 5 }], // oxfmt-ignore
    ['result in a file', 'mock_action_executions:\n  - task_id: a\n    result_path: /etc/passwd', '"result_path" names a file', { line: 3, column: 5 }], // oxfmt-ignore
    ['rerun of a missing task', { rerun_tasks: [{ task_id: 'nope' }] }, 'nope', undefined],
  ])('refuses a rehearsal: %s', (_, rehearsal, message, position) => {
    const refused = refusal(() => rehearse(DEFINITION, rehearsal));
    expect(refused).toBeInstanceOf(RehearsalError);
    expect(refused).toMatchObject({ message: expect.stringContaining(message) });
    expect((refused as RehearsalError).position).toEqual(position);
  });

  it.each<[string, string, string]>([
    ['text that is not YAML', 'tasks: [', 'Failed to load workflow definition because'],
    [
      'outcome that doubles with each task',
      [
        'version: 1.0\nvars: [{x: abcdefgh}, {n: 0}]\ntasks:\n  start: {next: [{do: a}]}\n  a:\n    action: core.noop',
        '    next: [{when: <% ctx(n) < 18 %>, publish: [{x: "<% [ctx(x), ctx(x)] %>"}, {n: <% ctx(n) + 1 %>}], do: a}]',
        'output: [{x: <% ctx(x) %>}]',
      ].join('\n'),
      'The outcome of the rehearsal is too large',
    ],
  ])('refuses a definition: %s', (_, definition, message) => {
    const refused = refusal(() => rehearse(definition, { inputs: {} }));
    expect(refused).toMatchObject({ name: 'DefinitionError', message: expect.stringContaining(message) });
    expect(refused).not.toBeInstanceOf(RehearsalError);
  });
});

function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
