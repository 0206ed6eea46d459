import type { PackConfig } from '@switchyard/executions';
import type { ActionRecord, ExecutionRecord } from '@switchyard/model';
import { leakCheck } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from '../support/workflow-system';

const later = leakCheck();
const SECRET = 'correct-horse-battery';
const MASK = '********';

const config: PackConfig = {
  values: { region: 'north', mirror: { host: 'far', password: SECRET }, pin: 7 },
  secrets: [['mirror', 'password'], ['pin']],
};

/** Every item of the datastore contains the secret. */
const lookupFor =
  () =>
  async ({ decrypt, name }: { decrypt: boolean; name: string }) =>
    name !== 'pw' ? undefined : decrypt ? SECRET : 'sealed';

async function started(): Promise<WorkflowSystem> {
  const overrides = {
    instances: { heartbeat_ms: 100, lease_ms: 1000 },
    sweep: { interval_ms: 100, older_than_ms: 200 },
  };
  const system = await workflowSystem({ overrides, configFor: async () => config, lookupFor });
  later(() => system.close());
  const text = { type: 'string' } as const;
  await system.register({ name: 'take', runner_type: 'noop', parameters: { a: text, b: text, c: { type: 'object' } } });
  return system;
}

const PARAMETERS: Partial<ActionRecord> = {
  parameters: { token: { type: 'string', secret: true }, copied: { type: 'string' } },
};

/** Everything stored about a run, except its journal. */
async function stored({ platform: { store } }: WorkflowSystem, { context }: ExecutionRecord): Promise<string> {
  const workflow = await store.workflows.get(String(context['workflow_execution']));
  expect(workflow?.sealed_secrets).toEqual(expect.any(String));
  return JSON.stringify([workflow, await store.executions.list({})]);
}

async function childrenOf(system: WorkflowSystem, request: Record<string, unknown>) {
  const record = await system.run(request);
  const children = await system.children(record._id);
  return { record, children, given: children.map(({ parameters }) => parameters) };
}

describe('secrets of the configuration in a chain', () => {
  const CHAIN = `
vars:
  way: "{{ config_context.mirror.password }}@{{ config_context.mirror.host }}"
chain:
  - name: one
    ref: tests.take
    parameters:
      a: "{{ config_context.mirror.password | length }}"
      b: "{{ config_context.region }}"
      c: { at: ["{{ config_context.mirror }}"] }
    publish:
      kept: "{{ config_context.mirror.password }}"
      open: "{{ config_context.mirror.host }}"
    on-success: two
  - name: two
    ref: tests.take
    parameters:
      a: "{{ way }}"
      b: "{{ open }}"
      c: { kept: "{{ kept }}" }
    on-success: three
  - name: three
    ref: tests.take
    parameters:
      a: "{{ config_context.pin }}"
      b: "17"
`;

  it('stay secret in its nodes, variables and published values', async () => {
    const system = await started();
    await system.workflow('chain', CHAIN, { runner_type: 'action-chain' });
    const { record, children, given } = await childrenOf(system, { action: 'tests.chain' });
    expect(record.status).toBe('succeeded');
    expect(given).toEqual([
      { a: MASK, b: 'north', c: MASK },
      { a: MASK, b: 'far', c: MASK },
      { a: MASK, b: '17' },
    ]);
    const opened = children.map((child) => system.executions.secrets.openParameters(child));
    expect(opened).toEqual([
      { a: String(SECRET.length), b: 'north', c: { at: [expect.stringContaining(SECRET)] } },
      { a: `${SECRET}@far`, b: 'far', c: { kept: SECRET } },
      { a: '7', b: '17' },
    ]);
    const masked = await system.executions.results.load(record, false);
    expect(masked).toMatchObject({ published: { kept: MASK, open: 'far' } });
    expect(await system.shown(record)).toMatchObject({ result: { published: { kept: SECRET } } });
    expect(await stored(system, record)).not.toContain(SECRET);
    expect(system.platform.log.join('')).not.toContain(SECRET);
  });

  it('stay secret when a node cannot be requested', async () => {
    const system = await started();
    await system.register({ name: 'count', runner_type: 'noop', parameters: { n: { type: 'integer' } } });
    const text =
      'chain:\n  - name: one\n    ref: tests.count\n    parameters:\n      n: "{{ config_context.mirror.password }}"\n';
    await system.workflow('chain', text, { runner_type: 'action-chain' });
    const { status, result } = await system.outcome('chain');
    expect([status, JSON.stringify(result)]).toEqual(['failed', expect.stringContaining('Failed running task')]);
    expect(JSON.stringify(result)).not.toContain(SECRET);
  });

  it('stay secret in the results of a paused chain', async () => {
    const system = await started();
    const publish = '{kept: "{{ config_context.mirror.password }}"}';
    const text = `chain:\n  - {name: one, ref: tests.manual, publish: ${publish}, on-success: two}\n  - {name: two, ref: tests.noop}\n`;
    await system.workflow('chain', text, { runner_type: 'action-chain' });
    const { _id: id } = await system.request({ action: 'tests.chain' });
    const [one] = await system.manual.runs.until(1);
    await system.untilStatus(id, 'running');
    await system.executions.update(id, { status: 'pausing' }, 'bob');
    await system.untilHeard(id);
    one!.end();
    const paused = await system.untilStatus(id, 'paused');
    expect(await system.executions.results.load(paused, false)).toMatchObject({ published: { kept: MASK } });
    expect(await system.shown(paused)).toMatchObject({ result: { published: { kept: SECRET } } });
    expect(await stored(system, paused)).not.toContain(SECRET);
  });

  it('stay secret after another engine has taken over the run', async () => {
    const system = await started();
    const text = `
chain:
  - name: one
    ref: tests.manual
    on-success: two
  - name: two
    ref: tests.take
    parameters:
      a: "{{ config_context.mirror.password }}"
`;
    await system.workflow('chain', text, { runner_type: 'action-chain' });
    const { _id } = await system.request({ action: 'tests.chain' });
    const [one] = await system.manual.runs.until(1);
    await system.engines[0]!.kill();
    await system.addEngine();
    one!.end();
    expect((await system.untilStatus(_id)).status).toBe('succeeded');
    expect((await system.children(_id)).at(-1)?.parameters).toEqual({ a: MASK });
  });
});

