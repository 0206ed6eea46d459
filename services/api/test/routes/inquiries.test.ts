import { leakCheck } from '@switchyard/testkit/platform';
import { apiFixture, roles, type ApiFixture, type ApiFixtureOptions, type Client } from '../support/api-fixture';

const later = leakCheck('all');

const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean', required: true }, pin: { type: 'string', secret: true } },
};
const UNKNOWN = '000000000000000000000001';

async function setUp(options: ApiFixtureOptions = {}): Promise<ApiFixture> {
  const fixture = await apiFixture(options);
  later(() => fixture.close());
  return fixture;
}

/** For all tests that do not list inquiries. */
let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await setUp();
});

/** Requests an inquiry, and acts as its runner. */
async function asked({ ada, executions }: ApiFixture, parameters: Record<string, unknown> = {}): Promise<string> {
  const question = { schema: SCHEMA, route: '', users: [], roles: [], ttl: 1440, ...parameters };
  const { body } = await ada.post('executions', { action: 'core.ask', parameters }).expect(201);
  const record = await executions.get(body.id);
  await executions.transition(record, 'scheduled');
  await executions.transition(record, 'running');
  await executions.transition(record, 'pending', await executions.results.store(record, question));
  return body.id as string;
}

const answer = (client: Client, id: string, response: unknown) => client.put(`inquiries/${id}`, { id, response });

