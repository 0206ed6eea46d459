import request from 'supertest';
import { apiFixture, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => (api = await apiFixture()));
afterAll(() => api.close());

const listen = (url: string, name = `r-${url}`.replaceAll('/', '-')) =>
  api.ada
    .post('rules', {
      name,
      trigger: { type: 'core.st2.webhook', parameters: { url } },
      action: { ref: 'core.noop' },
    })
    .expect(201);
const newest = async (count = 1) => api.store.triggerInstances.list({ sort: { occurrence_time: -1 }, limit: count });
const count = () => api.store.triggerInstances.count();
const form = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';

describe('a webhook', () => {
  it.each<[string, string, unknown]>([
    ['application/json', '{"a":[1,null,"ž"]}', { a: [1, null, 'ž'] }],
    ['application/json; charset=utf-8', '[1]', [1]],
    ['application/json', '{"id":1234567890123456789,"a":1e400}', { id: '1234567890123456789', a: '1e400' }],
    ['application/json', '', {}],
    [
      'application/json',
      '{"$where":1,"a.b":{"$c":[]},"__proto__":2}',
      JSON.parse('{"$where":1,"a.b":{"$c":[]},"__proto__":2}'),
    ],
    ['application/x-www-form-urlencoded', 'a=1&a=2', { a: ['1', '2'] }],
    ['multipart/form-data; boundary=x', form, { a: ['1'] }],
    ['text/plain', '{"a":1}', { a: 1 }],
  ])('accepts %s: %p', async (type, sent, body) => {
    await listen('types').catch(() => undefined);
    const answer = await api.ada.post('webhooks/types').type(type).send(sent).expect(202);
    expect(answer.body).toEqual(body);
    expect((await newest())[0]?.payload.body).toEqual(body);
  });

  it.each<[string, string, RegExp]>([
    ['application/xml', '<a/>', /Unsupported Content-Type: "application\/xml"/],
    ['application/json', '{"a":', /Failed to parse request body/],
    ['application/json', '"text"', /'\*{8}' of type 'string' is not of type 'object', 'array'/],
    ['application/json', '5', /of type 'integer' is not of type/],
    ['application/json', 'null', /None is not of type/],
    ['text/plain', 'hello', /Failed to parse request body/],
    ['multipart/form-data', form, /without a boundary/],
  ])('refuses %s: %p', async (type, sent, text) => {
    await listen('types').catch(() => undefined);
    const before = await count();
    const answer = await api.ada.post('webhooks/types').type(type).send(sent);
    expect([answer.status, answer.body.faultstring]).toEqual([400, expect.stringMatching(text)]);
    expect(await count()).toBe(before);
  });

  it('passes headers to rules, except those with credentials', async () => {
    await listen('headers');
    const withheld = { AUTHORIZATION: 'Basic x', cookie: 'a=b', 'proxy-Authorization': 'y', 'Svc-Trace-Tag': 'mine' };
    await api.ada.post('webhooks/headers', {}).set(withheld).set('x-custom-NAME', 'v').expect(202);
    const [made] = await newest();
    const { payload = {}, trace_context: trace } = made ?? {};
    expect(payload.headers).toMatchObject({ 'X-Custom-Name': 'v', 'Content-Type': 'application/json' });
    expect(payload.headers_lower).toMatchObject({ 'x-custom-name': 'v' });
    const lower = Object.keys({ ...(payload.headers as object), ...(payload.headers_lower as object) }).map((name) =>
      name.toLowerCase(),
    );
    for (const name of ['authorization', 'cookie', 'proxy-authorization', 'x-auth-token', 'svc-trace-tag'])
      expect(lower).not.toContain(name);
    expect(trace).toEqual({ trace_tag: 'mine' });
  });

  it('accepts a trace tag in the other spelling, and generates a missing one', async () => {
    await listen('traced');
    await api.ada.post('webhooks/traced', {}).set('St2-Trace-Tag', 'theirs').expect(202);
    expect((await newest())[0]?.trace_context).toEqual({ trace_tag: 'theirs' });
    await api.ada.post('webhooks/traced', {}).expect(202);
    expect((await newest())[0]?.trace_context?.trace_tag).toMatch(/^webhook-traced-[0-9a-f]{32}$/);
  });

  it('reaches one trigger for each spelling of its URL', async () => {
    await listen('two/deep', 'plain');
    await listen('/two/deep/', 'slashed');
    const before = await count();
    await api.ada.post('webhooks/two/deep/', {}).expect(202);
    expect(await count()).toBe(before + 2);
    expect((await api.ada.get('webhooks/two/deep').expect(200)).body.parameters).toEqual({ url: 'two/deep' });
  });

  it('responds from the moment its rule is stored, whichever process stored it', async () => {
    const { body } = await listen('elsewhere');
    const elsewhere = await api.store.triggers.byKey(body.trigger.ref);
    await api.store.triggers.remove(elsewhere?._id ?? '');
    await api.ada.post('webhooks/elsewhere', {}).expect(404);
    await api.store.triggers.insert(elsewhere as NonNullable<typeof elsewhere>);
    await api.ada.post('webhooks/elsewhere', {}).expect(202);
  });

  it('takes effect once for an Idempotency-Key', async () => {
    await listen('once');
    const before = await count();
    for (let time = 0; time < 2; time += 1)
      await api.ada.post('webhooks/once', {}).set('Idempotency-Key', 'k1').expect(202);
    expect(await count()).toBe(before + 1);
  });

  it('requires credentials', async () => {
    await request(api.url).post('/v1/webhooks/types').send({}).expect(401);
  });

  it('is a 404 without a rule', async () => {
    const { body } = await api.ada.post('webhooks/nope/deeper', {}).expect(404);
    expect(body.faultstring).toBe('Webhook nope/deeper not registered with st2');
    await api.ada.get('webhooks/nope').expect(404);
    expect((await api.ada.get('webhooks').expect(200)).headers['x-total-count']).toBeDefined();
  });
});

