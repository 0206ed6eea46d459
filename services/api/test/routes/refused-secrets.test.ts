import { apiFixture, type ApiFixture } from '../support/api-fixture';

const HUSH = 'hush-81c2';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
});
afterAll(() => api.close());

const rule = { name: 'r', pack: 'default', trigger: { type: 'core.st2.webhook' }, enabled: false };
const alias = { name: 'a', pack: 'default', action_ref: 'core.local', formats: ['a'] };

test.each<[method: 'post' | 'put', path: string, body: unknown]>([
  ['post', 'executions', { action: 'core.local', parameters: HUSH }],
  ['post', 'executions', { action: 'core.local', parameters: [HUSH] }],
  ['post', 'executions', { action: 'core.local', context: HUSH }],
  ['post', 'executions', [{ action: 'core.local', parameters: { cmd: HUSH } }]],
  ['post', 'executions/0123456789abcdef01234567/re_run', { parameters: HUSH }],
  ['put', 'executions/0123456789abcdef01234567', { status: 'succeeded', result: HUSH }],
  ['post', 'apikeys', { metadata: HUSH }],
  ['post', 'apikeys', { key_hash: [HUSH] }],
  ['put', 'apikeys/0123456789abcdef01234567', [{ metadata: { note: HUSH } }]],
  ['put', 'configs/core', [HUSH]],
  ['post', 'packs/install', { packs: `https://${HUSH}@example.com/pack` }],
  ['post', 'rules', { ...rule, action: { ref: 'core.local', parameters: HUSH } }],
  ['post', 'rules', { ...rule, action: [{ parameters: HUSH }] }],
  ['post', 'actionalias', { ...alias, immutable_parameters: [HUSH] }],
])('%s %s %j is refused without quoting the values', async (method, path, body) => {
  const { status, text } = await api.ada[method](path, body);
  expect(status).toBe(400);
  expect(text).toContain('********');
  expect(text + JSON.stringify(api.log)).not.toContain(HUSH);
});

describe.each<[method: 'post' | 'put', path: string]>([
  ['post', 'rules'],
  ['post', 'executions'],
  ['post', 'actionalias'],
  ['post', 'actions'],
  ['post', 'apikeys'],
  ['post', 'triggers'],
  ['post', 'policies'],
  ['put', 'configs/core'],
])('%s %s refuses JSON that is sent', (method, path) => {
  const body = JSON.stringify({ name: 'r', action: { parameters: { password: `a&${HUSH}&b` } } });

  it.each([
    ['text/plain', "'********' of type 'string' is not of type 'object'"],
    [
      'application/x-www-form-urlencoded',
      'Failed to parse request body: not a form; JSON needs the Content-Type application/json',
    ],
  ])('as %s without quoting it', async (type, faultstring) => {
    const response = await api.ada[method](path).set('content-type', type).send(body);
    expect(response).toMatchObject({ status: 400, body: { faultstring } });
    expect(JSON.stringify(api.log)).not.toContain(HUSH);
  });
});

it('hides a text in place of the action of a rule', async () => {
  const { status, body } = await api.ada.post('rules', { ...rule, action: JSON.stringify({ parameters: HUSH }) });
  expect({ status, ...body }).toEqual({
    status: 400,
    field: 'action',
    faultstring: "'********' of type 'string' is not of type 'object'",
  });
});