describe('secrets among the inputs of a workflow', () => {
  const WORKFLOW = `
version: 1.0
input:
  - token
  - copied
vars:
  - way: <% ctx(token) %>@far
tasks:
  one:
    with: <% list(ctx(way), plain) %>
    action: tests.take
    input:
      a: <% item() %>
      b: <% ctx(copied) %>
      c: {}
`;

  it('stay secret in its tasks', async () => {
    const system = await started();
    await system.workflow('inner', WORKFLOW, PARAMETERS);
    const parameters = {
      token: SECRET,
      copied: '{{ config_context.mirror.host }} {{ config_context.mirror.password }}',
    };
    const { given } = await childrenOf(system, { action: 'tests.inner', parameters });
    expect(given).toEqual([
      { a: MASK, b: MASK, c: {} },
      { a: 'plain', b: MASK, c: {} },
    ]);
  });

  it('stay secret in the defaults of a task that contain an input', async () => {
    const system = await started();
    const text = { type: 'string' } as const;
    await system.register({
      name: 'repeat',
      runner_type: 'noop',
      parameters: {
        a: text,
        middle: { ...text, default: '-{{ a }}-' },
        last: { ...text, default: 'echo {{ middle }}' },
        other: { ...text, default: '{{ action_context.user }}' },
      },
    });
    await system.workflow(
      'inner',
      WORKFLOW.replace('tests.take', 'tests.repeat').replace(/ {6}[bc]: .*\n/g, ''),
      PARAMETERS,
    );
    const { given } = await childrenOf(system, { action: 'tests.inner', parameters: { token: SECRET, copied: '' } });
    expect(given).toEqual([
      { a: MASK, middle: MASK, last: MASK, other: expect.any(String) as string },
      { a: 'plain', middle: '-plain-', last: 'echo -plain-', other: expect.any(String) as string },
    ]);
  });
});

it('a secret in the result of a chain’s node is masked in that of the chain, and reaches the next node', async () => {
  const system = await started();
  await system.register({
    name: 'tell',
    runner_type: 'local-shell-cmd',
    output_schema: { type: 'object', properties: { stdout: { type: 'string', secret: true } } },
  });
  const text = `
chain:
  - name: one
    ref: tests.tell
    parameters: {cmd: "printf ${SECRET}"}
    on-success: two
  - name: two
    ref: tests.take
    parameters: {a: "{{ one.stdout | length }}"}
`;
  await system.workflow('chain', text, { runner_type: 'action-chain' });
  const { record, given } = await childrenOf(system, { action: 'tests.chain' });
  const { result } = await system.shown(record);
  const [one] = result!['tasks'] as { result: unknown }[];
  expect(one).toMatchObject({ state: 'succeeded' });
  expect(JSON.stringify(one!.result)).not.toContain(SECRET);
  expect(given[1]).toEqual({ a: String(SECRET.length) });
});

