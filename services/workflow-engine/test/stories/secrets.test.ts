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

async function started(): Promise<WorkflowSystem> {
  const overrides = {
    instances: { heartbeat_ms: 100, lease_ms: 1000 },
    sweep: { interval_ms: 100, older_than_ms: 200 },
  };
  const system = await workflowSystem({ overrides, configFor: async () => config });
  later(() => system.close());
  const text = { type: 'string' } as const;
  await system.register({ name: 'take', runner_type: 'noop', parameters: { a: text, b: text, c: { type: 'object' } } });
  return system;
}

const PARAMETERS: Partial<ActionRecord> = {
  parameters: { token: { type: 'string', secret: true }, copied: { type: 'string' } },
};

/** What the store has of a run, besides its journal. */
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

  it('stay secret in its nodes, its vars and what it publishes', async () => {
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

  it('stay secret in what it shows while it is paused', async () => {
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

  it('stay secret after another engine has taken the run on', async () => {
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