describe('the generic webhook', () => {
  beforeAll(async () => {
    const payload_schema = { type: 'object', properties: { order: { type: 'integer' } } };
    await api.ada.post('triggertypes', { name: 'placed', pack: 'default', payload_schema }).expect(201);
    await api.ada.post('triggertypes', { name: 'open', pack: 'default' }).expect(201);
  });

  it.each(['st2', 'svc', 'st2/'])('%s dispatches a trigger by name', async (hook) => {
    const sent = { trigger: 'default.placed', payload: { order: 7 }, more: true };
    expect((await api.ada.post(`webhooks/${hook}`, sent).expect(202)).body).toEqual(sent);
    expect((await newest())[0]).toMatchObject({ trigger: 'default.placed', payload: { order: 7 } });
  });

  it('accepts a missing payload when the type requires nothing', async () => {
    await api.ada.post('webhooks/st2', { trigger: 'default.open' }).expect(202);
    expect((await newest())[0]?.payload).toEqual({});
  });

  it.each([
    [[], /Webhook body needs to be an object, got: array/],
    [{}, /Trigger not specified\./],
    [{ trigger: 5 }, /Invalid resource reference: 5/],
    [{ trigger: 'nope', payload: {} }, /"nope" \(\{\}\): Trigger type with reference "nope" doesn't exist/],
    [{ trigger: 'default.placed' }, /"default\.placed" \(None\): None is not of type 'object'/],
    [{ trigger: 'default.placed', payload: { order: 'x' } }, /\(\{'order': 'x'\}\): 'x' is not of type 'integer'/],
    [{ trigger: 'default.open', payload: [1] }, /payload of a trigger must be an object, got list/],
    [{ trigger: { type: 'default.open', parameters: { a: 1 } } }, /no trigger of type "default\.open"/],
  ])('refuses %j and dispatches nothing', async (sent, text) => {
    const before = await count();
    expect((await api.ada.post('webhooks/st2', sent).expect(400)).body.faultstring).toMatch(text);
    expect(await count()).toBe(before);
  });
});
