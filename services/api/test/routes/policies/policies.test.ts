import { newId } from '@switchyard/base';
import { checkPolicy } from '@switchyard/model';
import { apiFixture, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
});
afterAll(() => api.close());

const body = (name: string, more: object = {}) => ({
  name,
  resource_ref: `tests.${name}`,
  policy_type: 'action.concurrency',
  parameters: { threshold: 2 },
  ...more,
});

const created = async (name: string, more: object = {}) =>
  (await api.ada.post('policies').send(body(name, more)).expect(201)).body;

describe('Policies', () => {
  it('are created, read, replaced and deleted', async () => {
    const policy = await created('one', { description: 'Two at once.' });
    expect(policy).toEqual({
      id: expect.any(String),
      uid: 'policy:default:one',
      ref: 'default.one',
      name: 'one',
      pack: 'default',
      description: 'Two at once.',
      enabled: true,
      resource_ref: 'tests.one',
      policy_type: 'action.concurrency',
      parameters: { threshold: 2, action: 'delay' },
      metadata_file: '',
    });
    for (const named of [policy.ref, policy.id])
      expect((await api.ada.get(`policies/${named}`).expect(200)).body).toEqual(policy);
    const changed = { ...policy, enabled: false, parameters: { threshold: 3, action: 'cancel' } };
    expect((await api.ada.put('policies/default.one').send(changed).expect(200)).body).toEqual(changed);
    expect(await api.store.policies.inForce()).toMatchObject({ all: [] });
    await api.ada.delete('policies/default.one').expect(204);
    const { body: gone } = await api.ada.get('policies/default.one').expect(404);
    expect(gone.faultstring).toBe('Resource with a reference or id "default.one" not found');
    expect(api.log.filter(({ level }) => level === 'audit').map(({ message }) => message)).toEqual(
      expect.arrayContaining(['Policy created.', 'Policy updated.', 'Policy deleted.']),
    );
  });

  it('stay in their pack when a change does not name one', async () => {
    const { id } = await created('here', { pack: 'tests' });
    expect((await api.ada.put(`policies/${id}`).send(body('here')).expect(200)).body.ref).toBe('tests.here');
  });

  it.each<[string, unknown, string]>([
    ['no object', [1], "'********' of type 'array' is not of type 'object'"],
    ['no action', { name: 'x' }, "'resource_ref' is a required property"],
    ['an unknown type', body('x', { policy_type: 'action.nope' }), 'Referenced policy_type "action.nope" doesnt exist'],
    ['bad parameters', body('x', { parameters: {} }), "'threshold' is a required property"],
    [
      'a parameter that is null',
      body('x', { parameters: { threshold: null } }),
      'None is not valid under any of the given schemas',
    ],
    ['parameters that are no object', body('x', { parameters: 5 }), "5 is not of type 'object', 'null'"],
    ['a computed part of another type', body('x', { uid: 5 }), "5 is not of type 'string', 'null'"],
  ])('are refused with %s', async (_, given, text) => {
    const { body: answer } = await api.ada
      .post('policies')
      .send(given as object)
      .expect(400);
    expect(answer.faultstring).toBe(text);
  });

  it('are unique by name and by action', async () => {
    const { id } = await created('twice');
    const { body: byName } = await api.ada
      .post('policies')
      .send(body('twice', { resource_ref: 'tests.y' }))
      .expect(409);
    expect(byName['conflict-id']).toBe(id);
    const { body: byAction } = await api.ada
      .post('policies')
      .send({ ...body('twice'), name: 'other' })
      .expect(409);
    expect(byAction).toEqual({
      'conflict-id': id,
      faultstring: 'The action "tests.twice" already has a policy of the type "action.concurrency": "default.twice"',
    });
    const other = await created('free');
    await api.ada
      .put(`policies/${other.id}`)
      .send({ ...body('twice'), name: 'free' })
      .expect(409);
  });

  it('of the core pack cannot be created or changed', async () => {
    const id = newId();
    await api.store.policies.insert({ _id: id, ...checkPolicy(body('inner', { pack: 'core' })) });
    const calls = [
      api.ada.post('policies').send(body('another', { pack: 'core' })),
      api.ada.put(`policies/${id}`).send(body('inner')),
      api.ada.delete(`policies/${id}`),
    ];
    for (const call of calls)
      expect((await call.expect(400)).body.faultstring).toBe(
        "Resources belonging to system level packs can't be manipulated",
      );
  });

  it('cannot be moved into the core pack', async () => {
    const { id } = await created('outer');
    const { body: refused } = await api.ada
      .put(`policies/${id}`)
      .send(body('outer', { pack: 'core' }))
      .expect(400);
    expect(refused.faultstring).toBe("Resources belonging to system level packs can't be manipulated");
    await api.ada.delete('policies/default.outer').expect(204);
  });

  it.each([
    ['?resource_ref=tests.l1', ['lists.l1']],
    ['?pack=lists&policy_type=action.retry', ['lists.l2']],
    ['?pack=lists', ['lists.l1', 'lists.l2']],
    ['?pack=lists&sort=-name', ['lists.l2', 'lists.l1']],
    ['?pack=lists&limit=1&offset=1', ['lists.l2']],
    ['?pack=lists&name=l2&include_attributes=enabled', ['lists.l2']],
  ])('are listed by "%s"', async (query, refs) => {
    if ((await api.store.policies.count({ pack: 'lists' })) === 0) {
      await created('l1', { pack: 'lists' });
      await created('l2', { pack: 'lists', policy_type: 'action.retry', parameters: { retry_on: 'timeout' } });
    }
    const { body: found } = await api.ada.get(`policies${query}`).expect(200);
    expect(found.map(({ ref }: { ref: string }) => ref)).toEqual(refs);
  });
});

describe('Policy types', () => {
  const refs = ['action.concurrency', 'action.concurrency.attr', 'action.rate_limit', 'action.retry'];

  it.each([
    ['', refs],
    ['?resource_type=action', refs],
    ['?resource_type=nope', []],
    ['?name=retry', ['action.retry']],
    ['?name=retry,concurrency', ['action.concurrency', 'action.retry']],
    ['?sort=-name', [...refs].reverse()],
    ['?limit=1&offset=1', ['action.concurrency.attr']],
  ])('are listed by "%s"', async (query, expected) => {
    const { body: found, headers } = await api.ada.get(`policytypes${query}`).expect(200);
    expect(found.map(({ ref }: { ref: string }) => ref)).toEqual(expected);
    if (query === '') expect(headers['x-total-count']).toBe('4');
  });

  it('are refused for an invalid id', async () => {
    const { body } = await api.ada.get('policytypes?id=zzz').expect(400);
    expect(body.faultstring).toMatch(/^'zzz' is not a valid ObjectId, /);
  });

  it('are read by reference and id', async () => {
    const { body: type } = await api.ada.get('policytypes/action.retry').expect(200);
    expect(type).toMatchObject({ name: 'retry', uid: 'policy_type:action:retry', enabled: true });
    expect((await api.ada.get(`policytypes/${type.id}`).expect(200)).body).toEqual(type);
    const { body: unknown } = await api.ada.get('policytypes/action.nope').expect(404);
    expect(unknown.faultstring).toBe('PolicyType with a reference of id "action.nope" not found.');
  });
});
