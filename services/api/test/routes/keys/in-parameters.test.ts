import { apiFixture, roles, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
  const put = (name: string, fields: Record<string, unknown>) =>
    api.ada.put(`keys/${name}`, { name, ...fields }).expect(200);
  await put('host', { value: 'db1' });
  await put('a.b', { value: 'dotted' });
  await put('my-key', { value: 'with a dash' });
  await put('count', { value: '41' });
  await put('empty', { value: '' });
  await put('password', { value: 'hush', secret: true });
  await put('host', { value: 'own', scope: 'user' });
});
afterAll(() => api.close());

const run = (cmd: string) => api.ada.post('executions', { action: 'core.local', parameters: { cmd } });

describe('Parameters of an action', () => {
  it.each([
    ['{{ st2kv.system.host }}', 'db1'],
    ['{{ svckv.system.host }}', 'db1'],
    ['{{ st2kv.user.host }}', 'own'],
    ['{{ st2kv.system.a.b }}', 'dotted'],
    ["{{ st2kv.system['my-key'] }}", 'with a dash'],
    ['{{ (st2kv.system.count | int) + 1 }}', '42'],
    ['[{{ st2kv.system.missing }}]', '[]'],
    ["{{ st2kv.system.missing | default('unset') }}", 'unset'],
    ["[{{ st2kv.system.empty | default('unset') }}]", '[]'],
  ])('read %s as %s', async (template, expected) => {
    const { body } = await run(template).expect(201);
    expect(body.parameters.cmd).toBe(expected);
  });

  it('get a secret as ciphertext, or decrypted, which makes them secret', async () => {
    const { body: cipher } = await run('{{ st2kv.system.password }}').expect(201);
    expect(cipher.parameters.cmd).toMatch(/^v1\./);
    const { body: plain } = await run('{{ st2kv.system.password | decrypt_kv }}').expect(201);
    expect(plain.parameters.cmd).toBe('********');
    const { body: shown } = await api.ada.get(`executions/${plain.id}?show_secrets=true`);
    expect(shown.parameters.cmd).toBe('hush');
    expect(api.log).toContainEqual(expect.objectContaining({ message: 'User ada decrypted the value password' }));
  });

  it.each(['missing', 'empty'])('cannot decrypt an item that is %s', async (name) => {
    const { body } = await run(`{{ st2kv.system.${name} | decrypt_kv }}`).expect(400);
    expect(body.faultstring).toContain(
      `Referenced datastore item "st2kv.system.${name}" doesn't exist or it contains an empty string`,
    );
  });

  it('are not rendered again from the value of an item', async () => {
    const value = '{{ st2kv.system.host }}';
    await api.ada.put('keys/template', { name: 'template', value }).expect(200);
    expect((await run('{{ st2kv.system.template }}')).body.parameters.cmd).toBe(value);
  });
});

test('items of others are read for an api_user only by administrators', async () => {
  const withRoles = await apiFixture({ access: roles });
  try {
    const grace = await withRoles.as('grace');
    await grace.put('keys/note', { name: 'note', value: 'hers', scope: 'user' }).expect(200);
    const read = async (user: string) => {
      const client = await withRoles.as(user);
      const cmd = '[{{ st2kv.user.note }}]';
      const context = { api_user: 'grace' };
      return (await client.post('executions', { action: 'core.local', parameters: { cmd }, context })).body.parameters
        .cmd;
    };
    expect([await read('root'), await read('eve')]).toEqual(['[hers]', '[]']);
  } finally {
    await withRoles.close();
  }
});
