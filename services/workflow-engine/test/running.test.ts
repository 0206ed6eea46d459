import { leakCheck } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from './support/workflow-system';

const later = leakCheck();

async function started(options = {}): Promise<WorkflowSystem> {
  const system = await workflowSystem(options);
  later(() => system.close());
  return system;
}

const SEQUENCE = `
version: 1.0
vars:
  - said: nobody
tasks:
  first:
    action: tests.shell cmd="echo hello"
    next:
      - when: <% succeeded() %>
        publish:
          - said: <% result().stdout %>
        do: second
  second:
    action: tests.noop
    next:
      - do: third
  third:
    action: tests.noop
output:
  - said: <% ctx(said) %>
  - state: <% task(second).status %>
`;

const TIMED = `
version: 1.0
tasks:
  first:
    action: tests.noop
    next:
      - publish:
          - own: <% task(first) %>
        do: second
  second:
    action: tests.shell
    input:
      cmd: echo "<% task(first).end_timestamp %>"
    next:
      - publish:
          - echoed: <% result().stdout %>
output:
  - own: <% ctx(own) %>
  - first: <% task(first) %>
  - echoed: <% ctx(echoed) %>
`;

describe('a workflow', () => {
  it('runs its tasks in sequence and returns its output', async () => {
    const system = await started();
    await system.workflow('sequence', SEQUENCE);
    expect(await system.outcome('sequence')).toEqual({
      status: 'succeeded',
      result: { output: { said: 'hello', state: 'succeeded' } },
    });
  });

  it('knows when its tasks began and ended', async () => {
    const system = await started();
    await system.workflow('timed', TIMED);
    const { result } = await system.outcome('timed');
    const { own, first, echoed } = (result as { output: Record<string, Record<string, string>> }).output;
    const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?\+00:00$/;
    expect(own).toMatchObject({
      status: 'succeeded',
      start_timestamp: expect.stringMatching(time),
      end_timestamp: expect.stringMatching(time),
    });
    expect(first).toEqual(own);
    expect(echoed).toBe(own!['end_timestamp']);
  });

  it('fails with its task', async () => {
    const system = await started();
    await system.workflow('failing', 'version: 1.0\ntasks:\n  bad:\n    action: tests.shell cmd="exit 3"\n');
    const { status, result } = await system.outcome('failing');
    expect(status).toBe('failed');
    expect(result).toMatchObject({
      output: null,
      errors: [{ type: 'error', message: 'Execution failed. See result for details.', task_id: 'bad' }],
    });
  });

  it('shows no errors when it handles a failure', async () => {
    const system = await started();
    const failing = '\n  bad:\n    action: tests.shell cmd="exit 3"\n    next:\n      - do: noop\n';
    await system.workflow('tolerant', `version: 1.0\ntasks:${failing}`);
    expect(await system.outcome('tolerant')).toEqual({ status: 'succeeded', result: { output: null } });
  });

  it('runs before it fails because its definition is invalid', async () => {
    const system = await started();
    await system.workflow('invalid', 'version: 1.0\ntasks:\n  some:\n    action: tests.none\n');
    const { _id: id } = await system.request({ action: 'tests.invalid' });
    const { log, runner_info: info } = await system.untilStatus(id);
    expect(log.map(({ status }) => status)).toEqual(['requested', 'scheduled', 'running', 'failed']);
    expect(info).toMatchObject({ pid: process.pid });
  });

  it('knows only those parameters of its action that it declares as inputs', async () => {
    const system = await started();
    const tasks = 'tasks:\n  some:\n    action: tests.noop\n';
    const text = `version: 1.0\n${tasks}output:\n  - word: <% ctx(word) %>\n`;
    await system.workflow('undeclared', text, { parameters: { word: { type: 'string', default: 'x' } } });
    const { result } = await system.outcome('undeclared');
    expect(result).toMatchObject({
      errors: [{ type: 'context', message: 'Variable "word" is referenced before assignment.' }],
    });
  });

  it.each(['count: <% "x" %>', 'count: 1\n      delay: <% "x" %>'])('fails for the retry rule %j', async (rule) => {
    const system = await started();
    await system.workflow(
      'again',
      `version: 1.0\ntasks:\n  some:\n    action: tests.noop\n    retry:\n      ${rule}\n`,
    );
    const { result } = await system.outcome('again');
    const message = expect.stringMatching(/^ValueError: The retry (count|delay) for task "some" is not an integer\.$/);
    expect(result).toMatchObject({ errors: [{ type: 'error', message }] });
  });

  it('fails with only that error when its variables cannot be rendered', async () => {
    const system = await started();
    const rest = 'tasks:\n  some:\n    action: tests.noop\noutput:\n  - fine: 1\n  - gone: <% ctx(word) %>\n';
    await system.workflow('stillborn', `version: 1.0\nvars:\n  - word: <% int(none) %>\n${rest}`);
    const { status, result } = await system.outcome('stillborn');
    expect(status).toBe('failed');
    expect(result).toMatchObject({ output: null, errors: [{ message: expect.stringContaining('int(none)') }] });
  });

  it.each([1, 100])('runs items %i at a time', async (concurrency) => {
    const system = await started();
    await system.workflow(
      'items',
      `
version: 1.0
tasks:
  all:
    with:
      items: <% range(30) %>
      concurrency: ${concurrency}
    action: tests.shell
    input:
      cmd: echo <% item() %>
    next:
      - publish:
          - words: <% result().stdout %>
output:
  - words: <% ctx(words) %>
`,
    );
    expect(await system.outcome('items')).toEqual({
      status: 'succeeded',
      result: { output: { words: Array.from({ length: 30 }, (_, n) => n) } },
    });
  });

  it('runs workflows', async () => {
    const system = await started();
    await system.workflow('sequence', SEQUENCE);
    await system.workflow(
      'outer',
      'version: 1.0\ntasks:\n  inner:\n    action: tests.sequence\n    next:\n      - publish:\n          - back: <% result().output.said %>\noutput:\n  - back: <% ctx(back) %>\n',
    );
    expect(await system.outcome('outer')).toEqual({ status: 'succeeded', result: { output: { back: 'hello' } } });
  });

  it.each([
    ['tasks: [', 'Failed to load workflow definition'],
    ['version: 1.0\ntasks:\n  a:\n    action: tests.unknown\n', 'is not registered'],
  ])('fails when its definition is invalid: %j', async (text, message) => {
    const system = await started();
    await system.workflow('unsound', text);
    const { status, result } = await system.outcome('unsound');
    expect(status).toBe('failed');
    expect(JSON.stringify(result)).toContain(message);
  });
});

