import { createClient, type OutputChunk } from '../../src';
import { frame, startServer, type ScriptedServer } from '../support/scripted-server';

let server: ScriptedServer;
beforeEach(async () => (server = await startServer()));
afterEach(() => server.close());
const client = () => createClient({ apiUrl: `${server.url}/v1`, authUrl: server.url, streamUrl: `${server.url}/v1` });

/** An execution that has the next of the given statuses each time it is read. */
const statuses = (...list: string[]) =>
  server.on('GET /v1/executions/1', () => ({ body: { id: '1', status: list.length > 1 ? list.shift() : list[0] } }));

test('waiting ends with the final event, not with the next poll', async () => {
  statuses('running', 'succeeded');
  server.on('GET /v1/stream', (_request, response) => {
    response.write('\n');
    response.write(frame('st2.execution__update', { id: '1', status: 'running' }));
    setImmediate(() => response.write(frame('st2.execution__update', { id: '1', status: 'succeeded' })));
  });
  const seen: string[] = [];
  await expect(client().executions.wait('1', { onStatus: (status) => seen.push(status) })).resolves.toMatchObject({
    status: 'succeeded',
  });
  expect(seen.at(-1)).toBe('succeeded');
  expect(server.seen.filter(({ path }) => path === '/v1/executions/1')).toHaveLength(2);
});

test.each(['delayed', 'scheduled', 'running', 'pausing', 'resuming', 'canceling'])(
  'waiting without a stream continues while the execution is %s',
  async (status) => {
    statuses(status, status, 'failed');
    await expect(client().executions.wait('1')).resolves.toMatchObject({ status: 'failed' });
  },
);

test.each(['timeout', 'canceled', 'abandoned', 'paused', 'pending'])('waiting ends when it is %s', async (status) => {
  statuses(status);
  await expect(client().executions.wait('1')).resolves.toMatchObject({ status });
});

test('waiting survives a broken stream and a server that is briefly down', async () => {
  let broken = 0;
  server.on('GET /v1/stream', (_request, response) => {
    response.write('\n');
    setImmediate(() => response.destroy());
  });
  server.on('GET /v1/executions/1', (_request, response) => {
    if (broken++ < 4) return void response.destroy();
    return { body: { id: '1', status: 'succeeded' } };
  });
  await expect(client().executions.wait('1')).resolves.toMatchObject({ status: 'succeeded' });
});

test('waiting can be interrupted', async () => {
  statuses('running');
  const interruption = new AbortController();
  const waiting = client().executions.wait('1', { signal: interruption.signal, onStatus: () => interruption.abort() });
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});

test('output consists of stored and then new output, each piece once in spite of a broken connection', async () => {
  statuses('running', 'succeeded');
  let connections = 0;
  server.on('GET /v1/executions/1/output', (_request, response) => {
    response.write(chunk('a') + chunk('b'));
    if (connections++ === 0) setImmediate(() => response.destroy());
    else response.end(chunk('c') + EOF);
  });
  const seen: OutputChunk[] = [];
  for await (const each of client().executions.outputStream('1')) seen.push(each);
  expect(seen.map(({ data }) => data).join('')).toBe('a\nb\nc\n');
});

const chunk = (id: string) => frame('st2.execution.output__create', { id, data: `${id}\n`, output_type: 'stdout' });
const EOF = "event: EOF\ndata: ''\n\n";

/** The response of each connection in order; the last one repeats. */
async function outputOver(...connections: string[]): Promise<string> {
  server.on('GET /v1/executions/1/output', (_request, response) => {
    response.end(connections.length > 1 ? connections.shift() : connections[0]);
  });
  let text = '';
  for await (const { data } of client().executions.outputStream('1')) text += data;
  return text;
}

test('output is requested again after the server cut it off, even if the execution has ended', async () => {
  statuses('succeeded');
  const cutOff = `${chunk('a')}: the service is stopping\n\n`;
  expect(await outputOver(cutOff, `${chunk('a')}${chunk('b')}${EOF}`)).toBe('a\nb\n');
});

test('the output after a pause is included, even if the execution has ended by then', async () => {
  const log = ['requested', 'running', 'pausing', 'paused', 'resuming', 'succeeded'].map((status) => ({ status }));
  server.on('GET /v1/executions/1', () => ({ body: { id: '1', status: 'succeeded', log } }));
  expect(await outputOver(chunk('a') + EOF, `${chunk('a')}${chunk('b')}${EOF}`)).toBe('a\nb\n');
});

test('events continue after a broken connection', async () => {
  let connections = 0;
  server.on('GET /v1/stream', ({ query }, response) => {
    connections += 1;
    expect(query.get('events')).toBe('st2.execution__*,st2.announcement__x');
    response.write(frame('st2.announcement__x', { number: connections }));
    if (connections === 1) setImmediate(() => response.destroy());
  });
  const numbers: unknown[] = [];
  for await (const { data } of client().events({ events: ['st2.execution__*', 'st2.announcement__x'] })) {
    numbers.push(data);
    if (numbers.length === 2) break;
  }
  expect(numbers).toEqual([{ number: 1 }, { number: 2 }]);
});
