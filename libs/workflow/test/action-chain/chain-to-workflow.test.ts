import { chainToWorkflow, Conductor, parseActionChain, renderChainValue, type WorkflowStatus } from '../../src';

type Answer = readonly [status: WorkflowStatus, result?: unknown];

interface Run {
  /** For each action run: its node and parameters. */
  readonly steps: [string, unknown][];
  readonly status: string;
  readonly published: unknown;
}

/** Runs a chain; each node gives its listed answers in turn, then repeats the last one. */
function run(yaml: string, answers: Record<string, Answer[]> = {}, inputs: Record<string, unknown> = {}): Run {
  const workflow = chainToWorkflow(parseActionChain(yaml), Object.keys(inputs));
  const conductor = Conductor.create(workflow, { inputs });
  const steps: [string, unknown][] = [];
  conductor.requestStatus('running');
  for (let tasks = conductor.nextTasks(); tasks.length > 0 && steps.length < 20; tasks = conductor.nextTasks()) {
    expect(tasks).toHaveLength(1);
    for (const { task, route, actions } of tasks) {
      const name = workflow.tasks.get(task)?.resultAs ?? task;
      const left = answers[name] ?? [['succeeded', {}]];
      const [status, result] = (left.length > 1 ? left.shift() : left[0]) as Answer;
      steps.push([name, actions[0]?.input]);
      conductor.taskEvent({ task, route, status: 'running' });
      conductor.taskEvent({ task, route, status, ...(result !== undefined && { result }) });
    }
  }
  return { steps, status: conductor.status, published: conductor.published };
}

const names = ({ steps }: Run): string => steps.map(([name]) => name).join(' ');

const LINKED = `
chain:
  - {name: a, ref: core.noop, on-success: b, on-failure: c}
  - {name: b, ref: core.noop}
  - {name: c, ref: core.noop, on-success: b}
`;

