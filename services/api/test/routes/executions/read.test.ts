import { gunzipSync } from 'node:zlib';
import { newId, systemClock } from '@switchyard/base';
import { apiFixture, roles, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
let ids: string[];
beforeAll(async () => {
  // Caches do not expire, so the caller is not looked up again between two requests.
  api = await apiFixture({ access: roles, clock: { ...systemClock(), monotonicMs: () => 0 } });
  ids = [];
  for (const message of ['1', '2', '3'])
    ids.push(
      await api.ran({ action: 'core.echo', parameters: { message } }, 'succeeded', { stdout: message, n: { a: 1 } }),
    );
});
afterAll(() => api.close());

const at = (index: number) => ids[index] as string;

describe('GET /executions', () => {
  it('returns pages, newest first, with the total count', async () => {
    const { body, headers } = await api.ada.get('executions?include_attributes=parameters&limit=2');
    expect(body).toEqual([
      { id: at(2), parameters: { message: '3' } },
      { id: at(1), parameters: { message: '2' } },
    ]);
    expect(headers).toMatchObject({ 'x-total-count': '3', 'x-limit': '2' });
    const rest = await api.ada.get('executions?include_attributes=id&limit=2&offset=2');
    expect(rest.body).toEqual([{ id: at(0) }]);
  });

  it.each([
    ['status=succeeded,failed', 3],
    ['status=failed', 0],
    ['action=core.echo&user=ada&runner=local-shell-cmd', 3],
    ['parent=null', 3],
    ['rule=none&trigger=none&trigger_type=core.st2.none', 0],
    ['timestamp=2020-01-01T00:00:00Z..2100-01-01T00:00:00Z', 3],
    ['timestamp_gt=2100-01-01T00:00:00Z', 0],
    ['filter=parameters.message:2 status:succeeded', 1],
    ['filter=action.name:echo', 3],
    ['colour=red', 3],
  ])('finds by %s', async (query, count) => {
    const { body, headers } = await api.ada.get(`executions?${query}`).expect(200);
    expect([body.length, headers['x-total-count']]).toEqual([count, String(count)]);
  });

  it('finds by id and live action', async () => {
    const { body } = await api.ada.get(`executions?id=${at(0)},${at(1)}&include_attributes=liveaction.id`);
    expect(body.map(({ id }: { id: string }) => id)).toEqual([at(1), at(0)]);
    const found = await api.ada.get(`executions?liveaction=${body[0].liveaction.id}&include_attributes=status`);
    expect(found.body).toEqual([{ id: at(1), status: 'succeeded' }]);
  });

  it.each([
    ['limit=0', 400, 'Limit, "0" specified'],
    ['limit=101', 403, 'Limit "101" specified, maximum value is "100"'],
    ['limit=-1', 403, 'Administrator access required'],
    ['offset=-1', 400, 'Offset, "-1" specified'],
    ['id=zzz', 400, "'zzz' is not a valid ObjectId"],
    ['timestamp=5', 400, 'Datetime value does not match'],
    ['filter=colour:red', 400, 'Cannot resolve field "colour"'],
    ['include_attributes=nope', 400, 'Invalid or unsupported include attribute specified: nope'],
    ['exclude_attributes=action', 400, 'Invalid or unsupported exclude attribute specified: action'],
    ['include_attributes=id&exclude_attributes=result', 400, 'mutually exclusive'],
    ['show_secrets=maybe', 400, 'Parameter "show_secrets" is not of type boolean'],
  ])('?%s is a %i', async (query, status, text) => {
    const answer = await api.ada.get(`executions?${query}`);
    expect([answer.status, answer.body.faultstring]).toEqual([status, expect.stringContaining(text)]);
  });

  it.each(['', '&status=succeeded', '&action=core.echo', '&user=ada', '&sort_asc=1'])(
    'reads no more executions than it returns (limit=1%s)',
    async (query) => {
      const read = () => api.ada.get(`executions?limit=1${query}`).expect(200);
      expect(await api.examinedBy(read)).toBeLessThanOrEqual(1);
    },
  );
});

describe('GET /executions/{id}', () => {
  it('returns all of it, or the selected attributes', async () => {
    const { body } = await api.ada.get(`executions/${at(0)}`);
    expect(body).toMatchObject({
      id: at(0),
      status: 'succeeded',
      result: { stdout: '1' },
      elapsed_seconds: expect.any(Number),
    });
    const parts = await api.ada.get(`executions/${at(0)}?include_attributes=status,result.stdout,result.n.a`);
    expect(parts.body).toEqual({ id: at(0), status: 'succeeded', result: { stdout: '1', n: { a: 1 } } });
    const without = await api.ada.get(`executions/${at(0)}?exclude_attributes=result,status`);
    expect(without.body).toEqual(expect.not.objectContaining({ result: expect.anything(), status: expect.anything() }));
    expect(without.body).toHaveProperty('log');
  });

  it('leaves out a result that is larger than requested', async () => {
    const { body } = await api.ada.get(`executions/${at(0)}?max_result_size=5`);
    expect(body).not.toHaveProperty('result');
    expect(body.result_size).toBeGreaterThan(5);
    for (const size of [0, 10_000]) {
      const all = await api.ada.get(`executions/${at(0)}?max_result_size=${size}`);
      expect(all.body).toHaveProperty('result');
    }
  });

  it('finds the newest one as last', async () => {
    expect((await api.ada.get('executions/last')).body.id).toBe(at(2));
    expect((await api.ada.get('executions/last?include_attributes=id')).body).toEqual({ id: at(2) });
  });

  it.each([
    ['abc', 404, 'Unable to identify resource with id "abc".'],
    ['000000000000000000000001', 404, 'Unable to identify resource'],
    ['last?max_result_size=-1', 400, 'max_result_size must be a positive number'],
    [`last?max_result_size=${15 * 1024 * 1024}`, 400, 'max_result_size query parameter must be smaller than 14 MB'],
  ])('%s is a %i', async (path, status, text) => {
    const answer = await api.ada.get(`executions/${path}`);
    expect([answer.status, answer.body.faultstring]).toEqual([status, expect.stringContaining(text)]);
  });
});

describe('Parts of an execution', () => {
  it('are its attributes', async () => {
    const read = async (name: string) => (await api.ada.get(`executions/${at(0)}/attribute/${name}`)).body;
    expect(await read('status')).toBe('succeeded');
    expect(await read('result')).toEqual({ stdout: '1', n: { a: 1 } });
    expect(await read('trigger_instance')).toEqual({});
    expect((await read('action')).faultstring).toBe(
      'Invalid attribute "action" specified. Valid attributes are: result, trigger_instance, status',
    );
    await api.ada.get('executions/abc/attribute/status').expect(400);
    await api.ada.get('executions/000000000000000000000001/attribute/status').expect(404);
  });

  it('include its result as a file', async () => {
    const plain = await api.ada.get(`executions/${at(0)}/result`);
    expect([plain.headers['content-type'], plain.text]).toEqual(['text/json', '{"stdout":"1","n":{"a":1}}']);
    const pretty = await api.ada.get(`executions/${at(0)}/result?pretty_format=1&download=1`);
    expect(pretty.headers['content-disposition']).toBe(`attachment; filename=execution_${at(0)}_result.json`);
    expect(pretty.text).toContain('\n  "stdout": "1"');
    const packed = await api.ada
      .get(`executions/${at(0)}/result?compress=1`)
      .buffer(true)
      .parse((response, done) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => done(null, Buffer.concat(parts)));
      });
    expect(packed.headers['content-type']).toBe('application/x-gzip');
    const bytes = packed.body as Buffer;
    const text = bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString();
    expect(JSON.parse(text)).toEqual({ stdout: '1', n: { a: 1 } });
    await api.ada.get('executions/abc/result').expect(400);
    const unknown = await api.ada.get('executions/000000000000000000000001/result').expect(404);
    expect(unknown.body.faultstring).toBe('The resource could not be found.');
  });

  it('include its output, by type', async () => {
    const chunk = (sequence: number, output_type: string, data: string) => ({
      _id: newId(),
      execution_id: at(0),
      sequence,
      output_type,
      data,
      timestamp: sequence,
      action_ref: 'core.echo',
      runner_ref: 'local-shell-cmd',
    });
    await api.store.output.append([chunk(1, 'stdout', 'a\n'), chunk(2, 'stderr', 'b\n'), chunk(3, 'output', 'c\n')]);
    const read = async (query = '') => (await api.ada.get(`executions/${at(0)}/output${query}`)).text;
    expect(await read()).toBe('a\nb\nc\n');
    expect(await read('?output_type=stdout')).toBe('a\n');
    expect(await read('?output_type=other')).toBe('c\n');
    expect((await api.ada.get(`executions/${at(1)}/output`)).text).toBe('');
  });

  it('include its child executions', async () => {
    const admin = await api.as('root');
    const child = async (parent: string) =>
      (await admin.post('executions', { action: 'core.noop', context: { parent: { execution_id: parent } } })).body.id;
    const root = (await api.ada.post('executions', { action: 'core.noop' })).body.id;
    const first = await child(root);
    const second = await child(root);
    const below = await child(first);
    const read = async (query = '') =>
      (await api.ada.get(`executions/${root}/children${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await read()).toEqual([first, below, second]);
    expect(await read('?result_fmt=sorted')).toEqual([first, second, below]);
    expect(await read('?depth=1')).toEqual([first, second]);
    expect((await api.ada.get(`executions/${below}/children`)).body).toEqual([]);
    await api.ada.get('executions/abc/children').expect(404);
  });

  it('include the values of filters', async () => {
    const { body } = await api.ada.get('executions/views/filters');
    expect(body).toEqual({
      action: ['core.echo', 'core.noop'],
      rule: [],
      runner: ['local-shell-cmd', 'noop'],
      status: ['requested', 'succeeded'],
      trigger: [],
      trigger_type: [],
      user: ['ada'],
    });
    expect((await api.ada.get('executions/views/filters?types=user,nope')).body).toEqual({ user: ['ada'] });
  });
});
