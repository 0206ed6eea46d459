import { newId } from '@switchyard/base';
import type { KeyValueRecord } from '@switchyard/model';
import { createSealer, newKeyRing, openStore } from '@switchyard/storage';
import { openEmbedded } from '@switchyard/storage/embedded';
import { damageRecords, deepBytes, garbled } from '../../../../../libs/storage/test/support/damage';
import { apiFixture, roles, type ApiFixture } from '../../support/api-fixture';

const ids = { broken: newId(), deep: newId(), sound: newId() };

const item = (name: keyof typeof ids): Omit<KeyValueRecord, 'revision'> => ({
  _id: ids[name],
  uid: `key_value_pair:st2kv.system:${name}`,
  scope: 'st2kv.system',
  name,
  value: 'v',
  secret: false,
});

/** A readable item, an unreadable one, and one whose value is nested too deep. */
async function fill(directory: string): Promise<void> {
  const store = await openStore(await openEmbedded({ directory }), createSealer(newKeyRing()));
  await store.keyValues.put(item('broken'));
  await store.keyValues.put(item('deep'));
  await store.keyValues.put(item('sound'));
  await store.close();
  const { value: _, ...rest } = item('deep');
  damageRecords(directory, 'key_values', (id, bytes) => {
    if (id === ids.broken) return garbled(bytes);
    return id === ids.deep ? deepBytes({ ...rest, revision: 1 }, 20_000, 'value') : undefined;
  });
}

// MongoDB servers accept no damaged bytes.
const here = process.env['SVC_TEST_MONGODB_URL'] ? describe.skip : describe;

here('items that cannot be read', () => {
  let api: ApiFixture;
  beforeEach(async () => {
    api = await apiFixture({ access: roles, fill });
  });
  afterEach(() => api.close());

  const broken = { id: ids.broken, unreadable: expect.any(String) };
  const deep = { id: ids.deep, unreadable: 'unreadable: its value' };
  const sound = expect.objectContaining({ id: ids.sound, name: 'sound', value: 'v' });

  test.each([
    ['keys', [broken, deep, sound]],
    ['keys?scope=all', [broken, deep, sound]],
    ['keys?decrypt=true', [broken, deep, sound]],
    ['keys?limit=1', [broken]],
    ['keys?limit=1&offset=1', [deep]],
    ['keys?scope=user', []],
    ['keys?name=sound', [sound]],
    ['keys?prefix=d', [deep]],
    [`keys?id=${ids.broken}`, [broken]],
    [`keys?id=${ids.sound}`, [sound]],
  ])('appear in %s along with the others, for administrators', async (path, expected) => {
    const { body, headers } = await (await api.as('root')).get(path).expect(200);
    expect(body).toEqual(expected);
    if (!path.includes('=')) expect(headers['x-total-count']).toBe('3');
  });

  test('are visible only to administrators', async () => {
    const { body, headers } = await (await api.as('ada')).get('keys').expect(200);
    expect([body, headers['x-total-count']]).toEqual([[sound], '1']);
  });

  test('are shown singly if their names are known, and can be overwritten and deleted', async () => {
    const root = await api.as('root');
    expect((await root.get('keys/deep').expect(200)).body).toEqual(deep);
    await root.get('keys/broken').expect(404);
    for (const name of ['deep', 'broken']) {
      const { body } = await root.put(`keys/${name}`, { name, value: 'new' }).expect(200);
      expect((await root.get(`keys/${name}`).expect(200)).body).toEqual(body);
      await root.delete(`keys/${name}`).expect(204);
    }
  });

  test('cause an error in a template that reads them', async () => {
    const run = { action: 'core.local', parameters: { cmd: '{{ st2kv.system.deep }}' } };
    const { body } = await (await api.as('root')).post('executions', run).expect(400);
    expect(body.faultstring).toContain(`cannot be read (id ${ids.deep})`);
  });

  test('can be deleted directly', async () => {
    const root = await api.as('root');
    await root.delete('keys/deep').expect(204);
    expect((await root.get('keys').expect(200)).body).toEqual([broken, sound]);
  });
});
