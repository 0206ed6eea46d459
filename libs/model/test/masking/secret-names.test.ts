import { MASK, maskNames, maskQuery, secretNameTest } from '../../src';

it.each([
  'password',
  'auth_token',
  'token',
  'secret',
  'credentials',
  'st2_auth_token',
  'svc_auth_token',
  'X-Auth-Token',
  'St2-Api-Key',
  'svc-api-key',
  'Authorization',
  'db_password',
  'PASSWORD',
])('%s is a secret name', (name) => expect(secretNameTest()(name)).toBe(true));
it.each(['user', 'passwords_count', 'tokenizer', 'secretary', 'id'])('%s is not a secret name', (name) =>
  expect(secretNameTest()(name)).toBe(false),
);

it('masks at every depth, including lists, and keeps the rest', () => {
  const fields = { a: 1, token: { x: 1 }, deep: { list: [{ password: 'p', n: null }, 'text'] }, when: new Date(0) };
  expect(maskNames(fields)).toEqual({
    a: 1,
    token: MASK,
    deep: { list: [{ password: MASK, n: null }, 'text'] },
    when: new Date(0),
  });
});

it('accepts further names', () => expect(maskNames({ iban: 1, n: 2 }, ['IBAN'])).toEqual({ iban: MASK, n: 2 }));

it('handles circular references', () => {
  const circle: Record<string, unknown> = { token: 1 };
  circle.self = circle;
  expect(maskNames(circle)).toEqual({ token: MASK, self: '[circular]' });
});

it.each([
  ['/v1/x?x-auth-token=abc&limit=5', `/v1/x?x-auth-token=${MASK}&limit=5`],
  ['?st2-api-key=a%20b', `?st2-api-key=${MASK}`],
  ['limit=1&TOKEN=t&token=u', `limit=1&TOKEN=${MASK}&token=${MASK}`],
  ['/p?%74oken=x&bad%=1', `/p?%74oken=${MASK}&bad%=1`],
  ['/plain/path', '/plain/path'],
])('masks the query of %s', (query, masked) => expect(maskQuery(query)).toBe(masked));