describe('an action chain', () => {
  const NOT_REQUESTED = expect.stringMatching(/^Failed running task "two"\. .*'nothing'/s) as string;

  it('runs its nodes and shows the result of each', async () => {
    const system = await started();
    await system.workflow(
      'chain',
      'vars:\n  word: hi\nchain:\n  - name: one\n    ref: tests.shell\n    parameters:\n      cmd: echo {{ word }}\n    publish:\n      said: "{{ one.stdout }}"\n    on-success: two\n  - name: two\n    ref: tests.noop\n',
      { runner_type: 'action-chain' },
    );
    const { status, result } = await system.outcome('chain');
    expect(status).toBe('succeeded');
    expect(result).toMatchObject({
      tasks: [{ name: 'one', state: 'succeeded' }, { name: 'two' }],
      published: { said: 'hi' },
    });
  });

  const chain = async (text: string, parameters?: Record<string, unknown>) => {
    const system = await started();
    await system.workflow('chain', text, { runner_type: 'action-chain' });
    return { system, ...(await system.outcome('chain', parameters)) };
  };

  it('shows its nodes the user that it runs for', async () => {
    const { result } = await chain(
      'chain:\n  - name: one\n    ref: tests.shell\n    parameters:\n      cmd: echo {{ action_context.parent.user }}\n',
    );
    expect(result).toMatchObject({ tasks: [{ result: { stdout: 'ada' } }] });
  });

  it('shows its nodes the task that it is itself', async () => {
    const system = await started();
    const text = 'chain:\n  - name: one\n    ref: tests.noop\n';
    await system.workflow('chain', text, { runner_type: 'action-chain' });
    await system.workflow('outer', 'version: 1.0\ntasks:\n  inner:\n    action: tests.chain\n');
    const { _id: id } = await system.run({ action: 'tests.outer' });
    const [inner] = await system.children(id);
    const [node] = await system.children(inner!._id);
    expect(node!.context['parent']).toMatchObject({
      execution_id: inner!._id,
      parent: { execution_id: id },
      orquesta: { task_name: 'inner' },
    });
  });

  it('renders what a node publishes with the variables from before it', async () => {
    const { status, result } = await chain(
      'vars:\n  m: {a: x}\nchain:\n  - name: one\n    ref: tests.noop\n    publish:\n      m: "{{ m }}"\n      word: "{{ m.a }}"\n',
    );
    expect([status, result]).toMatchObject(['succeeded', { published: { m: "{'a': 'x'}", word: 'x' } }]);
  });

  it.each([
    ['by timeout after one', '', 'timeout'],
    ['successfully where that is handled', '    on-failure: two\n  - name: two\n    ref: tests.noop\n', 'succeeded'],
  ])('ends %s', async (_, rest, expected) => {
    const slow =
      'chain:\n  - name: one\n    ref: tests.shell\n    parameters:\n      cmd: sleep 60\n      timeout: 1\n';
    expect((await chain(`${slow}${rest}`)).status).toBe(expected);
  });

  it.each([
    ['no YAML', 'chain: [', 'Failed to parse action chain definition from "workflows/chain.yaml": '],
    ['without nodes', 'chain: []', 'Failed to find default node in tests.chain.'],
  ])('that is %s fails, and reports where', async (_, text, error) => {
    const { status, result } = await chain(text);
    expect([status, result]).toEqual(['failed', { error: expect.stringContaining(error) }]);
  });

  it('keeps the values published before when it fails to render a node', async () => {
    const { status, result } = await chain(
      'chain:\n  - name: one\n    ref: tests.shell\n    parameters: {cmd: echo hi}\n    publish: {said: "{{ one.stdout }}"}\n    on-success: two\n  - name: two\n    ref: tests.shell\n    parameters: {cmd: "{{ missing.at_all }}"}\n',
    );
    expect([status, result]).toMatchObject(['failed', { published: { said: 'hi' } }]);
  });

  it('treats a node that cannot be requested as failed, and follows on-failure', async () => {
    const { status, result } = await chain(
      'chain:\n  - name: one\n    ref: tests.noop\n    on-success: two\n  - name: two\n    ref: tests.shell\n    parameters: {nothing: 1}\n    on-failure: three\n  - name: three\n    ref: tests.noop\n',
    );
    expect(status).toBe('succeeded');
    expect(result).toMatchObject({
      tasks: [
        { name: 'one' },
        { name: 'two', execution_id: null, state: 'failed', result: { error: NOT_REQUESTED } },
        { name: 'three', state: 'succeeded' },
      ],
    });
    expect(result).not.toHaveProperty('error');
  });

  it('shows each node its definition, with null for missing members', async () => {
    const { system } = await chain(
      `chain:
  - {name: one, ref: tests.shell, params: {cmd: 'echo {{ __results }}'}, on-success: two, on-failure: '', publish: {said: '{{ one.stdout }}'}}
  - {name: two, ref: tests.noop, notify: {on-complete: {routes: [chat]}}}
default: one
`,
    );
    const [parent] = await system.platform.store.executions.list({ filter: { action_ref: 'tests.chain' } });
    const children = await system.children(parent!._id);
    expect(children.map(({ context }) => context['chain'])).toEqual([
      {
        ...{ name: 'one', ref: 'tests.shell', params: { cmd: 'echo {{ __results }}' }, parameters: null },
        ...{ on_success: 'two', on_failure: '', publish: { said: '{{ one.stdout }}' }, notify: null },
      },
      {
        ...{ name: 'two', ref: 'tests.noop', params: null, parameters: null },
        ...{ on_success: null, on_failure: null, publish: null, notify: { 'on-complete': { routes: ['chat'] } } },
      },
    ]);
  });

  const MISTYPED = `chain:
  - {name: one, ref: tests.noop, publish: {said: hi}, on-success: two}
  - {name: two, ref: tests.shell, parameters: {cmd: 'echo {{ mistyped }}'}, on-failure: three}
  - {name: three, ref: tests.noop}
`;
  const UNRENDERED =
    'Failed to run task "two". Parameter rendering failed. Failed rendering value for action parameter "cmd" in task "two" ' +
    "(template string=echo {{ mistyped }}): 'mistyped' is undefined";

  it('names a node whose parameters cannot be rendered, although on-failure handles it', async () => {
    const system = await started({ validateOutput: true });
    await system.workflow('chain', MISTYPED, { runner_type: 'action-chain' });
    const { status, result } = await system.outcome('chain');
    expect(status).toBe('succeeded');
    expect(result).toMatchObject({
      tasks: [{ name: 'one' }, { name: 'two', state: 'failed', result: { error: UNRENDERED } }, { name: 'three' }],
      warnings: [UNRENDERED],
    });
    const lines = system.platform.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const warnings = lines.filter(({ level, action }) => level === 'warn' && action === 'tests.chain');
    expect(warnings).toEqual([expect.objectContaining({ status: 'succeeded', execution_id: expect.any(String) })]);
  });

  it('fails with such a node if configured to', async () => {
    const system = await started({ overrides: { workflow_engine: { fail_unrendered_chains: true } } });
    await system.workflow('chain', MISTYPED, { runner_type: 'action-chain' });
    const { status, result } = await system.outcome('chain');
    expect([status, result?.['error']]).toEqual(['failed', UNRENDERED]);
    expect(result).toMatchObject({ tasks: [{ name: 'one' }] });
    expect(result).not.toHaveProperty('warnings');
  });

  it('names a link to a missing node, since templates in links are never rendered', async () => {
    const { status, result } = await chain('chain:\n  - name: one\n    ref: tests.noop\n    on-success: "{{ two }}"\n');
    expect(status).toBe('failed');
    expect(result).toMatchObject({
      error: 'Failed to get next node "one". Unable to find node with name "{{ two }}".',
    });
  });
});
