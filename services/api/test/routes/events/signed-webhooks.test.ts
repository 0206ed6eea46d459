import { createHmac, randomUUID } from 'node:crypto';
import { systemClock } from '@switchyard/base';
import request from 'supertest';
import { signatureCheck } from '../../../src/webhooks/signed-requests';
import { apiFixture, type ApiFixture } from '../../support/api-fixture';

const SECRET = 'a secret of the sender';
const REFUSED = { faultstring: 'Unauthorized - One of Token or API key required.' };

let api: ApiFixture;
let passedMs = 0;
beforeAll(async () => {
  const { nowMicros, ...clock } = systemClock();
  api = await apiFixture({ clock: { ...clock, nowMicros: () => nowMicros() + passedMs * 1000 } });
  await keep('hook', SECRET);
});
beforeEach(() => (passedMs = 0));
afterAll(() => api.close());

const keep = (name: string, value: string, secret = true) =>
  api.datastore.put({ scope: 'system', name }, { value, secret });

const rule = (url: string, signature?: object, name = `r-${randomUUID()}`) => ({
  name,
  trigger: { type: 'core.st2.webhook', parameters: { url, ...(signature ? { signature } : {}) } },
  action: { ref: 'core.noop' },
});

const listen = (url: string, signature?: object) => api.ada.post('rules', rule(url, signature)).expect(201);

const hex = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex');
const github = (body: string, secret = SECRET) => ({ 'x-hub-signature-256': `sha256=${hex(body, secret)}` });

const send = (url: string, headers: Record<string, string>, body: string, type = 'application/json') =>
  request(api.url).post(`/v1/webhooks/${url}`).type(type).set(headers).send(body);

const count = () => api.store.triggerInstances.count();
const newest = async () => (await api.store.triggerInstances.list({ sort: { occurrence_time: -1 }, limit: 1 }))[0];
/** A body that was not sent before. */
const fresh = () => JSON.stringify({ id: randomUUID(), text: 'ž  ' });

