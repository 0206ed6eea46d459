import { apiFixture, type ApiFixture, type Client } from '../../support/api-fixture';

let api: ApiFixture;
let ada: Client;
beforeAll(async () => {
  api = await apiFixture();
  ada = api.ada;
});
afterAll(() => api.close());

let count = 0;
const freshName = () => `k${++count}`;
const put = (name: string, fields: Record<string, unknown> = {}) =>
  ada.put(`keys/${name}`, { name, value: 'v', ...fields });
const NOT_FOUND = (name: string) => `The key "${name}" does not exist in the StackStorm datastore.`;

describe('An item', () => {
  it('is created, read, overwritten under the same id, and deleted', async () => {
    const name = freshName();
    const { body: first } = await put(name, { description: 'what for', ttl: 60 }).expect(200);
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      uid: `key_value_pair:st2kv.system:${name}`,
      scope: 'st2kv.system',
      name,
      value: 'v',
      secret: false,
      encrypted: false,
      description: 'what for',
      expire_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const { body: second } = await put(name, { value: 'w' }).expect(200);
    const { description: _, expire_timestamp: __, ...rest } = first;
    expect(second).toEqual({ ...rest, value: 'w' });
    expect((await ada.get(`keys/${name}`).expect(200)).body).toEqual(second);
    await ada.delete(`keys/${name}`).expect(204);
    expect((await ada.get(`keys/${name}`).expect(404)).body.faultstring).toBe(NOT_FOUND(name));
    expect((await ada.delete(`keys/${name}`).expect(404)).body.faultstring).toBe(NOT_FOUND(name));
  });

  it('takes its name from the path, and can be sent back unchanged', async () => {
    const name = freshName();
    const { body: item } = await put(name, { name: 'other', id: 'x' }).expect(200);
    expect(item.name).toBe(name);
    expect((await ada.put(`keys/${name}`, item).expect(200)).body).toEqual(item);
    await ada.get('keys/other').expect(404);
  });

  it.each(['system', 'st2kv.system', 'svckv.system', ''])('is found in the scope "%s"', async (scope) => {
    const name = freshName();
    await put(name, scope ? { scope } : {}).expect(200);
    expect((await ada.get(`keys/${name}?scope=${scope}`)).body.scope).toBe('st2kv.system');
    await ada.get(`keys/${name}?scope=all`).expect(200);
    expect((await ada.get(`keys/${name}?scope=user`).expect(404)).body.faultstring).toBe(NOT_FOUND(`ada:${name}`));
    await ada.delete(`keys/${name}?scope=${scope}`).expect(204);
  });

  it('of a user belongs to that user', async () => {
    const name = freshName();
    await put(name, { value: 'of all' }).expect(200);
    const { body } = await put(name, { value: 'own', scope: 'svckv.user', user: 'ada' }).expect(200);
    expect(body).toMatchObject({ uid: `key_value_pair:st2kv.user:ada:${name}`, name, user: 'ada', value: 'own' });
    const grace = await api.as('grace');
    await grace.get(`keys/${name}?scope=user`).expect(404);
    expect((await ada.get(`keys/${name}?user=ada`)).body.value).toBe('own');
    await ada.delete(`keys/${name}?scope=user`).expect(204);
    expect((await ada.get(`keys/${name}`)).body.value).toBe('of all');
  });

  it('of the system is not deleted when the request names a user without a scope', async () => {
    const name = freshName();
    await put(name);
    expect((await ada.delete(`keys/${name}?user=ada`).expect(404)).body.faultstring).toContain('scope=user');
    await ada.get(`keys/${name}`).expect(200);
    await ada.delete(`keys/${name}?user=ada&scope=system`).expect(204);
  });

  it('may have any name of one path segment', async () => {
    for (const name of ['a:b', 'a.b', 'x'.repeat(500), '日本', '$where', '__proto__', 'a b', '%25']) {
      const path = `keys/${encodeURIComponent(name)}`;
      expect((await ada.put(path, { name, value: name }).expect(200)).body.name).toBe(name);
      expect((await ada.get(path).expect(200)).body.value).toBe(name);
      await ada.put(path, { name, value: 'own', scope: 'user' }).expect(200);
      expect((await ada.get(`keys?scope=user&name=${encodeURIComponent(name)}`)).body).toHaveLength(1);
      await ada.delete(`${path}?scope=user`).expect(204);
      await ada.delete(path).expect(204);
    }
  });

  it('dispatches triggers for its changes', async () => {
    const name = freshName();
    api.itemChanges.length = 0;
    const { body: first } = await put(name);
    const { body: same } = await put(name);
    const { body: other } = await put(name, { value: 'w', secret: true });
    await ada.delete(`keys/${name}`);
    expect(api.itemChanges).toEqual([
      { kind: 'create', payload: { object: first } },
      { kind: 'update', payload: { object: same } },
      { kind: 'update', payload: { object: other } },
      { kind: 'value_change', payload: { old_object: same, new_object: other } },
      { kind: 'delete', payload: { object: other } },
    ]);
    expect(JSON.stringify(api.itemChanges)).not.toContain('"w"');
    const audited = api.log.filter(({ level }) => level === 'audit').map(({ message }) => message);
    expect(audited).toEqual(expect.arrayContaining(['Datastore item written.', 'Datastore item deleted.']));
  });
});

