import { Type } from '@sinclair/typebox';
import { fault } from '@switchyard/base';
import { route, type Route } from '@switchyard/http';
import type { AuditEntry } from '@switchyard/model';
import request from 'supertest';
import { sampleApp } from '../sample-app';

const SECRET = 'swordfish';
const body = Type.Object({ name: Type.Optional(Type.String()), value: Type.Optional(Type.String()) });

const routes: Route[] = [
  route({
    method: 'POST',
    path: '/rules',
    operation: 'rules.post',
    summary: 'a change',
    permission: 'rule_create',
    body,
    handle: ({ body: { name } }) => {
      if (name === 'taken') throw fault('storage.duplicate', { text: 'ref' });
      if (name === 'forbidden') throw fault('auth.administrators-only');
      if (name === 'broken') throw new Error(SECRET);
      return { status: 201, body: { id: '1', ref: 'core.one', value: SECRET } };
    },
  }),
  route({
    method: 'GET',
    path: '/rules/{id}',
    operation: 'rules.get_one',
    summary: 'a read',
    permission: 'rule_view',
    query: { show_secrets: { type: 'boolean', default: false } },
    handle: () => ({ status: 200, body: {} }),
  }),
  route({
    method: 'DELETE',
    path: '/keys/{key}',
    operation: 'keys.delete',
    summary: 'its path ends with a credential',
    secretParameter: 'key',
    handle: () => ({ status: 204 }),
  }),
  route({
    method: 'POST',
    path: '/match',
    operation: 'match',
    summary: 'reads only',
    readsOnly: true,
    handle: () => ({ status: 200 }),
  }),
  route({
    method: 'POST',
    path: '/tokens',
    operation: 'tokens.create',
    summary: 'a login',
    open: true,
    login: () => ({ user: 'bob', address: '10.0.0.7' }),
    admit: async ({ header }) => {
      if (header('authorization') !== SECRET) throw fault('auth.bad-credentials');
      return { user: 'bob', method: 'password', location: 'header', isAdmin: false };
    },
    handle: () => ({ status: 201, body: { id: '2', token: SECRET } }),
  }),
];

const entries: AuditEntry[] = [];
const { app } = sampleApp(routes, { audit: { record: async (entry) => void entries.push(entry) } });
const send = (verb: 'get' | 'post' | 'delete', path: string) => request(app)[verb](path).set('X-Auth-Token', 'good');

beforeEach(() => void (entries.length = 0));

it('records a change before it is answered, with the names of the declared fields only', async () => {
  let finishes = (): void => undefined;
  let asked = (): void => undefined;
  const wasAsked = new Promise<void>((resolve) => (asked = resolve));
  const slow = sampleApp(routes, {
    audit: {
      record: () => {
        asked();
        return new Promise((resolve) => (finishes = resolve));
      },
    },
  });
  let answered = false;
  const answer = request(slow.app)
    .post('/rules')
    .set('X-Auth-Token', 'good')
    .send({})
    .then(() => (answered = true));
  await wasAsked;
  expect(answered).toBe(false);
  finishes();
  expect(await answer).toBe(true);
});

it('records who changed what', async () => {
  await send('post', '/rules').set('X-Request-ID', 'r1').send({ name: 'one', value: SECRET }).expect(201);
  expect(entries).toEqual([
    {
      ...{ kind: 'change', user: 'ada', authenticated_by: 'token', address: expect.stringContaining('127.0.0.1') },
      ...{ operation: 'rules.post', resource_type: 'rule', resource: 'core.one', outcome: 'succeeded' },
      ...{ status: 201, request_id: 'r1', changed: ['name', 'value'] },
    },
  ]);
});

it.each([
  ['taken', 409, undefined],
  ['forbidden', 403, { kind: 'refusal', outcome: 'refused', user: 'ada' }],
  ['broken', 500, { kind: 'change', outcome: 'failed', user: 'ada' }],
])('a change that is %s', async (name, status, expected) => {
  await send('post', '/rules').send({ name, value: SECRET }).expect(status);
  expect(entries).toEqual(expected ? [expect.objectContaining({ ...expected, status })] : []);
});

it('records requests without credentials', async () => {
  await request(app).get('/rules/core.one').expect(401);
  const expected = { kind: 'refusal', user: '', authenticated_by: 'none', resource: 'core.one', status: 401 };
  expect(entries).toEqual([expect.objectContaining(expected)]);
});

it('records reads that show secrets, and no other reads', async () => {
  await send('get', '/rules/core.one').expect(200);
  await send('post', '/match').expect(200);
  expect(entries).toEqual([]);
  await send('get', '/rules/core.one?show_secrets=true').expect(200);
  expect(entries).toEqual([expect.objectContaining({ kind: 'secrets', operation: 'rules.get_one', user: 'ada' })]);
});

it('records logins with the name that was given', async () => {
  await request(app).post('/tokens').set('Authorization', 'wrong').expect(401);
  await request(app).post('/tokens').set('Authorization', SECRET).expect(201);
  const login = { kind: 'login', user: 'bob', address: '10.0.0.7' };
  expect(entries).toEqual([
    expect.objectContaining({ ...login, authenticated_by: 'none', outcome: 'refused', status: 401 }),
    expect.objectContaining({ ...login, authenticated_by: 'password', outcome: 'succeeded', status: 201 }),
  ]);
});

it('contains no secrets', async () => {
  await send('delete', `/keys/${SECRET}`).expect(204);
  await send('post', '/rules').send({ name: SECRET, value: SECRET, [SECRET]: 1 });
  await request(app).post('/tokens').set('Authorization', SECRET);
  expect(entries).toHaveLength(3);
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});
