import { frame, startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';

export interface ContractServer extends ScriptedServer {
  /** Ends the execution and its streams. */
  finish(status: string, result?: unknown): void;
  /** Adds output of the execution. */
  print(data: string): void;
}

/** The token that the server accepts. */
export const TOKEN = 'f'.repeat(32);
export const ID = '65f0c0ffee00000000000001';

const action = {
  id: '65f0c0ffee0000000000000a',
  ref: 'core.local',
  pack: 'core',
  name: 'local',
  description: 'Runs a command.',
  enabled: true,
  runner_type: 'local-shell-cmd',
  parameters: { sudo: { immutable: true }, count: { type: 'integer' }, list: { type: 'array' } },
};

/** One user (`me`, password `sesame`), one action and one execution, with the routes that the command uses. */
export async function startContractServer(): Promise<ContractServer> {
  const server = await startServer();
  const execution: Record<string, unknown> = {
    id: ID,
    action: { ref: 'core.local' },
    context: { user: 'me' },
    status: 'running',
    start_timestamp: '2026-01-02T03:04:05.000000Z',
    log: [],
  };
  const output: string[] = [];
  const streams = new Set<{ write(text: string): unknown; end(): unknown }>();
  const outputs = new Set<{ write(text: string): unknown; end(text?: string): unknown }>();
  const chunk = (data: string, index: number) =>
    frame('st2.execution.output__create', {
      id: String(index),
      execution_id: ID,
      output_type: 'stdout',
      timestamp: 'T',
      data,
    });
  const ended = () => execution['end_timestamp'] !== undefined;
  const allowed = (headers: Record<string, unknown>) => headers['x-auth-token'] === TOKEN;
  const guarded: ScriptedServer['on'] = (line, handler) =>
    server.on(line, (request, response) =>
      allowed(request.headers)
        ? handler(request, response)
        : { status: 401, body: { faultstring: 'Unauthorized - One of Token or API key required.' } },
    );
  const missing = { status: 404, body: { faultstring: 'Resource not found' } };

  server.on('POST /tokens', ({ headers, body }) => {
    const login = Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString();
    if (login !== 'me:sesame') return { status: 401, body: { faultstring: 'Invalid or missing credentials' } };
    const expiry = new Date(Date.now() + (body?.ttl ?? 3600) * 1000).toISOString();
    return { status: 201, body: { id: '1', user: 'me', token: TOKEN, expiry } };
  });
  guarded('DELETE /tokens/current', () => ({ status: 204 }));
  guarded('GET /v1/user', () => ({
    body: {
      username: 'me',
      authentication: { method: 'authentication token', location: 'header', token_expire: '2099-01-02T03:04:05Z' },
      rbac: { enabled: false, roles: [], is_admin: true },
    },
  }));
  guarded('GET /v1/actions', () => ({
    body: [action, { ref: 'core.noop', pack: 'core', description: 'Ünïcode 日本' }],
  }));
  guarded('GET /v1/actions/*', ({ path }) => (path.endsWith('/core.local') ? { body: action } : missing));
  guarded('POST /v1/actions', ({ body }) =>
    body.name === undefined
      ? { status: 400, body: { faultstring: "'name' is a required property" } }
      : { status: 201, body: { ...action, ...body } },
  );
  guarded('PUT /v1/actions/*', ({ body }) => ({ body: { ...body, ref: action.ref } }));
  guarded('DELETE /v1/actions/*', ({ path }) => (path.endsWith('/core.local') ? { status: 204 } : missing));
  guarded('GET /v1/runnertypes/*', () => ({
    body: {
      id: '2',
      name: 'local-shell-cmd',
      runner_parameters: { cmd: { type: 'string' }, timeout: { type: 'integer' } },
    },
  }));
  guarded('GET /v1/executions', () => ({
    headers: { 'x-total-count': '9' },
    body: [{ ...execution, id: `${ID.slice(0, -1)}2` }, execution],
  }));
  guarded('POST /v1/executions', ({ body }) => {
    execution['parameters'] = body.parameters;
    return { status: 201, body: { ...execution, status: 'requested' } };
  });
  guarded('GET /v1/executions/*', ({ path }) => (path.endsWith(ID) ? { body: execution } : missing));
  guarded('DELETE /v1/executions/*', ({ path }) => {
    if (!path.endsWith(ID)) return missing;
    if (!ended()) return { body: { ...execution, status: 'canceling' } };
    return { body: { faultstring: 'Action cannot be canceled. State = succeeded.' } };
  });
  guarded('GET /v1/executions/*/output', ({ headers }, response) => {
    if (headers.accept !== 'text/event-stream') return { text: output.join('') };
    response.write(output.map(chunk).join('') || '\n');
    if (ended()) response.end("event: EOF\ndata: ''\n\n");
    else outputs.add(response);
  });
  guarded('GET /v1/stream', (_request, response) => {
    response.write('\n');
    streams.add(response);
  });

  return {
    ...server,
    print(data) {
      output.push(data);
      for (const each of outputs) each.write(chunk(data, output.length - 1));
    },
    finish(status, result) {
      Object.assign(execution, { status, result, end_timestamp: '2026-01-02T03:04:08.000000Z' });
      for (const each of streams) each.write(frame('st2.execution__update', execution));
      for (const each of outputs) each.end("event: EOF\ndata: ''\n\n");
    },
  };
}
