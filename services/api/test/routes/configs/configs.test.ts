import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@switchyard/base';
import { apiFixture, roles, type ApiFixture, type Client } from '../../support/api-fixture';

let api: ApiFixture;
let root: Client;
beforeAll(async () => {
  api = await apiFixture({ access: roles });
  root = await api.as('root');
});
afterAll(() => api.close());

const attributes = {
  region: { type: 'string', default: 'north' },
  token: { type: 'string', secret: true },
  mirror: { type: 'object', properties: { host: { type: 'string' }, password: { type: 'string', secret: true } } },
  keys: { type: 'array', items: { type: 'object', properties: { key: { type: 'string', secret: true } } } },
};
const values = {
  region: 'south',
  token: 'open sesame',
  mirror: { host: 'far', password: 'hush' },
  keys: [{ key: 'one' }, { key: 'two' }],
  unknown: 'shown',
};
const masked = {
  ...values,
  token: '********',
  mirror: { host: 'far', password: '********' },
  keys: [{ key: '********' }, { key: '********' }],
};

/** A pack with a schema in the store. */
async function pack(name: string): Promise<string> {
  const { _id, ...core } = (await api.store.packs.byKey('core'))!;
  await api.store.packs.upsert({ ...core, ref: name, name, uid: `pack:${name}` });
  await api.store.configSchemas.upsert({ pack: name, attributes });
  return `configs/${name}`;
}

const configsDirectory = () => join(api.packs, '../configs');
const inFile = (name: string) => readFile(join(configsDirectory(), `${name}.yaml`), 'utf8');

