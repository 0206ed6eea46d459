import { newId } from '@switchyard/base';
import type { ActionRecord, ExecutionRecord } from '@switchyard/model';
import { workflowSystem, type WorkflowSystem } from '../../../../workflow-engine/test/support/workflow-system';
import { serveApiOf, type ServedSystem } from '../../support/api-over-workflows';

const TOKEN = 'correct-horse-battery';
const ITEM = 'staple-in-the-store';
const TOLD = 'told-by-an-action';
const MASK = '********';

const lookupFor =
  () =>
  async ({ decrypt, name }: { decrypt: boolean; name: string }) =>
    name === 'pw' ? (decrypt ? ITEM : 'sealed') : JSON.stringify({ user: 'ada', key: `${ITEM}-2` });

let system: WorkflowSystem;
let api: ServedSystem;
beforeAll(async () => {
  system = await workflowSystem({ overrides: { api: { port: 0 } }, lookupFor });
  api = await serveApiOf(system);
  await system.register({
    name: 'tell',
    runner_type: 'local-shell-cmd',
    output_schema: { type: 'object', properties: { stdout: { type: 'string', secret: true } } },
  });
  await system.register({ name: 'take', runner_type: 'noop', parameters: { a: { type: 'string' } } });
});
afterAll(async () => {
  await api.stop();
  await system.close();
});

const contextOf = (id: string, task: string, query = '') => api.get(`/executions/${id}/tasks/${task}/context${query}`);

async function runOf(
  name: string,
  text: string,
  parameters: Record<string, unknown> = {},
  action: Partial<ActionRecord> = {},
): Promise<ExecutionRecord> {
  await system.workflow(name, text, action);
  return system.run({ action: `tests.${name}`, parameters });
}

const LOOP = `
version: 1.0
vars:
  - count: 0
  - kept: { a: 1 }
tasks:
  first:
    action: tests.noop
    next:
      - do: again
  again:
    action: tests.noop
    next:
      - when: <% ctx(count) < 2 %>
        publish:
          - kept: { b: <% ctx(count) %> }
          - count: <% ctx(count) + 1 %>
        do: again
      - when: <% ctx(count) = 2 %>
        publish:
          - word: out
        do: [last, other]
  last:
    action: tests.noop
  other:
    action: tests.noop
`;

describe('GET /executions/{id}/tasks/{task}/context', () => {
  it('returns the variables before and after one run of a task in a loop', async () => {
    const { _id: id } = await runOf('loop', LOOP);
    const { body: graph } = await api.get(`/executions/${id}/graph`).expect(200);
    const again = graph.nodes.find((node: { id: string }) => node.id === 'again');
    const [one, two] = again.runs;
    const { body } = await contextOf(id, two.task_execution_id).expect(200);
    expect(body).toEqual({
      ...{ task_execution_id: two.task_execution_id, task_name: 'again', route: 0, round: 2, status: 'succeeded' },
      before: { count: 1, kept: { a: 1, b: 0 } },
      after: [{ to: ['again'], published: { count: 2, kept: { a: 1, b: 1 } } }],
      omitted: [],
    });
    expect((await contextOf(id, one.task_execution_id).expect(200)).body.before).toEqual({ count: 0, kept: { a: 1 } });
  });

  it('takes the last run for the name of a task, and names each task that got what it published', async () => {
    const { _id: id } = await runOf('loop', LOOP);
    const { body } = await contextOf(id, 'again').expect(200);
    expect(body).toMatchObject({ round: 3, before: { count: 2 } });
    expect(body.after).toEqual([{ to: ['last', 'other'], published: { word: 'out' } }]);
    expect((await contextOf(id, 'last').expect(200)).body).toMatchObject({ before: { word: 'out' }, after: [] });
  });

  it('returns what a running task has before it', async () => {
    await system.workflow('waiting', 'version: 1.0\nvars: [{ a: 1 }]\ntasks:\n  wait:\n    action: tests.manual\n');
    const { _id: id } = await system.request({ action: 'tests.waiting' });
    const [run] = await system.manual.runs.until((runs) => runs.length > 0);
    const { body } = await contextOf(id, 'wait').expect(200);
    expect(body).toMatchObject({ status: 'running', before: { a: 1 }, after: [] });
    run!.end();
    await system.untilStatus(id);
  });

  it('leaves out values that are too large, unless they are asked for', async () => {
    const cmd = "head -c 1200000 /dev/zero | tr '\\0' x";
    const tasks = `one: { action: tests.shell, input: { cmd: "${cmd.replace('\\', '\\\\')}" }, next: [{ publish: [{ out: <% result().stdout %> }, { small: 1 }] }] }`;
    const { _id: id } = await runOf('large', `version: 1.0\ntasks:\n  ${tasks}\n`);
    const { body } = await contextOf(id, 'one').expect(200);
    expect(body).toMatchObject({ after: [{ published: { small: 1 } }], omitted: ['out'] });
    const { body: whole } = await contextOf(id, 'one', '?variables=out,none').expect(200);
    expect([whole.after[0].published.out.length, whole.omitted]).toEqual([1_200_000, []]);
    expect(Object.keys(whole.after[0].published)).toEqual(['out']);
  });

  it('is a 404 for a task that has not run, and for a plain action', async () => {
    const { _id: id } = await runOf('loop', LOOP);
    const faultstring = `Execution "${id}" has no run of a task with the name or id "nothing".`;
    await contextOf(id, 'nothing').expect(404, { faultstring });
    const { _id: plain } = await system.run({ action: 'tests.noop' });
    await contextOf(plain, 'nothing').expect(404);
  });
});

