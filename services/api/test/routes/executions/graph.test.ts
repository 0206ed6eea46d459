import { newId } from '@switchyard/base';
import { workflowSystem, type WorkflowSystem } from '../../../../workflow-engine/test/support/workflow-system';
import { serveApiOf, type ServedSystem } from '../../support/api-over-workflows';

let system: WorkflowSystem;
let api: ServedSystem;
const graph = (id: string) => api.get(`/executions/${id}/graph`);

beforeAll(async () => {
  system = await workflowSystem({ overrides: { api: { port: 0 } } });
  api = await serveApiOf(system);
});
afterAll(async () => {
  await api.stop();
  await system.close();
});

const INNER = `
version: 1.0
tasks:
  only:
    action: tests.noop
`;

const OUTER = `
version: 1.0
vars:
  - count: 0
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
          - count: <% ctx(count) + 1 %>
        do: again
      - when: <% ctx(count) = 2 %>
        do: all
  all:
    with: <% range(3) %>
    action: tests.noop
    next:
      - do: nested
  nested:
    action: tests.inner
    next:
      - when: <% failed() %>
        do: never
  never:
    join: all
    action: tests.noop
`;

const ended = { status: 'succeeded', start_timestamp: expect.any(String), end_timestamp: expect.any(String) };
const run = (round: number) => ({ ...ended, task_execution_id: expect.any(String), route: 0, round });
const node = (id: string, ...rounds: number[]) => ({
  id,
  action: 'tests.noop',
  with_items: false,
  status: rounds.length > 0 ? 'succeeded' : null,
  runs: rounds.map(run),
});

describe('GET /executions/{id}/graph', () => {
  it('returns every run of each task, and how often each transition was followed', async () => {
    await system.workflow('inner', INNER);
    await system.workflow('outer', OUTER);
    const { _id: id } = await system.run({ action: 'tests.outer' });
    const { body } = await graph(id).expect(200);
    expect(body).toEqual({
      workflow_execution_id: expect.any(String),
      execution_id: id,
      status: 'succeeded',
      nodes: [
        node('first', 1),
        node('again', 1, 2, 3),
        { ...node('all', 1), with_items: true },
        { ...node('nested', 1), action: 'tests.inner' },
        { ...node('never'), join: 'all' },
      ],
      edges: [
        { from: 'first', to: 'again', taken: 1 },
        { from: 'again', to: 'again', when: '<% ctx(count) < 2 %>', taken: 2 },
        { from: 'again', to: 'all', when: '<% ctx(count) = 2 %>', taken: 1 },
        { from: 'all', to: 'nested', taken: 1 },
        { from: 'nested', to: 'never', when: '<% failed() %>', taken: 0 },
      ],
    });
    const runs = body.nodes.flatMap((each: { runs: { task_execution_id: string }[] }) => each.runs);
    const ids = new Set(runs.map((each: { task_execution_id: string }) => each.task_execution_id));
    expect(ids.size).toBe(6);
  });

  it('returns the graph of an inner workflow', async () => {
    await system.workflow('inner', INNER);
    await system.workflow('outer', OUTER);
    const { _id: id } = await system.run({ action: 'tests.outer' });
    const inner = (await system.children(id)).find(({ action_ref }) => action_ref === 'tests.inner')!;
    const { body } = await graph(inner._id).expect(200);
    expect(body).toMatchObject({ execution_id: inner._id, nodes: [node('only', 1)], edges: [] });
  });

  it('shows the current state of a running workflow', async () => {
    await system.workflow('waiting', 'version: 1.0\ntasks:\n  wait:\n    action: tests.manual\n');
    const { _id: id } = await system.request({ action: 'tests.waiting' });
    await system.manual.runs.until((runs) => runs.length > 0);
    const { body } = await graph(id).expect(200);
    expect(body).toMatchObject({ status: 'running', nodes: [{ id: 'wait', status: 'running' }] });
    expect(body.nodes[0].runs).toMatchObject([{ round: 1, end_timestamp: null }]);
    system.manual.runs.items[0]!.end();
    await system.untilStatus(id);
  });

  it('is a 404 for a plain action', async () => {
    const { _id: id } = await system.run({ action: 'tests.noop' });
    const faultstring = `Execution "${id}" is not a workflow that has started, so it has no graph.`;
    await graph(id).expect(404, { faultstring });
  });

  it('is a 404 for a workflow that could not begin', async () => {
    await system.workflow('unsound', 'tasks: [');
    const { _id: id, status } = await system.run({ action: 'tests.unsound' });
    expect(status).toBe('failed');
    const { body } = await graph(id).expect(404);
    expect(body.faultstring).toContain('is not a workflow that has started');
  });

  it('is a 404 for an unknown id', async () => {
    const id = newId();
    const { body } = await graph(id).expect(404);
    expect(body.faultstring).toContain(id);
  });
});