describe('A webhook with a signature', () => {
  it('accepts signed requests without a token or an API key, and does not pass the signature on', async () => {
    await listen('signed', { scheme: 'github', secrets: ['hook'] });
    const body = fresh();
    const answer = await send('signed', { ...github(body), 'x-other': 'v' }, body).expect(202);
    expect(answer.body).toEqual(JSON.parse(body));
    const { payload } = (await newest()) ?? {};
    expect(payload).toMatchObject({ body: JSON.parse(body), headers_lower: { 'x-other': 'v' } });
    expect(JSON.stringify(payload)).not.toContain(hex(body));
  });

  it('still accepts requests with a token, and refuses those with an invalid one, whatever their signature', async () => {
    await api.ada.post('webhooks/signed', {}).expect(202);
    const body = fresh();
    await send('signed', { ...github(body), 'x-auth-token': 'wrong' }, body).expect(401);
    await send('signed?x-auth-token=wrong', github(body), body).expect(401);
  });

  it.each<[string, (body: string) => Record<string, string>]>([
    ['none', () => ({})],
    ['that of another body', () => github('{}')],
    ['that of another secret', (body) => github(body, 'some other secret')],
    ['the right one twice', (body) => ({ 'x-hub-signature-256': `sha256=${hex(body)}, sha256=${hex(body)}` })],
    ['one of another scheme', (body) => ({ 'x-signature': hex(body) })],
    ['no hexadecimal digits', () => ({ 'x-hub-signature-256': 'sha256=zz' })],
  ])('refuses the signature %s without a reason', async (_, headers) => {
    const before = await count();
    const body = fresh();
    expect((await send('signed', headers(body), body).expect(401)).body).toEqual(REFUSED);
    expect((await send('unknown', headers(body), body).expect(401)).body).toEqual(REFUSED);
    expect(await count()).toBe(before);
  });

  it.each([
    ['a body that is not JSON', '{', 'application/json'],
    ['a body that is too large', `"${'x'.repeat(5_000_000)}"`, 'application/json'],
    ['a type that is not accepted', '<a/>', 'application/xml'],
  ])('does not check %s before the signature is valid', async (_, body, type) => {
    expect((await send('signed', github('{}'), body, type).expect(401)).body).toEqual(REFUSED);
  });

  it('reports errors in the body once the signature is valid', async () => {
    const { body } = await send('signed', github('{'), '{').expect(400);
    expect(body.faultstring).toContain('Failed to parse request body');
  });

  it('accepts the same request once, even if it arrives several times at once', async () => {
    const before = await count();
    const body = fresh();
    const statuses = (await Promise.all([1, 2, 3].map(() => send('signed', github(body), body)))).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(202);
    expect(await count()).toBe(before + 1);
    expect((await send('signed', github(body), body).expect(401)).body).toEqual(REFUSED);
    expect(await count()).toBe(before + 1);
    passedMs = 24 * 3600 * 1000 + 1000;
    await send('signed', github(body), body).expect(202);
    expect(await count()).toBe(before + 2);
  });

  it('accepts a request again if it could not be stored the first time', async () => {
    const { store } = api;
    const body = fresh();
    const { insertOnce } = store.triggerInstances;
    const broken = { insertOnce: () => Promise.reject(new Error('the store is unavailable')) };
    Object.assign(store.triggerInstances, broken);
    await send('signed', github(body), body).expect(500);
    Object.assign(store.triggerInstances, { insertOnce });
    await send('signed', github(body), body).expect(202);
    const stored = await store.triggerInstances.list();
    expect(stored.filter(({ payload }) => JSON.stringify(payload['body']) === body)).toHaveLength(1);
    await send('signed', github(body), body).expect(401);
  });

  it('reaches only the rules with a valid signature', async () => {
    await keep('other-hook', 'a secret of another sender');
    await listen('shared');
    await listen('shared', { scheme: 'github', secrets: ['hook'] });
    await listen('shared', { scheme: 'github', secrets: ['other-hook'] });
    const before = await count();
    const body = fresh();
    await send('shared', github(body), body).expect(202);
    expect(await count()).toBe(before + 1);
    await api.ada.post('webhooks/shared', {}).expect(202);
    expect(await count()).toBe(before + 4);
  });

  it('accepts requests of Slack and Stripe at the time at which they were sent', async () => {
    await listen('slack', { scheme: 'slack', secrets: ['hook'] });
    await listen('stripe', { scheme: 'stripe', secrets: ['hook'] });
    const now = Math.floor(Date.now() / 1000);
    const form = `text=${randomUUID()}`;
    const slack = { 'x-slack-request-timestamp': `${now}`, 'x-slack-signature': `v0=${hex(`v0:${now}:${form}`)}` };
    const body = fresh();
    const stripe = { 'stripe-signature': `t=${now},v1=${hex(`${now}.${body}`)}` };
    passedMs = 400_000;
    await send('slack', slack, form, 'application/x-www-form-urlencoded').expect(401);
    await send('stripe', stripe, body).expect(401);
    passedMs = 0;
    await send('slack', slack, form, 'application/x-www-form-urlencoded').expect(202);
    await send('stripe', stripe, body).expect(202);
    await send('slack', slack, form, 'application/x-www-form-urlencoded').expect(401);
    await send('stripe', stripe, body).expect(401);
  });

  it('accepts events of GitLab and of any sender that signs with HMAC', async () => {
    await listen('gitlab', { scheme: 'gitlab', secrets: ['hook'] });
    await send('gitlab', { 'x-gitlab-token': SECRET, 'x-gitlab-event-uuid': '1' }, '{}').expect(202);
    expect(JSON.stringify((await newest())?.payload)).not.toContain(SECRET);
    await send('gitlab', { 'x-gitlab-token': SECRET, 'x-gitlab-event-uuid': '2' }, '{}').expect(202);
    await send('gitlab', { 'x-gitlab-token': SECRET, 'x-gitlab-event-uuid': '2' }, '{}').expect(401);
    const form = { header: 'X-Sign', algorithm: 'sha512', encoding: 'base64', prefix: 'v1 ' };
    await listen('any', { scheme: 'hmac', secrets: ['hook'], ...form });
    const body = fresh();
    const value = `v1 ${createHmac('sha512', SECRET).update(body).digest('base64')}`;
    await send('any', { 'x-sign': value }, body).expect(202);
  });

  it('takes events that GitLab signs with a signing token, and each id once', async () => {
    const key = Buffer.from('the signing token of a project!!');
    await keep('signing-token', `whsec_${key.toString('base64')}`);
    await listen('gitlab-signed', { scheme: 'standard', secrets: ['signing-token'] });
    const sendAt = (id: string, seconds: number, body: string, signedBody = body) => {
      const at = String(Math.floor(Date.now() / 1000) + seconds);
      const value = createHmac('sha256', key).update(`${id}.${at}.${signedBody}`).digest('base64');
      const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${value}` };
      return send('gitlab-signed', { ...headers, 'x-gitlab-event': 'Push Hook' }, body);
    };
    const body = fresh();
    await sendAt('one', 0, body).expect(202);
    const stored = JSON.stringify(await api.store.triggerInstances.list({ limit: 1000 }));
    expect(stored).toContain(JSON.parse(body).id);
    expect(stored).not.toContain('v1,');
    const refused = [sendAt('one', 0, body), sendAt('one', 30, body), sendAt('two', -400, body), sendAt('two', 0, body, '{}')]; // oxfmt-ignore
    for (const answer of refused) expect((await answer.expect(401)).body).toEqual(REFUSED);
    await sendAt('two', 0, body).expect(202);
  });

  it('is refused like an unknown one: with a signature after reading the body, and without one before', async () => {
    await listen('known', { scheme: 'github', secrets: ['hook'] });
    const logger = { audit: () => undefined, warn: () => undefined };
    const { store, triggers, datastore } = api;
    const check = signatureCheck({ store, triggers, datastore, clock: systemClock(), logger } as never);
    const readsBody = async (hook: string, header: string) => {
      const head = { remoteAddress: '', headerValues: (name: string) => (name === header ? ['sha256=00'] : []) };
      return (await check(head as never, { hook })) !== undefined;
    };
    for (const header of ['x-hub-signature-256', 'x-gitlab-token', 'webhook-signature'])
      expect([header, await readsBody('unknown', header)]).toEqual([header, true]);
    expect(await readsBody('known', 'x-hub-signature-256')).toBe(true);
    expect([await readsBody('known', 'x-other'), await readsBody('unknown', 'x-other')]).toEqual([false, false]);
    const answers = await Promise.all(['known', 'unknown'].map((hook) => send(hook, github('{}', 'wrong'), '{}')));
    expect(answers.map(({ status, body }) => [status, body])).toEqual([[401, REFUSED], [401, REFUSED]]); // oxfmt-ignore
  });

  it('accepts two secrets while one replaces the other', async () => {
    await keep('new-hook', 'the next secret of the sender');
    await listen('rotated', { scheme: 'github', secrets: ['hook', 'new-hook'] });
    for (const secret of [SECRET, 'the next secret of the sender']) {
      const body = fresh();
      await send('rotated', github(body, secret), body).expect(202);
    }
  });

  it.each([
    ['does not exist', undefined, true],
    ['is empty', '', true],
    ['is short', 'short', true],
    ['is not encrypted', 'a secret that all may read', false],
  ])('refuses all requests if the secret %s, and logs the reason', async (state, value, secret) => {
    const name = `item that ${state}`;
    if (value !== undefined) await keep(name, value, secret);
    await listen(`no/${state.length}`, { scheme: 'github', secrets: [name] });
    const body = fresh();
    const headers = github(body, value ?? '');
    expect((await send(`no/${state.length}`, headers, body).expect(401)).body).toEqual(REFUSED);
    expect(api.log.map(({ message }) => message).join('\n')).toContain(
      `The secret "${name}" of a webhook cannot be used`,
    );
  });
});

describe('The signature of a webhook trigger', () => {
  it.each<[object, RegExp]>([
    [{ scheme: 'github' }, /'secrets' is a required property/],
    [{ scheme: 'github', secrets: [] }, /\[\] /],
    [{ scheme: 'none', secrets: ['hook'] }, /'none' is not one of/],
    [{ scheme: 'github', secrets: ['hook'], header: 'X' }, /"signature.header".*only the scheme "hmac"/],
    [{ scheme: 'hmac', secrets: ['hook'] }, /"signature.header".*needs the name of the header/],
    [{ scheme: 'hmac', secrets: ['hook'], header: 'Host' }, /"Host" is used for something else/],
    [{ scheme: 'hmac', secrets: ['hook'], header: 'X', algorithm: 'md5' }, /'md5' is not one of/],
    [{ scheme: 'github', secrets: ['hook'], window: 0 }, /0 is less than the minimum/],
    [{ scheme: 'github', secrets: ['hook'], secret: 'inline' }, /'secret' was unexpected/],
  ])('is checked with its rule: %j', async (signature, text) => {
    const { body } = await api.ada.post('rules', rule('checked', signature)).expect(400);
    expect(body.faultstring).toMatch(text);
  });
});