describe('Configurations', () => {
  it('are written and read, in the store and in their file', async () => {
    const path = await pack('garden');
    const { body } = await api.ada.put(path, values).expect(200);
    expect(body).toEqual({ id: expect.any(String), pack: 'garden', values: masked });
    expect((await api.ada.get(path).expect(200)).body).toEqual(body);
    expect((await api.store.configs.byKey('garden'))?.values).toEqual(values);
    expect(await inFile('garden')).toContain('token: open sesame\n');
    const again = await api.ada.put(path, { region: 'east' }).expect(200);
    expect(again.body).toEqual({ ...body, values: { region: 'east' } });
  });

  it('show their secrets to administrators on request', async () => {
    const path = await pack('vault');
    const shown = async (client: Client, query: string) => [
      (await client.put(`${path}${query}`, values).expect(200)).body.values,
      (await client.get(`${path}${query}`).expect(200)).body.values,
      (await client.get(`configs${query}${query ? '&' : '?'}pack=vault`).expect(200)).body[0].values,
    ];
    expect(await shown(root, '?show_secrets=true')).toEqual([values, values, values]);
    expect(await shown(root, '')).toEqual([masked, masked, masked]);
    expect(await shown(api.ada, '?show_secrets=true')).toEqual([masked, masked, masked]);
  });

  it('keep secrets that are sent back masked', async () => {
    const path = await pack('shed');
    await api.ada.put(path, values).expect(200);
    const changed = { ...masked, region: 'east', token: 'new' };
    await api.ada.put(path, changed).expect(200);
    expect((await api.store.configs.byKey('shed'))?.values).toEqual({ ...values, region: 'east', token: 'new' });
  });

  it.each<[string, object, object | undefined]>([
    ['token', { token: '********' }, undefined],
    ['mirror.password', { token: '********', mirror: { password: '********' } }, { token: 'old' }],
    ['keys.1.key', { keys: [{ key: '********' }, { key: '********' }] }, { keys: [{ key: 'one' }] }],
  ])('refuse a mask for the secret %s when none is stored', async (field, given, before) => {
    const path = await pack(`bare_${field.replaceAll('.', '_')}`);
    if (before) await api.ada.put(path, before).expect(200);
    const { body } = await api.ada.put(path, given).expect(400);
    expect(body).toEqual({
      field,
      faultstring: `"${field}" is secret: expected its value, got the mask "********", and there is no stored value to keep.`,
    });
    expect((await api.store.configs.byKey(path.slice('configs/'.length)))?.values).toEqual(before);
  });

  it('keep a secret that is null', async () => {
    const path = await pack('void');
    const { body } = await api.ada.put(path, { token: null }).expect(200);
    await api.ada.put(path, { ...body.values, region: 'east' }).expect(200);
    expect((await api.store.configs.byKey('void'))?.values).toEqual({ token: null, region: 'east' });
  });

  it('may contain the text of a mask where nothing is secret', async () => {
    const path = await pack('starry');
    await api.ada.put(path, { region: '********', unknown: '********' }).expect(200);
  });

  it('can be written without a pack or a schema, and are listed, but are read with their pack only', async () => {
    const { body } = await api.ada.put('configs/nowhere', { a: 1 }).expect(200);
    expect(body).toEqual({ id: expect.any(String), pack: 'nowhere', values: { a: 1 } });
    expect((await api.ada.get(`configs?id=${body.id}`).expect(200)).body).toEqual([body]);
    const missing = await api.ada.get('configs/nowhere').expect(404);
    expect(missing.body.faultstring).toBe('Unable to identify resource with pack_ref "nowhere".');
    await pack('nowhere');
    expect((await api.ada.get('configs/nowhere').expect(200)).body).toEqual(body);
  });

  it('report a missing key, do not affect others, and can be replaced', async () => {
    const path = await pack('lost');
    const { _id } = await (await api.withOtherKeys()).configs.upsert({ pack: 'lost', values });
    const error = expect.stringMatching(
      /^The configuration of the pack "lost" cannot be decrypted: .* the key file\./,
    ) as string;
    const shown = { id: _id, pack: 'lost', values: {}, error };
    for (const query of ['', '?show_secrets=true'])
      expect((await root.get(`${path}${query}`).expect(200)).body).toEqual(shown);
    await api.ada.put(await pack('found'), values).expect(200);
    const { body } = await api.ada.get('configs?pack=lost,found').expect(200);
    expect(body).toEqual([{ id: expect.any(String), pack: 'found', values: masked }, shown]);
    const { body: written } = await api.ada.put(path, values).expect(200);
    expect(written).toEqual({ id: _id, pack: 'lost', values: masked });
    expect((await api.ada.get(path).expect(200)).body).toEqual(written);
  });

  it('are listed by pages', async () => {
    for (const name of ['list_b', 'list_a']) await api.store.configs.insert({ _id: newId(), pack: name, values: {} });
    const all = (await api.ada.get('configs').expect(200)).body.map((config: { pack: string }) => config.pack);
    expect(all).toEqual([...all].sort());
    const { body, headers } = await api.ada.get('configs?sort=-pack&limit=1&offset=1').expect(200);
    expect(body).toEqual([expect.objectContaining({ pack: all.at(-2) })]);
    expect(headers).toMatchObject({ 'x-limit': '1', 'x-total-count': String(all.length) });
  });

  it.each<[unknown, string]>([
    [{ region: 5 }, `"region" in config for pack "bad" (CONFIGS/bad.yaml): 5 is not of type 'string'`],
    [{ mirror: { host: 5 } }, '"mirror.host" in config for pack "bad"'],
    [['a'], "'********' of type 'array' is not of type 'object'"],
    [{ token: '{{ st2kv.system.t | decrypt_kv }}' }, 'Values specified as "secret: True" in config schema'],
  ])('are refused for %#', async (body, text) => {
    const path = await pack('bad');
    const { body: answer } = await api.ada.put(path, body).expect(400);
    expect(answer.faultstring).toContain(text.replace('CONFIGS', configsDirectory()));
    await api.ada.get(path).expect(404);
  });

  it('are refused when they are nested deeper than the limit', async () => {
    const path = await pack('bad');
    const deep = JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`) as unknown;
    const { body: answer } = await api.ada.put(path, { deep }).expect(422);
    expect(answer.faultstring).toContain('limits.max_depth');
    await api.ada.get(path).expect(404);
  });

  it('never repeat a secret', async () => {
    const path = await pack('quiet');
    for (const secret of [{ token: [55512] }, { mirror: '55512' }, { keys: [{ key: { a: 55512 } }] }]) {
      const { text } = await api.ada.put(path, secret).expect(400);
      expect(text).not.toContain('55512');
    }
    await api.ada.put(path, { token: '55512' }).expect(200);
    const lines = api.log.filter(({ level }) => level === 'audit').map(({ fields }) => fields);
    expect(lines).toContainEqual({ pack: 'quiet', user: 'ada' });
    expect(JSON.stringify(api.log)).not.toContain('55512');
  });

  it.each([
    ['..%2F..%2Fgarden', 404],
    ['%2Fetc%2Fpasswd', 404],
    ['.hidden', 400],
    ['a%5Cb', 400],
    ['a-b', 400],
    ['default.yaml', 400],
    ['a%00b', 400],
    ['x'.repeat(300), 400],
  ])('are refused for a pack by the name of %s', async (name, status) => {
    await api.ada.put(`configs/${name}`, {}).expect(status);
  });

  it('stay unchanged when the file cannot be written', async () => {
    const path = await pack('stuck');
    await api.ada.put(path, { region: 'east' }).expect(200);
    await rm(configsDirectory(), { recursive: true });
    await writeFile(configsDirectory(), 'in the way');
    const { body } = await api.ada.put(path, { region: 'west' }).expect(503);
    expect(body.faultstring).toContain('The configuration cannot be written to');
    expect((await api.ada.get(path).expect(200)).body.values).toEqual({ region: 'east' });
    await rm(configsDirectory());
  });

  it('are read from files when they are registered', async () => {
    await mkdir(join(api.packs, 'mine'), { recursive: true });
    await mkdir(configsDirectory(), { recursive: true });
    await writeFile(join(api.packs, 'mine/pack.yaml'), 'name: mine\ndescription: d\nversion: 1.0.0\nauthor: a\n');
    await writeFile(join(api.packs, 'mine/config.schema.yaml'), 'token: {type: string, secret: true}\n');
    await writeFile(join(configsDirectory(), 'mine.yaml'), 'token: hush\n');
    const { body } = await api.ada.post('packs/register', { packs: ['mine'], types: ['configs'] }).expect(200);
    expect(body).toEqual({ configs: 1 });
    expect((await api.ada.get('configs/mine').expect(200)).body.values).toEqual({ token: '********' });
    await writeFile(join(configsDirectory(), 'mine.yaml'), 'token: [1]\n');
    await api.ada.post('packs/register', { packs: ['mine'], fail_on_failure: true }).expect(400);
  });
});

describe('Schemas of configurations', () => {
  it('are read and listed', async () => {
    await pack('garden');
    const { body } = await api.ada.get('config_schemas/garden').expect(200);
    expect(body).toEqual({ id: expect.any(String), pack: 'garden', attributes });
    const { body: listed, headers } = await api.ada.get('config_schemas?pack=garden&limit=1').expect(200);
    expect(listed).toEqual([body]);
    expect(headers['x-total-count']).toBe('1');
  });

  it.each([
    ['default', 'Unable to identify resource with pack_ref "default".'],
    ['nothing', 'Resource with a ref or id "nothing" not found'],
  ])('are not found for %s', async (name, text) => {
    expect((await api.ada.get(`config_schemas/${name}`).expect(404)).body.faultstring).toBe(text);
    const config = await api.ada.get(`configs/${name}`).expect(404);
    expect(config.body.faultstring).toBe(`Unable to identify resource with pack_ref "${name}".`);
  });
});