describe('A secret item', () => {
  it('is returned encrypted, and decrypted on request, which is logged', async () => {
    const name = freshName();
    const { body } = await put(name, { value: 'hush', secret: true }).expect(200);
    expect(body).toMatchObject({ secret: true, encrypted: true, value: expect.stringMatching(/^v1\./) });
    expect((await ada.get(`keys/${name}`)).body).toEqual(body);
    const plain = { ...body, encrypted: false, value: 'hush' };
    for (const yes of ['true', '1', 'yes', 'Y', 'TRUE'])
      expect((await ada.get(`keys/${name}?decrypt=${yes}`)).body).toEqual(plain);
    expect((await ada.get(`keys?prefix=${name}&decrypt=true`)).body).toEqual([plain]);
    const decryptions = api.log.filter(({ message }) => message === `User ada decrypted the value ${name}`);
    expect(decryptions.map(({ level }) => level)).toEqual(Array(6).fill('audit'));
    expect(JSON.stringify(api.log)).not.toContain('hush');
    const stored = await api.store.keyValues.get('st2kv.system', name);
    expect(stored?.value).toBe(body.value);
  });

  it('is encrypted differently each time, which does not count as a change', async () => {
    const name = freshName();
    const one = await put(name, { value: 'hush', secret: true });
    api.itemChanges.length = 0;
    const two = await put(name, { value: 'hush', secret: true });
    expect(one.body.value).not.toBe(two.body.value);
    expect(api.itemChanges.map(({ kind }) => kind)).toEqual(['update']);
  });

  it('may be sent encrypted, which makes it secret', async () => {
    const name = freshName();
    const { body } = await put(name, { value: 'hush', secret: true });
    const copy = freshName();
    const given = await put(copy, { value: body.value, encrypted: true, secret: false }).expect(200);
    expect(given.body).toMatchObject({ value: body.value, secret: true, encrypted: true });
    expect((await ada.get(`keys/${copy}?decrypt=true`)).body.value).toBe('hush');
  });

  it.each(['garbage', '', 'v1.x', '00', 'AB'.repeat(50), '0'.repeat(3)])('cannot be sent as %j', async (value) => {
    const name = freshName();
    const { body } = await put(name, { value, encrypted: true }).expect(400);
    expect(body.faultstring).toBe(
      `Failed to verify the integrity of the provided value for key "${name}". Ensure that the value is encrypted with the correct key and not corrupted.`,
    );
    await ada.get(`keys/${name}`).expect(404);
  });
});

