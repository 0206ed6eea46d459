import request from 'supertest';
import { apiFixture, type ApiFixture } from './support/api-fixture';

let api: ApiFixture;
beforeAll(async () => void (api = await apiFixture()));
afterAll(() => api.close());

describe('The API service', () => {
  it('describes itself to authenticated users', async () => {
    expect((await api.ada.get('')).body).toEqual({ version: '1.2.3', docs_url: 'https://docs' });
    await request(api.url).get('/').expect(401);
  });

  it('reports its health, and serves its API document, to everybody', async () => {
    const { body } = await request(api.url).get('/readyz').expect(200);
    expect(body.checks).toEqual({ listener: 'ok', store: 'ok', bus: 'ok' });
    const { body: document } = await request(api.url).get('/openapi.json').expect(200);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/v1/executions/{id}',
        '/v1/actions',
        '/v1/packs/register',
        '/v1/runnertypes',
        '/v1/apikeys',
      ]),
    );
  });

  it('logs at the start that everybody is an administrator', () => {
    expect(api.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: expect.stringContaining('rbac.enable is off: every authenticated user is an administrator') as string,
      }),
    );
  });

  it.each(['/actions', '/v1/actions', '/api/actions', '/api/v1/actions'])('lists actions at %s', async (path) => {
    await request(api.url).get(path).expect(401);
  });

  it('refuses other methods', async () => {
    for (const path of ['executions', 'executions/x/output', 'actions/core.noop', 'packs'])
      expect((await request(api.url).patch(`/v1/${path}`)).status).toBe(404);
  });
});
