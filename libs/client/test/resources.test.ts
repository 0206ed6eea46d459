import { createClient } from '../src';
import { startServer, type ScriptedServer } from './support/scripted-server';

let server: ScriptedServer;
beforeEach(async () => (server = await startServer()));
afterEach(() => server.close());
const client = () => createClient({ apiUrl: `${server.url}/v1/`, authUrl: server.url, streamUrl: `${server.url}/v1` });

test('reads a list page by page until it has as many items as the server counts', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  server.on('GET /v1/packs', ({ query }) => {
    const offset = Number(query.get('offset'));
    return { headers: { 'x-total-count': '5' }, body: names.slice(offset, offset + 2).map((ref) => ({ ref })) };
  });
  expect((await client().packs.list()).map(({ ref }) => ref)).toEqual(names);
  expect(server.seen).toHaveLength(3);
});

test('requests an execution with every given option', async () => {
  server.on('POST /v1/executions', () => ({ status: 201, body: { id: 'x' } }));
  await client().executions.create({
    action: 'core.local',
    parameters: { cmd: 'date' },
    delayMs: 5,
    trace: { tag: 't' },
  });
  expect(server.seen[0]?.body).toEqual({
    action: 'core.local',
    parameters: { cmd: 'date' },
    user: null,
    delay: 5,
    context: { trace_context: { trace_tag: 't' } },
  });
});

test('a cancellation that comes too late is an error, although the server responds with 200', async () => {
  server.on('DELETE /v1/executions/*', () => ({
    body: { faultstring: 'Action cannot be canceled. State = succeeded.' },
  }));
  await expect(client().executions.cancel('1')).rejects.toMatchObject({ status: 409, message: /cannot be canceled/ });
});

test('encodes the parts of a path', async () => {
  server.on('GET /v1/actions/*', () => ({ body: {} }));
  await client().actions.get('default.bad name/../x');
  expect(server.lines()).toEqual(['GET /v1/actions/default.bad%20name%2F..%2Fx']);
});