describe('A list of items', () => {
  const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);
  beforeAll(async () => {
    for (const name of ['list-b', 'list-a', 'list-c']) await put(name).expect(200);
    for (const name of ['list-z', 'list-a']) await put(name, { scope: 'user' }).expect(200);
    await (await api.as('grace')).put('keys/list-grace', { name: 'x', value: 'v', scope: 'user' }).expect(200);
  });

  it.each([
    ['prefix=list-', 'list-b list-a list-c'],
    ['prefix=list-&sort=name', 'list-a list-b list-c'],
    ['prefix=list-&sort=-name', 'list-c list-b list-a'],
    ['prefix=list-&sort=nonsense', 'list-b list-a list-c'],
    ['prefix=list-&scope=user', 'list-z list-a'],
    ['prefix=list-&scope=svckv.user&sort=name', 'list-a list-z'],
    ['prefix=list-&user=ada&scope=all', 'list-z list-a'],
    ['prefix=list-&scope=all', 'list-b list-a list-c list-z list-a'],
    ['prefix=list-&scope=all&sort=name', 'list-a list-b list-c list-a list-z'],
    ['prefix=list-&scope=all&sort=name&limit=2&offset=2', 'list-c list-a'],
    ['name=list-b', 'list-b'],
    ['name=list-', ''],
    ['name=list-b&prefix=list-a', ''],
    ['name=list-a&scope=user&prefix=list', 'list-a'],
    ['prefix=list-.', ''],
    [`prefix=${'x'.repeat(5000)}`, ''],
    ['id=0123456789abcdef01234567', ''],
  ])('%s contains %s', async (query, expected) => {
    expect(names(await ada.get(`keys?${query}`).expect(200)).join(' ')).toBe(expected);
  });

  it('returns the total count', async () => {
    const { headers } = await ada.get('keys?prefix=list-&limit=2&scope=all');
    expect(headers).toMatchObject({ 'x-total-count': '5', 'x-limit': '2' });
    const everything = await ada.get('keys?limit=-1&prefix=list-');
    expect([everything.headers['x-total-count'], everything.headers['x-limit']]).toEqual(['3', undefined]);
  });

  it('finds items by id', async () => {
    const { body } = await ada.get('keys/list-b');
    expect(names(await ada.get(`keys?id=${body.id},0123456789abcdef01234567`))).toEqual(['list-b']);
  });

  it('shows what can be decrypted, and the rest as stored', async () => {
    await put('broken-a', { value: 'hush', secret: true });
    const record = await api.store.keyValues.get('st2kv.system', 'broken-a');
    if (!record) throw new Error('it was written');
    await api.store.keyValues.put({ ...record, name: 'broken-b', uid: 'x', value: `${record.value}x`, _id: 'other' });
    const { body } = await ada.get('keys?prefix=broken-&decrypt=true').expect(200);
    expect(body.map(({ encrypted }: { encrypted: boolean }) => encrypted)).toEqual([false, true]);
    expect((await ada.get('keys/broken-b?decrypt=true').expect(400)).body.faultstring).toContain('cannot be decrypted');
  });
});

describe('A refused value', () => {
  const HUSH = 'hush-5ad1';
  it.each<[string, unknown]>([
    ['of the wrong type', { name: 'x', value: [HUSH] }],
    ['in place of the item', HUSH],
    ['in a list', [{ name: 'x', value: HUSH }]],
    ['in place of a ttl', { name: 'x', value: 'v', ttl: HUSH }],
    ['in place of a flag', { name: 'x', value: 'v', secret: HUSH }],
    ['with an invalid ttl', { name: 'x', value: HUSH, ttl: -1 }],
    ['with an invalid scope', { name: 'x', value: HUSH, scope: 'nope' }],
    ['that is too long', { name: 'x', value: HUSH.repeat(600_000) }],
    ['that cannot be decrypted', { name: 'x', value: HUSH, encrypted: true }],
    ['that cannot be decrypted, with a different key', { name: 'x', value: `v1.${HUSH}.a.b.c`, encrypted: true }],
  ])('is not repeated: %s', async (_, body) => {
    const { status, text } = await ada.put('keys/x', body);
    expect(status).toBe(400);
    expect(text).not.toContain(HUSH);
    expect(JSON.stringify(api.log)).not.toContain(HUSH);
  });

  it('is reported with its field, the expected value and the type received', async () => {
    const { body } = await ada.put('keys/x', { name: 'x', value: [HUSH] }).expect(400);
    expect(body).toEqual({
      faultstring: "'********' of type 'array' is not of type 'string'",
      field: 'value',
    });
  });
});

