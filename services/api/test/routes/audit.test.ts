import { createHmac } from 'node:crypto';
import { MS_MICROS, newId } from '@switchyard/base';
import { chainedRecord, type AuditEntry, type AuditHead } from '@switchyard/model';
import request from 'supertest';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture({ audited: true });
});
afterAll(() => api.close());

const START = Date.UTC(2026, 0, 1);
const usual: AuditEntry = {
  ...{ kind: 'change', user: 'bob', authenticated_by: 'token', address: '192.0.2.1', operation: 'rules.post' },
  ...{ resource_type: 'rule', resource: 'core.one', outcome: 'succeeded', status: 201, request_id: 'r1', changed: [] },
};

/** A chain with one entry per minute, as a process would write it. */
async function stored(...changes: Partial<AuditEntry>[]): Promise<AuditHead> {
  let head: AuditHead = { writer: newId(), sequence: 0, hash: '' };
  const records = changes.map((change, minute) => {
    const record = chainedRecord(head, (START + minute * 60_000) * MS_MICROS, { ...usual, ...change });
    head = { writer: record.writer, sequence: record.sequence, hash: record.hash };
    return record;
  });
  await api.store.audit.append(records);
  return head;
}

describe('GET /v1/audit', () => {
  const resources = async (query: string) => {
    const { body } = await api.ada.get(`audit?${query}`).expect(200);
    return body.map(({ resource }: { resource: string }) => resource);
  };
  beforeAll(() =>
    stored(
      { resource: 'one' },
      { resource: 'two', kind: 'login', operation: 'tokens.create', resource_type: 'tokens' },
      { resource: 'three', user: 'cy', outcome: 'refused', kind: 'refusal', status: 403 },
      { resource: 'four', address: '2001:db8::7', request_id: 'r4' },
    ),
  );

  it.each([
    ['user=bob', ['four', 'two', 'one']],
    ['user=cy', ['three']],
    ['kind=login', ['two']],
    ['address=2001:db8::7', ['four']],
    ['user=bob&operation=tokens.create', ['two']],
    ['user=bob&resource_type=tokens', ['two']],
    ['resource=three', ['three']],
    ['user=cy&outcome=refused', ['three']],
    ['request_id=r4', ['four']],
    ['user=bob&kind=refusal', []],
    ['user=bob,cy', ['four', 'three', 'two', 'one']],
    ['time_gt=2026-01-01T00:00:30Z&time_lt=2026-01-01T00:02:30Z', ['three', 'two']],
    ['time_lt=2026-01-01T00:00:30Z', ['one']],
    ['user=bob&sort=time', ['one', 'two', 'four']],
    ['user=bob&limit=1&offset=1', ['two']],
  ])('with %s', async (query, expected) => {
    expect(await resources(query)).toEqual(expected);
  });

  it.each(['time_gt=yesterday', 'limit=-2'])('refuses %s', async (query) => {
    await api.ada.get(`audit?${query}`).expect(400);
  });

  it('shows one record, with the time as text', async () => {
    const { body } = await api.ada.get('audit?user=cy').expect(200);
    const { body: one } = await api.ada.get(`audit/${body[0].id}`).expect(200);
    expect(one).toMatchObject({ id: body[0].id, time: '2026-01-01T00:02:00.000000Z', sequence: 3, user: 'cy' });
    await api.ada.get('audit/nothing').expect(404);
  });
});

describe('the record of a request', () => {
  const recorded = async (filter: string) => (await api.ada.get(`audit?${filter}`).expect(200)).body;

  it('with a webhook signature shows whether the signature was accepted', async () => {
    const secret = 'a secret of the sender';
    await api.datastore.put({ scope: 'system', name: 'hook' }, { value: secret, secret: true });
    const parameters = { url: 'signed', signature: { scheme: 'github', secrets: ['hook'] } };
    const rule = { name: 'signed', trigger: { type: 'core.st2.webhook', parameters }, action: { ref: 'core.noop' } };
    await api.ada.post('rules', rule).expect(201);
    const send = (body: string, signed: string) =>
      request(api.url)
        .post('/v1/webhooks/signed')
        .type('application/json')
        .set('x-hub-signature-256', `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`)
        .send(body);
    await send('{"a":1}', '{"a":1}').expect(202);
    await send('{"a":2}', '{"a":1}').expect(401);
    const hook = { operation: 'webhooks.post', resource_type: 'webhook', resource: 'signed' };
    expect(await recorded('operation=webhooks.post')).toEqual([
      expect.objectContaining({ ...hook, kind: 'refusal', user: '', authenticated_by: 'none', status: 401 }),
      expect.objectContaining({ ...hook, kind: 'change', authenticated_by: 'signature', status: 202 }),
    ]);
  });
});

describe('GET /v1/audit/verify', () => {
  it('finds no problem in a trail that only the system has written', async () => {
    const { body } = await api.ada.get('audit/verify').expect(200);
    expect(body).toMatchObject({ intact: true, writers: 2 });
  });

  it('names a record that was removed', async () => {
    const head = await stored({ user: 'dan' }, { user: 'eve' });
    await api.store.audit.removeUpTo({ writer: head.writer, sequence: 1 });
    const { body } = await api.ada.get('audit/verify').expect(200);
    expect(body).toMatchObject({ intact: false, first_bad: `${head.writer}-000000000001`, problem: 'It is missing.' });
  });
});
