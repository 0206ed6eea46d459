import { createClient, type Execution } from '../../src';
import { frame, startServer, type ScriptedServer } from '../support/scripted-server';

let server: ScriptedServer;
/** The executions on the server: the first is the workflow. */
let stored: Execution[];
beforeEach(async () => {
  server = await startServer();
  stored = [workflow('root', 'running')];
  server.on('GET /v1/executions/root', () => ({ body: stored[0] }));
  server.on('GET /v1/executions', ({ query }) => {
    const parents = query.get('parent')!.split(',');
    const found = stored.filter(({ parent }) => parent !== undefined && parents.includes(parent));
    const offset = Number(query.get('offset'));
    const body = found.slice(offset, offset + Number(query.get('limit')));
    return { body, headers: { 'x-total-count': String(found.length) } };
  });
});
afterEach(() => server.close());

const client = () => createClient({ apiUrl: `${server.url}/v1`, authUrl: server.url, streamUrl: `${server.url}/v1` });

const action = (id: string, status: Execution['status'], parent?: string): Execution => ({
  id,
  status,
  action: { ref: 'core.noop', runner_type: 'noop' },
  start_timestamp: 'T',
  ...(parent === undefined ? {} : { parent }),
});
const workflow = (...facts: Parameters<typeof action>): Execution => ({
  ...action(...facts),
  action: { ref: 'core.flow', runner_type: 'orquesta' },
});

const lines = (changes: readonly Execution[]) => changes.map(({ id, status }) => `${id} ${status}`);

/** Reads a family to its end. @param onBatch called after each batch */
async function told(onBatch: (count: number) => void = () => undefined, options = {}): Promise<string[]> {
  const seen: string[] = [];
  let count = 0;
  for await (const changes of client().executions.family('root', options)) {
    seen.push(...lines(changes));
    onBatch(++count);
  }
  return seen;
}

describe('the descendants of a workflow', () => {
  test('are read level by level, and returned with parents before their children', async () => {
    stored.push(
      workflow('a', 'running', 'root'),
      action('b', 'running', 'root'),
      workflow('c', 'running', 'root'),
      action('a1', 'failed', 'a'),
      action('c1', 'succeeded', 'c'),
    );
    const found = await client().executions.descendants('root');
    expect(found.map(({ id }) => id)).toEqual(['a', 'a1', 'b', 'c', 'c1']);
    expect(server.seen.map(({ query }) => query.get('parent'))).toEqual(['root', 'a,c']);
    expect((await client().executions.descendants('root', 1)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('are read in pages, without results', async () => {
    stored.push(...Array.from({ length: 250 }, (_, index) => action(`item${index}`, 'running', 'root')));
    expect(await client().executions.descendants('root')).toHaveLength(250);
    expect(server.seen).toHaveLength(3);
    expect(server.seen[0]?.query.get('include_attributes')).not.toContain('result');
  });
});

describe('a family', () => {
  /** The stream, once it is read. */
  const stream = () =>
    new Promise<(...executions: Execution[]) => void>((resolve) =>
      server.on('GET /v1/stream', (_request, response) => {
        response.write('\n');
        resolve((...executions) => {
          for (const each of executions) response.write(frame('st2.execution__update', each));
        });
      }),
    );

  test('yields the current state, then events, and ends with a final read', async () => {
    const opened = stream();
    stored.push(action('a', 'running', 'root'));
    const seen = await told((count) => {
      if (count === 1)
        void opened.then((send) =>
          send(
            action('stranger', 'running', 'other'),
            action('a', 'succeeded', 'root'),
            workflow('b', 'running', 'root'),
            action('b1', 'running', 'b'),
          ),
        );
      if (count === 2) {
        stored = [
          workflow('root', 'succeeded'),
          action('a', 'succeeded', 'root'),
          workflow('b', 'succeeded', 'root'),
          action('b1', 'succeeded', 'b'),
        ];
        void opened.then((send) => send(stored[0]!));
      }
    });
    expect(seen.slice(0, 2)).toEqual(['root running', 'a running']);
    expect(seen.filter((line) => line.endsWith('succeeded')).sort()).toEqual([
      'a succeeded',
      'b succeeded',
      'b1 succeeded',
      'root succeeded',
    ]);
    expect(seen.join()).not.toContain('stranger');
  });

  test('ignores a late event about an execution that has ended', async () => {
    const opened = stream();
    stored.push(action('a', 'failed', 'root'));
    const seen = await told((count) => {
      if (count > 1) return;
      stored[0] = workflow('root', 'failed');
      void opened.then((send) => send(action('a', 'running', 'root'), stored[0]!));
    });
    expect(seen).toEqual(['root running', 'a failed', 'root failed']);
  });

  test('is polled without a stream', async () => {
    stored.push(action('a', 'running', 'root'));
    const seen = await told(() => {
      stored = [workflow('root', 'succeeded'), action('a', 'succeeded', 'root')];
    });
    expect(seen).toEqual(['root running', 'a running', 'root succeeded', 'a succeeded']);
  });

  test.each([
    [{}, ['root paused']],
    [{ throughPauses: true }, ['root paused', 'root succeeded']],
  ])('of a paused workflow ends, unless throughPauses is set: %j', async (options, expected) => {
    stored[0] = workflow('root', 'paused');
    expect(await told(() => void (stored[0] = workflow('root', 'succeeded')), options)).toEqual(expected);
  });

  test('can be abandoned early', async () => {
    const interruption = new AbortController();
    const reading = told(() => interruption.abort(), { signal: interruption.signal });
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test.each([
  ['pause', 'pausing'],
  ['resume', 'resuming'],
] as const)('%s requests the status %s', async (verb, status) => {
  server.on('PUT /v1/executions/1', ({ body }) => ({ body: { id: '1', ...body } }));
  expect(await client().executions[verb]('1')).toEqual({ id: '1', status });
});
