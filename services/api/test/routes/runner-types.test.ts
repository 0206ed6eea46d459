import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => void (api = await apiFixture()));
afterAll(() => api.close());

describe('Runner types', () => {
  it('are listed and read', async () => {
    const { body, headers } = await api.ada.get(
      'runnertypes?name=noop,local-shell-cmd&include_attributes=name&sort=-name',
    );
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['noop', 'local-shell-cmd']);
    expect(headers).toMatchObject({ 'x-total-count': '2', 'x-limit': '100' });
    const one = await api.ada.get(`runnertypes/${body[0].id}`);
    expect(one.body).toMatchObject({ name: 'noop', uid: 'runner_type:noop', enabled: true });
    const unknown = await api.ada.get('runnertypes/nope').expect(404);
    expect(unknown.body.faultstring).toBe('Resource with a name or id "nope" not found');
    await api.ada.delete('runnertypes/noop').expect(404);
  });

  it('can be disabled, which prevents their actions from running', async () => {
    const { body } = await api.ada.put('runnertypes/noop', { name: 'other', enabled: false }).expect(200);
    expect(body).toMatchObject({ name: 'noop', enabled: false });
    const refused = await api.ada.post('executions', { action: 'core.noop' });
    expect([refused.status, refused.body.faultstring]).toEqual([
      400,
      expect.stringContaining('"noop" has been disabled'),
    ]);
    await api.ada.put('runnertypes/noop', { enabled: true }).expect(200);
    await api.ada.post('executions', { action: 'core.noop' }).expect(201);
  });

  it.each([
    ['nope', { enabled: true }, 404],
    ['noop', {}, 400],
    ['noop', { enabled: 'yes' }, 400],
    ['noop', [], 400],
  ])('changing %s to %j is a %i', async (name, body, status) => {
    const answer = await api.ada.put(`runnertypes/${name}`, body);
    expect([answer.status, typeof answer.body.faultstring]).toEqual([status, 'string']);
  });
});
