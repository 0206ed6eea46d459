import { DefinitionError, parseRehearsal } from '../../src';

describe('parseRehearsal', () => {
  it('fills in defaults', () => {
    expect(parseRehearsal('workflow: w.yaml\nexpected_task_sequence: [t1]')).toEqual({
      workflow: 'w.yaml',
      inputs: {},
      mocks: [],
      expected: {
        inspectionErrors: {},
        taskSequence: ['t1'],
        routes: [[]],
        workflowStatus: 'succeeded',
        termTasks: undefined,
        errors: undefined,
        output: undefined,
      },
    });
  });

  it('reads every part', () => {
    expect(
      parseRehearsal({
        workflow: 'w.yaml',
        inputs: { a: 1 },
        expected_inspection_errors: {},
        expected_task_sequence: ['t1', 't2__r1'],
        expected_routes: [[], ['t1__t0']],
        mock_action_executions: [
          {
            task_id: 't1',
            route: 1,
            seq_id: 2,
            item_id: 3,
            iter_id: 4,
            num_iter: 5,
            status: 'failed',
            result: { a: null },
          },
          { task_id: 't2', result_path: 'r.json' },
        ],
        rerun_tasks: [{ task_id: 't1', reset_items: true }],
        expected_term_tasks: ['t2__r1'],
        expected_workflow_status: 'failed',
        expected_errors: [{ type: 'error' }],
        expected_output: { o: 1 },
      }),
    ).toEqual({
      workflow: 'w.yaml',
      inputs: { a: 1 },
      mocks: [
        {
          taskId: 't1',
          route: 1,
          sequenceIndex: 2,
          itemIndex: 3,
          firstRun: 4,
          runs: 5,
          status: 'failed',
          result: { a: null },
        },
        { taskId: 't2', route: 0, status: 'succeeded', result: null, resultPath: 'r.json' },
      ],
      rerun: [{ taskId: 't1', route: 0, resetItems: true }],
      expected: {
        inspectionErrors: {},
        taskSequence: ['t1', 't2__r1'],
        routes: [[], ['t1__t0']],
        workflowStatus: 'failed',
        termTasks: ['t2__r1'],
        errors: [{ type: 'error' }],
        output: { o: 1 },
      },
    });
  });

  it.each([
    ['workflow: w', "'expected_task_sequence' is a required property"],
    ['expected_task_sequence: []', "'workflow' is a required property"],
    ['workflow: w\nexpected_task_sequence: []\nfoo: 1', /'foo' was unexpected/],
    [
      'workflow: w\nexpected_task_sequence: []\nmock_action_executions: [{task_id: a, status: good}]',
      /'good' is not one of/,
    ],
    ['workflow: w\nexpected_task_sequence: []\nworkflow_state: {}', /"workflow_state" is not supported/],
    ['', 'The spec cannot be type of None.'],
  ])('refuses %j', (yaml, message) => {
    expect(() => parseRehearsal(yaml)).toThrow(DefinitionError);
    expect(() => parseRehearsal(yaml)).toThrow(message);
  });
});
