import { apiFixture, roles, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
let id: string;
beforeAll(async () => {
  api = await apiFixture({ access: roles });
  const parameters = {
    cmd: { type: 'string', default: 'echo', immutable: true },
    key: { type: 'string', secret: true },
    plain: { type: 'string' },
  };
  const output_schema = { type: 'object', properties: { token: { type: 'string', secret: true } } };
  await api.ada
    .post('actions', { name: 'hush', runner_type: 'local-shell-cmd', parameters, output_schema })
    .expect(201);
  id = await api.ran({ action: 'default.hush', parameters: { key: 'abc', plain: 'x' } }, 'succeeded', { token: 't0k' });
});
afterAll(() => api.close());

const MASKED = { key: '********', plain: 'x' };
const CLEAR = { key: 'abc', plain: 'x' };

describe('Secrets of an execution', () => {
  it.each([
    ['', 'ada', MASKED],
    ['&show_secrets=true', 'ada', MASKED],
    ['', 'root', MASKED],
    ['&show_secrets=true', 'root', CLEAR],
  ])('are shown to administrators on request (%s, %s)', async (query, user, expected) => {
    const client = await api.as(user);
    const attributes = 'include_attributes=parameters,liveaction.parameters';
    const one = (await client.get(`executions/${id}?${attributes}${query}`)).body;
    const [listed] = (await client.get(`executions?action=default.hush&${attributes}${query}`)).body;
    for (const shown of [one, listed])
      expect([shown.parameters, shown.liveaction.parameters]).toEqual([expected, expected]);
  });

  it('are masked everywhere a result is shown', async () => {
    const texts = await Promise.all(
      ['', '/attribute/result', '/result', '?include_attributes=result', '?include_attributes=result.token'].map(
        async (path) => (await api.ada.get(`executions/${id}${path}`)).text,
      ),
    );
    for (const text of texts) {
      expect(text).not.toContain('t0k');
      expect(text).toContain('********');
    }
  });

  it('cannot be guessed with a filter', async () => {
    const { body } = await api.ada.get('executions?filter=parameters.key:abc');
    expect(body).toEqual([]);
  });
});