describe('secrets in the errors of a workflow', () => {
  const PART = SECRET.slice(0, 6);
  const failing = {
    'a conversion': '<% int(ctx().pw) %>',
    'a conversion of a variable by name': '<% int(ctx(pw)) %>',
    'a conversion of the whole context': '<% int(ctx().get(pw)) %>',
    'a part of it': '<% int(ctx().pw.substring(0, 6)) %>',
    'another form of it': '<% int(ctx().pw.toUpper()) %>',
    'a text that is not JSON': '<% json_parse(ctx().pw) %>',
    'a name of a variable': '<% ctx(ctx().pw) %>',
    'a key of the datastore': '<% st2kv(ctx().pw) %>',
    'a name of a task': '<% task(ctx().pw) %>',
    'a key of a mapping': '<% ctx().open.get(ctx().pw).length() + {}[ctx().pw] %>',
    'a Jinja filter': '{{ ctx().pw | from_json_string }}',
    'a Jinja conversion': "{{ 1 + ctx('pw') }}",
    'a Jinja block': '{% for x in [1] %}{{ 1 + ctx().pw }}{% endfor %}',
  } as const;
  const inputs: Partial<ActionRecord> = {
    parameters: { pw: { type: 'string', secret: true }, open: { type: 'string' } },
  };
  const head = 'version: 1.0\ninput:\n  - pw\n  - open\n';

  /** Everything shown about a run and its requests, without the right to see secrets. */
  async function shownOf(system: WorkflowSystem, text: string): Promise<string> {
    await system.workflow('inner', head + text, inputs);
    const record = await system.run({ action: 'tests.inner', parameters: { pw: SECRET, open: 'wide' } });
    expect(record.status).toBe('failed');
    const result = await system.executions.results.load(record, false);
    expect(result).toMatchObject({ errors: [expect.anything()] });
    // A command is responsible for what it prints itself.
    const log = system.platform.log.filter((line) => !line.includes('"action":"tests.shell"'));
    const shown = JSON.stringify([result, record, log]);
    for (const form of [SECRET, PART, PART.toUpperCase()]) expect(shown).not.toContain(form);
    return JSON.stringify(result);
  }

  it.each(Object.entries(failing))('are masked for %s', async (_, expression) => {
    const system = await started();
    const text = `tasks:\n  one:\n    action: tests.noop\n    next:\n      - publish:\n          - x: ${JSON.stringify(expression)}\n`;
    expect(await shownOf(system, text)).toContain(MASK);
  });

  it.each([
    ['vars', 'vars:\n  - x: <% int(ctx().pw) %>\ntasks:\n  one:\n    action: tests.noop\n'],
    ['output', 'tasks:\n  one:\n    action: tests.noop\noutput:\n  - x: <% int(ctx().pw) %>\n'],
    ['the name of an action', 'tasks:\n  one:\n    action: <% ctx().pw %>\n'],
    ['the name of an action with more to it', 'tasks:\n  one:\n    action: tests.<% ctx().pw %>\n'],
    ['the input of a task', 'tasks:\n  one:\n    action: tests.shell\n    input:\n      cmd: <% int(ctx().pw) %>\n'],
    [
      'the result of a task',
      `tasks:\n  one:\n    action: tests.shell\n    input:\n      cmd: "echo <% ctx().pw %>; exit 1"\n`,
    ],
  ])('are masked in %s', async (_, text) => {
    const system = await started();
    expect(await shownOf(system, text)).toContain(MASK);
  });

  it('leave errors of expressions that read none unchanged', async () => {
    const system = await started();
    const shown = await shownOf(
      system,
      'vars:\n  - x: <% int(ctx().open) %>\ntasks:\n  one:\n    action: tests.noop\n',
    );
    expect(shown).toContain('wide');
    expect(shown).not.toContain(MASK);
  });

  it('are masked in a chain whose variables or parameters cannot be rendered', async () => {
    const system = await started();
    for (const [name, text] of [
      [
        'vars',
        'vars:\n  x: "{{ config_context.mirror.password | from_json_string }}"\nchain:\n  - {name: one, ref: tests.noop}\n',
      ],
      [
        'node',
        'chain:\n  - name: one\n    ref: tests.noop\n    parameters: {x: "{{ 1 + pw }}{{ pw | from_json_string }}"}\n',
      ],
    ] as const) {
      await system.workflow(name, text, { runner_type: 'action-chain', ...inputs });
      const { status, result } = await system.outcome(name, { pw: SECRET });
      expect([status, JSON.stringify(result)]).toEqual(['failed', expect.stringContaining(MASK)]);
      expect(JSON.stringify(result)).not.toContain(PART);
    }
  });
});

it('what an expression decrypts is masked in its error', async () => {
  const system = await started();
  const text =
    "version: 1.0\nvars:\n  - x: <% int(st2kv('system.pw', true)) %>\ntasks:\n  one:\n    action: tests.noop\n";
  await system.workflow('open', text);
  const { status, result } = await system.outcome('open');
  expect([status, JSON.stringify(result)]).toEqual(['failed', expect.stringContaining(`ValueError: ${MASK}`)]);
  expect(JSON.stringify(result)).not.toContain(SECRET);
});
