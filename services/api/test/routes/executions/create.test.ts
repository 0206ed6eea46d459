import request from 'supertest';
import { apiFixture, roles, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => void (api = await apiFixture({ access: roles })));
afterAll(() => api.close());

const stored = () => api.store.executions.count({});

describe('POST /executions', () => {
  it('returns the execution as requested', async () => {
    const { status, body } = await api.ada.post('executions', {
      action: 'core.local',
      parameters: { cmd: 'date' },
      callback: { url: 'http://x' },
      notify: { 'on-failure': { message: 'oh', channels: ['chat'] } },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      action: { ref: 'core.local' },
      runner: { name: 'local-shell-cmd' },
      status: 'requested',
      parameters: { cmd: 'date' },
      context: { user: 'ada', pack: 'core' },
      log: [{ status: 'requested' }],
      web_url: `https://console/#/history/${body.id}/general`,
      liveaction: {
        action: 'core.local',
        parameters: { cmd: 'date' },
        callback: { url: 'http://x' },
        notify: { 'on-failure': { message: 'oh', routes: ['chat'] } },
      },
    });
    expect(body).not.toHaveProperty('result');
    expect(api.log).toContainEqual(
      expect.objectContaining({ level: 'audit', fields: expect.objectContaining({ execution_id: body.id }) }),
    );
  });

  it('ignores fields that the system sets, and keeps a first result', async () => {
    const { body } = await api.ada.post('executions', {
      action: 'core.noop',
      id: '000000000000000000000001',
      status: 'succeeded',
      start_timestamp: '2020-01-01T00:00:00.000000Z',
      result: { a: 1 },
      colour: 'red',
    });
    expect(body.id).not.toBe('000000000000000000000001');
    expect(body).toMatchObject({ status: 'requested', result: { a: 1 } });
    expect(body.start_timestamp).not.toMatch(/^2020/);
  });

  it.each([
    [{}, 400, "'action' is a required property"],
    [[], 400, "[] is not of type 'object'"],
    [{ action: 'core.nope' }, 400, 'Action "core.nope" cannot be found.'],
    [{ action: 5 }, 400, "5 is not of type 'string'"],
    [{ action: 'core.noop', delay: -1 }, 400, '-1 is less than the minimum of 0'],
    [{ action: 'core.noop', delay: 1.5 }, 400, "1.5 is not of type 'integer'"],
    [{ action: 'core.noop', parameters: null }, 400, "None is not of type 'object'"],
    [
      { action: 'core.noop', notify: { 'on-whatever': {} } },
      400,
      "Additional properties are not allowed ('on-whatever' was unexpected)",
    ],
    [{ action: 'core.noop', pool: 'a b' }, 400, "'a b' does not match '^[A-Za-z0-9_-]{1,64}$'"],
    [{ action: 'core.local' }, 400, "'cmd' is a required property"],
    [{ action: 'core.local', parameters: { cmd: 'x', sudo: true } }, 400, 'Override of immutable parameter'],
    [{ action: 'core.noop', context: { parent: { execution_id: 'gone' } } }, 403, 'can only be provided by admins'],
    [{ action: 'core.noop', context: { trace_context: 'x' } }, 400, '"trace_context" is not valid'],
    [{ action: 'core.noop', user: 'root' }, 403, '"user" attribute can only be provided by admins'],
  ])('%j is a %i and leaves nothing behind', async (body, status, text) => {
    const before = await stored();
    const answer = await api.ada.post('executions', body);
    expect(answer.status).toBe(status);
    expect(answer.body.faultstring).toContain(text);
    expect(await stored()).toBe(before);
  });

  describe('with a number that would lose digits', () => {
    const run = (body: string) => api.ada.post('executions').type('application/json').send(body);

    it('keeps the digits as text', async () => {
      const sent = '{"action":"core.noop","parameters":{"id":1234567890123456789,"list":[1e400]}}';
      const { body } = await run(sent).expect(201);
      expect(body.parameters).toEqual({ id: '1234567890123456789', list: ['1e400'] });
      expect((await api.store.executions.get(body.id))?.parameters).toEqual(body.parameters);
    });

    it.each(['1234567890123456789', '"1234567890123456789"', '1e400'])(
      'refuses %s for a parameter of type integer',
      async (value) => {
        const before = await stored();
        const { status, body } = await run(`{"action":"core.local","parameters":{"cmd":"date","timeout":${value}}}`);
        expect([status, body.faultstring]).toEqual([400, expect.stringContaining('for parameter "timeout"')]);
        expect(await stored()).toBe(before);
      },
    );
  });

  it('runs as another user for administrators', async () => {
    const root = await api.as('root');
    const { body } = await root.post('executions', { action: 'core.noop', user: 'bob' }).expect(201);
    expect(body.context.user).toBe('bob');
    expect((await root.post('executions', { action: 'core.noop', user: null })).body.context.user).toBe('root');
  });

  it('takes a context from a header, under either prefix', async () => {
    for (const name of ['st2-context', 'svc-context']) {
      const { body } = await api.ada
        .post('executions', { action: 'core.noop', context: { a: 1 } })
        .set(name, '{"a": 2, "user": "root"}');
      expect(body.context).toEqual({ a: 2, user: 'ada', pack: 'core' });
    }
  });

  it("makes a child run as its parent's user", async () => {
    const root = await api.as('root');
    const parent = (await root.post('executions', { action: 'core.noop' })).body.id;
    const context = { parent: { execution_id: parent, user: 'mallory' } };
    const bob = (await root.post('executions', { action: 'core.noop', user: 'bob' })).body.id;
    const { body: own } = await root.post('executions', {
      action: 'core.noop',
      context: { parent: { execution_id: bob } },
    });
    expect(own.context.user).toBe('bob');
    const { body } = await root.post('executions', { action: 'core.noop', context });
    expect(body).toMatchObject({ parent, context: { user: 'root', parent: { execution_id: parent } } });
    expect((await api.ada.get(`executions/${parent}`)).body.children).toEqual([body.id]);
  });

  it('refuses a parent that does not exist', async () => {
    const root = await api.as('root');
    const { status, body } = await root.post('executions', {
      action: 'core.noop',
      context: { parent: { execution_id: 'gone' } },
    });
    expect([status, body.faultstring]).toEqual([400, expect.stringContaining('"gone" does not exist')]);
  });

  it('takes effect once for an Idempotency-Key of one user', async () => {
    const ask = (action: string) => api.ada.post('executions', { action }).set('Idempotency-Key', 'k1');
    const first = await ask('core.noop').expect(201);
    expect((await ask('core.noop').expect(201)).body.id).toBe(first.body.id);
    expect((await ask('core.local')).status).toBe(400);
    const other = await (await api.as('bob')).post('executions', { action: 'core.noop' }).set('Idempotency-Key', 'k1');
    expect(other.body.id).not.toBe(first.body.id);
    const taken = await api.ada
      .post('executions', { action: 'core.echo', parameters: { message: 'x' } })
      .set('Idempotency-Key', 'k1');
    expect([taken.status, taken.body.faultstring]).toEqual([
      409,
      'The Idempotency-Key was used for an execution of "core.noop" before.',
    ]);
    await api.ada.post('executions', { action: 'core.noop' }).set('Idempotency-Key', 'x'.repeat(201)).expect(400);
  });

  it('works under its former name, and requires credentials', async () => {
    await api.ada.post('actionexecutions', { action: 'core.noop' }).expect(201);
    await request(api.url).post('/executions').send({ action: 'core.noop' }).expect(401);
  });
});