describe('an inquiry', () => {
  it('is shown, and can be answered once', async () => {
    const { ada } = fixture;
    const id = await asked(fixture, { route: 'desk' });
    const { body } = await ada.get(`inquiries/${id}`).expect(200);
    expect(body).toEqual({ id, route: 'desk', ttl: 1440, users: [], roles: [], schema: SCHEMA });
    expect((await answer(ada, id, { ok: true }).expect(200)).body).toEqual({ id, response: { ok: true } });
    const { body: execution } = await ada.get(`executions/${id}`).expect(200);
    expect(execution).toMatchObject({
      status: 'succeeded',
      end_timestamp: expect.any(String),
      result: { route: 'desk', response: { ok: true } },
    });
    const over = { faultstring: `Inquiry "${id}" has already been responded to.` };
    expect((await ada.get(`inquiries/${id}`).expect(400)).body).toEqual(over);
    expect((await answer(ada, id, { ok: true }).expect(400)).body).toEqual(over);
    expect(fixture.log).toContainEqual({
      level: 'audit',
      message: 'Inquiry responded.',
      fields: { execution_id: id, user: 'ada' },
    });
  });

  it('gets a 200 for one of two concurrent responses, and a 400 for the other', async () => {
    const id = await asked(fixture);
    const bob = await fixture.as('bob');
    const answers = await Promise.all([answer(fixture.ada, id, { ok: true }), answer(bob, id, { ok: false })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const taken = answers.find(({ status }) => status === 200)?.body.response;
    expect((await fixture.ada.get(`executions/${id}`)).body.result.response).toEqual(taken);
  });

  it('shows no secret of a response, in any view', async () => {
    const id = await asked(fixture);
    const views = [await answer(fixture.ada, id, { ok: true, pin: 'hidden-pin' }).expect(200)];
    for (const path of ['', '?include_attributes=result', '/result', '/attribute/result'])
      views.push(await fixture.ada.get(`executions/${id}${path}`).expect(200));
    for (const { text } of views) {
      expect(text).not.toContain('hidden-pin');
      expect(text).toContain('********');
    }
  });

  it('accepts responses only from allowed users', async () => {
    const id = await asked(fixture, { users: ['bob'] });
    expect((await answer(fixture.ada, id, { ok: true }).expect(403)).body).toEqual({
      faultstring: `User "ada" does not have permission to respond to inquiry "${id}".`,
    });
    await answer(await fixture.as('bob'), id, { ok: true }).expect(200);
  });

  it.each<[string, (user: string) => string[], number]>([
    ['the role', () => ['ops'], 200],
    ['another role', () => ['dev'], 403],
  ])('requires %s while roles are in use', async (_, rolesOf, status) => {
    const withRoles = await setUp({ access: { ...roles, rolesOf } });
    const id = await asked(withRoles, { roles: ['ops'] });
    await answer(withRoles.ada, id, { ok: true }).expect(status);
  });

  it('requires no role while roles are not in use', async () => {
    await answer(fixture.ada, await asked(fixture, { roles: ['ops'] }), { ok: true }).expect(200);
  });
});

describe('an invalid response', () => {
  it.each<[string, unknown, RegExp]>([
    ['no id', { response: { ok: true } }, /^'id' is a required property$/],
    ['no response', { id: 'x' }, /^'response' is a required property$/],
    ['nothing', {}, /^'id' is a required property$/],
    ['a list', [], /is not of type 'object'/],
    ['a response that is not an object', { id: 'x', response: 'yes' }, /'yes' is not of type 'object'/],
    ['a response that is null', { id: 'x', response: null }, /is not of type 'object'/],
    ['a response of another type', { id: 'x', response: { ok: 'text' } }, /did not pass schema validation\. 'text'/],
    ['a response without a required property', { id: 'x', response: {} }, /validation\. 'ok' is a required property/],
    ['a secret of the wrong type', { id: 'x', response: { ok: true, pin: [12345] } }, /did not pass schema validation/],
  ])('is reported and leaves the inquiry open: %s', async (_, body, text) => {
    const id = await asked(fixture);
    const refused = await fixture.ada.put(`inquiries/${id}`, body).expect(400);
    expect(refused.body.faultstring).toMatch(text);
    expect(refused.text).not.toContain('12345');
    await fixture.ada.get(`inquiries/${id}`).expect(200);
  });

  it('is a 404 for an unknown inquiry', async () => {
    const { ada, ran } = fixture;
    await ada.get(`inquiries/${UNKNOWN}`).expect(404);
    await ada.get('inquiries/nonsense').expect(404);
    await answer(ada, UNKNOWN, { ok: true }).expect(404);
    const id = await ran({ action: 'core.noop' });
    expect((await ada.get(`inquiries/${id}`).expect(400)).body.faultstring).toBe(
      `Action execution "${id}" is not an inquiry.`,
    );
  });

  it('is refused when the inquiry has timed out, was canceled, or is not open yet', async () => {
    const { ada, executions } = fixture;
    const late = await asked(fixture);
    await executions.transition(await executions.get(late), 'timeout');
    expect((await answer(ada, late, { ok: true }).expect(400)).body.faultstring).toMatch('timed out');
    const canceled = await asked(fixture);
    await ada.delete(`executions/${canceled}`).expect(200);
    await answer(ada, canceled, { ok: true }).expect(400);
    const { body } = await ada.post('executions', { action: 'core.ask' }).expect(201);
    await answer(ada, body.id, { ok: true }).expect(409);
  });
});

describe('the list of inquiries', () => {
  let lists: ApiFixture;
  let ids: string[];
  beforeAll(async () => {
    lists = await setUp();
    const [first, answered, last] = [await asked(lists), await asked(lists), await asked(lists, { route: 'desk' })];
    await answer(lists.ada, answered, { ok: true }).expect(200);
    await lists.ran({ action: 'core.noop' });
    ids = [first, last];
  });

  it('contains the open ones, oldest first', async () => {
    const { ada } = lists;
    const listed = await ada.get('inquiries').expect(200);
    expect(listed.body.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(listed.headers).toMatchObject({ 'x-total-count': '2', 'x-limit': '20' });
  });

  it.each<[string, number[]]>([
    ['limit=1', [0]],
    ['limit=1&offset=1', [1]],
    ['sort=-start_timestamp', [1, 0]],
    ['action=core.ask', [0, 1]],
    ['action=core.other', []],
    ['user=ada', [0, 1]],
  ])('is filtered by %s', async (query, expected) => {
    const { body } = await lists.ada.get(`inquiries?${query}`).expect(200);
    expect(body.map(({ id }: { id: string }) => ids.indexOf(id))).toEqual(expected);
  });

  it('shows the selected attributes', async () => {
    const { body } = await lists.ada.get('inquiries?include_attributes=route&sort=-start_timestamp&limit=1');
    expect(body).toEqual([{ id: ids[1], route: 'desk' }]);
    expect((await lists.ada.get('inquiries?exclude_attributes=schema')).body[0]).not.toHaveProperty('schema');
    const unknown = await lists.ada.get('inquiries?include_attributes=nonsense&sort=-start_timestamp&limit=1');
    expect(unknown.body).toEqual([{ id: ids[1] }]);
  });

  it.each<[string, number, string]>([
    ['limit=abc', 400, 'Parameter "limit" is not of type integer'],
    ['limit=-5', 400, 'Limit, "-5" specified, must be a positive number.'],
    ['limit=0', 400, 'Limit, "0" specified, must be a positive number or -1 for full result set.'],
    ['id=nonsense', 400, ''],
  ])('refuses %s', async (query, status, text) => {
    expect((await lists.ada.get(`inquiries?${query}`).expect(status)).body.faultstring).toContain(text);
  });
});
