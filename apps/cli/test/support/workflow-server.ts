import { frame, startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';

export const ROOT = '65f0c0ffee00000000000001';
const idOf = (number: number): string => `65f0c0ffee0000000000010${number}`;

/** Ids of the tasks: two plain ones, one of two items, a nested workflow with one task. */
export const TASK = { build: idOf(0), item0: idOf(1), item1: idOf(2), nested: idOf(3), greet: idOf(4) };

type Facts = Record<string, unknown>;

export interface WorkflowServer extends ScriptedServer {
  /** Sets the status of executions and sends the events. */
  change(...changes: [id: string, status: string][]): void;
}

const terminal = (status: unknown): boolean => ['succeeded', 'failed', 'canceled'].includes(String(status));

/** One workflow with its tasks, with the routes that the command uses. All tasks are running at first. */
export async function startWorkflowServer(): Promise<WorkflowServer> {
  const server = await startServer();
  const stored = new Map<string, Facts>();
  const streams = new Set<{ write(text: string): unknown }>();
  const outputs = new Map<string, Set<{ end(text: string): unknown }>>();
  const add = (id: string, ref: string, runner_type: string, more: Facts = {}): void =>
    void stored.set(id, {
      ...{ id, action: { ref, runner_type }, status: 'running', log: [], result: { output: null } },
      start_timestamp: `2026-01-02T03:04:0${stored.size}.000000Z`,
      ...more,
    });
  const task = (task_name: string, item_id?: number, parent = ROOT): Facts => ({
    parent,
    context: { orquesta: { task_name, task_execution_id: task_name, ...(item_id === undefined ? {} : { item_id }) } },
  });
  add(ROOT, 'demo.outer', 'orquesta');
  add(TASK.build, 'core.local', 'local-shell-cmd', task('build'));
  add(TASK.item0, 'core.local', 'local-shell-cmd', task('all', 0));
  add(TASK.item1, 'core.local', 'local-shell-cmd', task('all', 1));
  add(TASK.nested, 'demo.inner', 'orquesta', task('nested'));
  add(TASK.greet, 'core.local', 'local-shell-cmd', task('greet', undefined, TASK.nested));

  const missing = { status: 404, body: { faultstring: 'Resource not found' } };
  const one = (path: string) => stored.get(path.split('/')[3] ?? '');
  server.on('GET /v1/actions/*', () => ({
    body: { ref: 'demo.outer', runner_type: 'orquesta', pack: 'demo', parameters: {} },
  }));
  server.on('GET /v1/runnertypes/*', () => ({ body: { name: 'orquesta', runner_parameters: {} } }));
  server.on('POST /v1/executions', () => ({ status: 201, body: { ...stored.get(ROOT), status: 'requested' } }));
  server.on('POST /v1/executions/*/re_run', () => ({ status: 201, body: stored.get(ROOT) }));
  server.on('GET /v1/executions', ({ query }) => {
    const parents = query.get('parent')?.split(',') ?? [];
    const body = [...stored.values()].filter(({ parent }) => parents.includes(String(parent)));
    return { body, headers: { 'x-total-count': String(body.length) } };
  });
  server.on('GET /v1/executions/*', ({ path }) => {
    const body = one(path);
    return body ? { body } : missing;
  });
  server.on('PUT /v1/executions/*', ({ path, body }) => {
    const found = one(path);
    return found ? { body: { ...found, ...body } } : missing;
  });
  const end = "event: EOF\ndata: ''\n\n";
  server.on('GET /v1/executions/*/output', ({ path }, response) => {
    const { id, status } = one(path) as { id: string; status: string };
    const chunk = (number: number, data: string) =>
      frame('st2.execution.output__create', { id: `${id}${number}`, timestamp: 'T', output_type: 'stdout', data });
    response.write(chunk(0, 'begins\nen') + chunk(1, 'ds\n'));
    if (terminal(status)) response.end(end);
    else outputs.set(id, (outputs.get(id) ?? new Set()).add(response));
  });
  server.on('GET /v1/stream', (_request, response) => {
    response.write('\n');
    streams.add(response);
  });
  return {
    ...server,
    change(...changes) {
      for (const [id, status] of changes) {
        const changed = { ...stored.get(id), status, end_timestamp: '2026-01-02T03:04:09.000000Z' };
        stored.set(id, changed);
        for (const each of streams) each.write(frame('st2.execution__update', changed));
        if (terminal(status)) for (const each of outputs.get(id) ?? []) each.end(end);
      }
    },
  };
}