describe('Bad input', () => {
  const ALLOWED = "is not in allowed scopes list: ['system', 'user', 'st2kv.system', 'st2kv.user'].";
  const ON_BEHALF = '"user" attribute can only be provided by admins when RBAC is enabled';
  const INTEGRITY = expect.stringMatching(/^Failed to verify/);

  it.each<[string, unknown, number, unknown]>([
    ['x', {}, 400, "'name' is a required property"],
    ['x', undefined, 400, "'name' is a required property"],
    ['x', { name: 'x' }, 400, "'value' is a required property"],
    ['x', { name: 'x', value: 1 }, 400, "'********' of type 'integer' is not of type 'string'"],
    ['x', { name: 'x', value: null }, 400, "None is not of type 'string'"],
    ['x', { name: 'x', value: { a: 1 } }, 400, expect.stringContaining("is not of type 'string'")],
    ['x', { name: 'x', value: 'v', scope: null }, 400, expect.stringContaining("is not of type 'string'")],
    ['x', { name: 'x', value: 'v', ttl: null }, 400, expect.stringContaining("is not of type 'integer'")],
    ['x', { name: 'x', value: 'v', ttl: 1.5 }, 400, expect.stringContaining("is not of type 'integer'")],
    ['x', { name: 'x', value: 'v', ttl: -1 }, 400, expect.stringContaining('minimum')],
    ['x', { name: 'x', value: 'v', ttl: 1e12 }, 400, expect.stringContaining('maximum')],
    ['x', { name: 'x', value: 'v', secret: 'yes' }, 400, expect.stringContaining("is not of type 'boolean'")],
    ['x', { name: 'x', value: 'v', secret: null }, 400, expect.stringContaining("is not of type 'boolean'")],
    ['x', { name: 'x', value: 'v', encrypted: 1 }, 400, expect.stringContaining("is not of type 'boolean'")],
    ['x', { name: 'x', value: 'v', scope: 'nope' }, 400, `Scope st2kv.nope ${ALLOWED}`],
    ['x', { name: 'x', value: 'v', scope: 'n'.repeat(1000) }, 400, `Scope st2kv.${'n'.repeat(94)}… ${ALLOWED}`],
    ['x', { name: 'x', value: 'v', scope: 'all' }, 400, `Scope st2kv.all ${ALLOWED}`],
    ['x', { name: 'x', value: 'v', scope: 'svckv.nope' }, 400, `Scope st2kv.nope ${ALLOWED}`],
    ['x', { name: 'x', value: 'v', user: 'grace' }, 403, ON_BEHALF],
    ['x', { name: 'x', value: 'v', user: 'grace', scope: 'user' }, 403, ON_BEHALF],
    ['x', { name: 'x', value: 'plain', encrypted: true }, 400, INTEGRITY],
    ['x', { name: 'x', value: 'ä'.repeat(3 * 1024 * 1024) }, 400, expect.stringContaining('maximum is 5242880')],
    ['x', [1], 400, expect.stringContaining("is not of type 'object'")],
    ['a%2Fb', { name: 'x', value: 'v' }, 404, 'The resource could not be found.'],
    ['a/b', { name: 'x', value: 'v' }, 404, 'The resource could not be found.'],
  ])('PUT %s %j is a %i', async (path, body, status, faultstring) => {
    const answer = await ada.put(`keys/${path}`, body);
    expect([answer.status, answer.body.faultstring]).toEqual([status, faultstring]);
    await ada.get('keys/x').expect(404);
  });

  it.each<[string, number, unknown]>([
    ['keys?scope=nope', 400, 'Invalid scope: st2kv.nope'],
    ['keys?scope=st2kv', 400, 'Invalid scope: st2kv'],
    ['keys?user=grace', 403, ON_BEHALF],
    ['keys?scope=all&user=grace', 403, ON_BEHALF],
    ['keys?decrypt=perhaps', 400, 'Parameter "decrypt" is not of type boolean'],
    ['keys?limit=0', 400, 'Limit, "0" specified, must be a positive number or -1 for full result set.'],
    ['keys?offset=-1', 400, expect.any(String)],
    ['keys?id=garbage', 400, expect.stringContaining("'garbage' is not a valid ObjectId")],
    [
      `keys?id=${Array(101).fill('0123456789abcdef01234567').join()}`,
      400,
      'Maximum of 100 items can be provided for a query parameter value',
    ],
    ['keys/x?scope=st2kv', 400, `Scope st2kv ${ALLOWED}`],
    ['keys/x?scope=user&user=grace', 403, ON_BEHALF],
    ['keys/a%00b', 404, NOT_FOUND('a\u0000b')],
  ])('GET %s is a %i', async (path, status, faultstring) => {
    const answer = await ada.get(path);
    expect([answer.status, answer.body.faultstring]).toEqual([status, faultstring]);
  });

  it.each<[string, number]>([
    ['keys/x?scope=nope', 400],
    ['keys/x?scope=all', 400],
    ['keys/x?scope=user&user=grace', 403],
    ['keys', 404],
  ])('DELETE %s is a %i', async (path, status) => {
    const answer = await ada.delete(path);
    expect([answer.status, typeof answer.body.faultstring]).toEqual([status, 'string']);
  });
});