describe('a chain on the conductor', () => {
  it.each<[string, Record<string, Answer[]>, string, string]>([
    ['follows on-success', {}, 'a b', 'succeeded'],
    ['follows on-failure, and ends like its last node', { a: [['failed']] }, 'a c b', 'succeeded'],
    ['follows on-failure after a timeout', { a: [['timeout']] }, 'a c b', 'succeeded'],
    ['fails when its last node fails', { b: [['failed']] }, 'a b', 'failed'],
    ['fails when the on-failure node fails', { a: [['failed']], c: [['failed']] }, 'a c', 'failed'],
    ['is canceled when a node is canceled', { a: [['canceled']] }, 'a', 'canceled'],
  ])('%s', (_, answers, expected, status) => {
    const ran = run(LINKED, answers);
    expect([names(ran), ran.status]).toEqual([expected, status]);
  });

  it('starts with the default, even if other nodes lead to it', () => {
    expect(names(run(`default: b\n${LINKED.trim()}\n  - {name: d, ref: core.noop, on-success: a}`))).toBe('b');
  });

  it('runs a node repeatedly', () => {
    const ran = run(
      'chain:\n  - {name: a, ref: core.noop, on-failure: b}\n  - {name: b, ref: core.noop, on-success: a}',
      { a: [['failed'], ['failed'], ['succeeded']] },
    );
    expect([names(ran), ran.status]).toEqual(['a b a b a', 'succeeded']);
  });

  it('allows nodes to be named like commands', () => {
    const ran = run('chain:\n  - {name: fail, ref: core.noop, on-success: noop}\n  - {name: noop, ref: core.noop}');
    expect([names(ran), ran.status]).toEqual(['fail noop', 'succeeded']);
  });

  it('renders parameters from action parameters, variables, results and published values', () => {
    const { steps } = run(
      `
vars: {greeting: "dear {{ guest }}", number: 3}
chain:
  - name: first step
    ref: core.noop
    parameters: {whom: "{{ greeting }}", plain: 1}
    publish: {said: "{{ __results['first step'].stdout }}", number: "{{ number + 1 }}"}
    on-success: second
  - name: second
    ref: core.noop
    parameters:
      text: "{{ said }} x{{ number }}"
      deep: {"k{{ number }}": ["{{ guest }}"], none: }
`,
      { 'first step': [['succeeded', { stdout: 'hello' }]] },
      { guest: 'Finn' },
    );
    expect(steps).toEqual([
      ['first step', { whom: 'dear Finn', plain: 1 }],
      ['second', { text: 'hello x4', deep: { k4: ['Finn'], none: null } }],
    ]);
  });

  it('publishes for a failed node, and replaces earlier values', () => {
    const { steps } = run(
      `
vars: {seen: {old: 1}}
chain:
  - {name: a, ref: core.noop, publish: {seen: "{{ a.code }}"}, on-failure: b}
  - {name: b, ref: core.noop, parameters: {seen: "{{ seen }}", again: "{{ a }}"}, on-success: c}
  - {name: c, ref: core.noop, parameters: {all: "{{ __results | length }} {{ __context['seen'] }}"}}
`,
      { a: [['failed', { code: 8 }]] },
    );
    expect(steps.slice(1)).toEqual([
      ['b', { seen: '8', again: "{'code': 8}" }],
      ['c', { all: '2 8' }],
    ]);
  });

  it('follows on-failure after a node that cannot be rendered', () => {
    const { steps, status } = run(`
chain:
  - {name: a, ref: core.noop, parameters: {p: "{{ nobody }}"}, on-failure: b}
  - {name: b, ref: core.noop, parameters: {why: "{{ a.error }}"}}
`);
    const what = 'Failed rendering value for action parameter "p" in task "a" (template string={{ nobody }})';
    const why = `Failed to run task "a". Parameter rendering failed. ${what}: 'nobody' is undefined`;
    expect({ steps, status }).toEqual({ steps: [['b', { why }]], status: 'succeeded' });
  });

  it('ends when nodes that cannot be rendered form an endless loop', () => {
    const { status } = run('chain:\n  - {name: a, ref: core.noop, parameters: {p: "{{ nobody }}"}, on-failure: a}\n');
    expect(status).toBe('failed');
  });

  it('drops the former result of a node that runs again', () => {
    const { steps } = run(
      `
chain:
  - {name: a, ref: core.noop, on-success: b, on-failure: b}
  - {name: b, ref: core.noop, parameters: {a: "{{ a }}"}, on-failure: a}
`,
      {
        a: [
          ['failed', { first: 1 }],
          ['succeeded', { second: 2 }],
        ],
        b: [['failed'], ['succeeded']],
      },
    );
    expect(steps.filter(([name]) => name === 'b').map(([, input]) => input)).toEqual([
      { a: "{'first': 1}" },
      { a: "{'second': 2}" },
    ]);
  });

  it('does not read results as templates', () => {
    const { steps } = run(
      'chain:\n  - {name: a, ref: core.noop, on-success: b}\n  - {name: b, ref: core.noop, parameters: {p: "{{ a.text }}"}}',
      { a: [['succeeded', { text: '{{ 1 + 1 }} <% 1 + 1 %>' }]] },
    );
    expect(steps[1]).toEqual(['b', { p: '{{ 1 + 1 }} <% 1 + 1 %>' }]);
  });
});

describe('renderChainValue', () => {
  it.each<[unknown, unknown]>([
    ['no template', 'no template'],
    [5, 5],
    [null, null],
    ['{{ n }}', '3'],
    ['{{ l }}', "['a', 1]"],
    [
      ['{{ n }}', { '{{ k }}': '{{ n }}{{ n }}' }],
      ['3', { key: '33' }],
    ],
  ])('renders %j', (value, expected) => {
    expect(renderChainValue(value, { n: 3, l: ['a', 1], k: 'key' })).toEqual(expected);
  });
});

it('a chain that fails to render a node keeps the values published before', () => {
  const chain = `
chain:
  - {name: a, ref: core.noop, publish: {said: '{{ a.stdout }}'}, on-success: b}
  - {name: b, ref: core.noop, parameters: {x: '{{ nothing.at_all }}'}}
`;
  const { status, published } = run(chain, { a: [['succeeded', { stdout: 'hi' }]] });
  expect([status, published]).toMatchObject(['failed', { said: 'hi' }]);
});