describe('POST /executions/{id}/re_run', () => {
  const again = async (body: object, query = '') => {
    const id = await api.ran({ action: 'core.echo', parameters: { message: 'one' } });
    return { id, answer: await api.ada.post(`executions/${id}/re_run${query}`, body) };
  };

  it('uses the former parameters, overlaid with the given ones', async () => {
    const { id, answer } = await again({});
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ parameters: { message: 'one' }, context: { 're-run': { ref: id } } });
    expect((await again({ parameters: { message: 'two' } })).answer.body.parameters).toEqual({ message: 'two' });
  });

  it('uses only the given parameters on request', async () => {
    const { answer } = await again({}, '?no_merge=true');
    expect(answer.body.faultstring).toBe("'message' is a required property");
  });

  it.each([
    [{ tasks: ['t'] }, 'Task option is only supported for Orquesta workflows.'],
    [{ tasks: ['t'], reset: ['u'] }, 'List of tasks to reset does not match the tasks to rerun.'],
    [{ tasks: ['t'], parameters: { a: 1 } }, 'Parameters override is not supported'],
    [{ tasks: 'x' }, "'x' is not of type 'array'"],
    [{ delay: -5 }, '-5 is less than the minimum of 0'],
  ])('%j is refused', async (body, text) => {
    const { answer } = await again(body);
    expect([answer.status, answer.body.faultstring]).toEqual([400, expect.stringContaining(text)]);
  });

  it('is a 404 for an execution that does not exist', async () => {
    const { body } = await api.ada.post('executions/abc/re_run', {}).expect(404);
    expect(body.faultstring).toBe('Unable to identify resource with id "abc".');
  });
});