/** Copies a run as version 0.1.0 would have stored it. @returns the id of its execution */
async function asOfFormerVersion(execution: ExecutionRecord): Promise<string> {
  const { store, sealer } = system.platform;
  const [workflow, _id] = [newId(), newId()];
  const before = String(execution.context['workflow_execution']);
  for (const step of await store.workflows.journal(before)) {
    const { changes, ...rest } = JSON.parse(sealer.open(step.step!)) as { changes: { secrets?: unknown } };
    const { secrets, ...others } = changes;
    expect(secrets).toEqual(expect.any(Array));
    const sealed = sealer.seal(JSON.stringify({ ...rest, changes: others }));
    await store.workflows.append({ ...step, _id: `${workflow}:${step.revision}`, workflow, step: sealed });
  }
  await store.workflows.insert({ ...(await store.workflows.get(before))!, _id: workflow, execution: _id });
  const { request_key: _, ...record } = execution;
  const context = { ...execution.context, workflow_execution: workflow };
  await store.executions.insert({ ...record, _id, liveaction_id: newId(), context });
  return _id;
}

describe('secrets in the context of a task', () => {
  const FLOW = `
version: 1.0
input:
  - token
  - open
vars:
  - pw: <% st2kv('system.pw', decrypt => true) %>
  - login: "{{ st2kv('system.login', decrypt=true) | from_json_string }}"
  - plain: <% st2kv('system.pw') %>
  - mixed: { host: far, pw: "<% st2kv('system.pw', decrypt => true) %>" }
tasks:
  one:
    action: tests.tell
    input: { cmd: "printf ${TOLD}" }
    next:
      - publish:
          - address: <% ctx(token) %>@far
          - told: ["<% result().stdout %>"]
          - shouted: <% st2kv('system.pw', decrypt => true).toUpper() %>
          - again: <% ctx(shouted) %>!
          - open: <% ctx(open) %> still
        do: two
  two:
    action: tests.take
    input: { a: x }
`;
  const parameters = { token: TOKEN, open: 'wide' };
  const action: Partial<ActionRecord> = {
    parameters: { token: { type: 'string', secret: true }, open: { type: 'string' } },
  };

  it('are masked: inputs, what actions returned, what was decrypted, and what an expression made of that', async () => {
    const { _id: id } = await runOf('flow', FLOW, parameters, action);
    const { body } = await contextOf(id, 'one').expect(200);
    expect(body).toMatchObject({
      before: {
        ...{ token: MASK, open: 'wide', pw: MASK, plain: 'sealed' },
        login: { user: MASK, key: MASK },
        mixed: { host: 'far', pw: MASK },
      },
      after: [
        {
          to: ['two'],
          published: { address: `${MASK}@far`, told: [MASK], shouted: MASK, again: `${MASK}!`, open: 'wide still' },
        },
      ],
    });
    const { text } = await contextOf(id, 'two').expect(200);
    for (const secret of [TOKEN, ITEM, TOLD, ITEM.toUpperCase()]) expect(text).not.toContain(secret);
  });

  it('are shown to administrators who ask for them', async () => {
    const { _id: id } = await runOf('flow', FLOW, parameters, action);
    const { body } = await contextOf(id, 'two', '?show_secrets=true').expect(200);
    expect(body.before).toMatchObject({
      ...{ token: TOKEN, pw: ITEM, address: `${TOKEN}@far`, told: [TOLD], shouted: ITEM.toUpperCase() },
      login: { user: 'ada', key: `${ITEM}-2` },
    });
  });

  it('are masked in a chain, whose results are variables', async () => {
    const chain = `
chain:
  - name: one
    ref: tests.tell
    parameters: { cmd: "printf ${TOLD}" }
    publish:
      kept: "{{ one.stdout }} {{ st2kv.system.pw | decrypt_kv | upper }}"
    on-success: two
  - name: two
    ref: tests.take
    parameters: { a: x }
`;
    const { _id: id, status } = await runOf('chained', chain, {}, { runner_type: 'action-chain' });
    expect(status).toBe('succeeded');
    const { body, text } = await contextOf(id, 'two').expect(200);
    expect(body.before).toMatchObject({ one: { stdout: MASK, succeeded: true } });
    for (const secret of [ITEM, TOLD, ITEM.toUpperCase()]) expect(text).not.toContain(secret);
  });

  it('hide all values of a run of version 0.1.0, which did not record what was decrypted', async () => {
    const former = await asOfFormerVersion(await runOf('flow', FLOW, parameters, action));
    const { body } = await contextOf(former, 'two').expect(200);
    expect(new Set(Object.values(body.before))).toEqual(new Set([MASK]));
  });
});
