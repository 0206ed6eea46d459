import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => void (api = await apiFixture()));
afterAll(() => api.close());

describe('GET /liveactions', () => {
  it('shows the same records under different ids', async () => {
    const id = await api.ran({ action: 'core.echo', parameters: { message: 'x' } }, 'succeeded', { stdout: '1' });
    const { liveaction } = (await api.ada.get(`executions/${id}`)).body;
    const { body } = await api.ada.get(`liveactions/${liveaction.id}`);
    expect(body).toMatchObject({
      id: liveaction.id,
      action: 'core.echo',
      status: 'succeeded',
      result: { stdout: '1' },
    });
    const list = await api.ada.get(`liveactions?id=${liveaction.id}&include_attributes=status`);
    expect(list.body).toEqual([{ id: liveaction.id, status: 'succeeded' }]);
    await api.ada.get(`liveactions/${id}`).expect(404);
    await api.ada.get('liveactions?include_attributes=nope').expect(400);
  });
});
