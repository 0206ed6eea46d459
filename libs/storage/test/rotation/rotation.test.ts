import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { storedSchemas } from '@switchyard/model/resources';
import { anInstance, leakCheck } from '@switchyard/testkit/platform';
import { newKeyRing, createSealer, parseKeyRing } from '../../src';
import { unfinishedRotation } from '../../src/doctor';
import { SEALED, type Ring } from '../../src/sealing/sealed-places';
import { rotationSite, type RotationSite } from './rotation-site';

const later = leakCheck();
let site: RotationSite;

beforeEach(async () => {
  site = await rotationSite();
  later(site.close);
});

const ringOf = (ring: Ring) => parseKeyRing(readFileSync(site.files[ring], 'utf8'));
const currentKeys = () => (['records', 'datastore'] as const).map((ring) => ringOf(ring).current).sort();
const begin = () => site.begin();
const last = () => site.last();
const records = (name: string) => site.connection().db!.collection<{ _id: string }>(name);

const PLACES = SEALED.map((place) => [`${place.collection}.${place.path.join('.')}`, place] as const);

describe.each(PLACES)('secrets in %s', (name, place) => {
  const former = () => ringOf(place.ring).current;

  it('are sealed with the new key, and readable when the former one is gone', async () => {
    const old = former();
    const ids = [await site.fill(place, 'one'), await site.fill(place, 'two')];
    await begin();
    await site.carryOut();
    expect(await last()).toMatchObject({ stage: 'resealed', resealed: 2, lost: [] });
    expect(former()).not.toBe(old);
    expect(await site.keysInUse()).toEqual([former()]);
    expect(Object.keys(ringOf(place.ring).keys)).toContain(old);
    await site.retire();
    await site.carryOut();
    expect(Object.keys(ringOf(place.ring).keys)).toEqual([former()]);
    expect(await Promise.all(ids.map((id) => site.read(place, id)))).toEqual(['one', 'two']);
    expect(await records('blobs').countDocuments()).toBe(place.blob ? 2 : 0);
  });

  /** @returns the id of a record whose value its key does not open */
  async function damagedRecord(): Promise<string> {
    const id = await site.fill(place, 'one');
    const [path, damaged] = [place.path.join('.'), `${site.seal(place.ring, 'two').slice(0, -4)}AAAA`];
    const value = place.blob ? await site.store().blobs.put(damaged) : damaged;
    await records(place.collection).updateOne({ _id: id }, { $set: { [path]: value } });
    return id;
  }

  it('that are damaged keep the former key, and are counted and named', async () => {
    const old = former();
    const id = await damagedRecord();
    const field = place.path.join('.');
    await begin();
    await site.carryOut();
    expect((await last()).lost).toEqual([{ key: old, count: 1 }]);
    await site.retire();
    await site.carryOut();
    expect(await last()).toMatchObject({
      stage: 'resealed',
      problem: expect.stringMatching(`1 with the key "${old}".*${field} of ${id} in ${place.collection}`),
      damaged: [{ collection: place.collection, id, field }],
    });
    expect(Object.keys(ringOf(place.ring).keys)).toContain(old);
    await records(place.collection).deleteOne({ _id: id });
    await site.retire();
    await site.carryOut();
    expect(await last()).toMatchObject({ stage: 'retired', lost: [] });
    expect(await last()).not.toHaveProperty('problem');
  });

  it('that are damaged can be given up, and the others are readable with the new key', async () => {
    const [id, kept] = [await damagedRecord(), await site.fill(place, 'kept')];
    await begin();
    await site.carryOut();
    await site.retire(true);
    await site.carryOut();
    expect(await last()).toMatchObject({ stage: 'retired', damaged: [{ id }] });
    expect(await last()).not.toHaveProperty('problem');
    expect(Object.keys(ringOf(place.ring).keys)).toEqual([former()]);
    expect(await site.read(place, kept)).toBe('kept');
  });

  it(`is a field of the records in ${name}`, () => {
    const schema = (storedSchemas as unknown as Record<string, { properties: Record<string, unknown> }>)[
      place.collection
    ];
    expect(schema?.properties).toHaveProperty([place.path[0]!]);
  });
});

it('every field with the name of an encrypted field is among the places', () => {
  const named = Object.entries(storedSchemas).flatMap(([collection, { properties }]) =>
    Object.keys(properties).flatMap((field) => (/^sealed/.test(field) ? [`${collection}.${field}`] : [])),
  );
  const known: string[] = PLACES.map(([name]) => name);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(3);
});

describe('a rotation', () => {
  const [execution] = SEALED.filter(({ path }) => path[0] === 'sealed_result');

  it('reads more records than fit into a slice, even if they are large', async () => {
    for (let n = 0; n < 450; n++) await site.fill(execution!, `value ${n}`);
    for (let n = 0; n < 5; n++) await site.fill(execution!, 'x'.repeat(700_000));
    await begin();
    await site.carryOut();
    expect(await last()).toMatchObject({ stage: 'resealed', resealed: 455 });
    expect(await site.keysInUse()).toEqual([ringOf('records').current]);
  });

  it('skips records that change meanwhile, and reads them again', async () => {
    const ids = [await site.fill(execution!, 'one'), await site.fill(execution!, 'two')];
    const late = site.seal('records', 'late');
    await begin();
    const walk = site.store().walk;
    const slice = walk.slice.bind(walk);
    let isFirst = true;
    // A write takes place between the read and the write of the first slice, which gets the keys in between.
    Object.assign(walk, {
      slice: (from: never, resealers: (ring: Ring) => Promise<unknown>, note: never) =>
        slice(
          from,
          (async (ring: Ring) => {
            const stage = (await last()).position?.collection;
            if (isFirst && stage === 'executions' && ring === 'records') {
              isFirst = false;
              await records('executions').updateOne({ _id: ids[0]! }, { $set: { sealed_result: late } });
            }
            return resealers(ring);
          }) as never,
          note,
        ),
    });
    await site.carryOut();
    expect(isFirst).toBe(false);
    expect(await site.read(execution!, ids[0]!)).toBe('late');
    expect(await site.read(execution!, ids[1]!)).toBe('two');
    expect(await site.keysInUse()).toEqual([ringOf('records').current]);
  });

  it('waits for each process to have the new key, then to use it, and only then encrypts', async () => {
    await site.fill(execution!, 'one');
    const idsOf = (ring: Ring) => ({ current: ringOf(ring).current, known: Object.keys(ringOf(ring).keys) });
    const stale = { records: idsOf('records'), datastore: idsOf('datastore') };
    const holder = anInstance({ host: 'away', pid: 17, keys: stale });
    site.holders.push(holder);
    await begin();
    expect(await site.carryOut()).toBe('waits');
    expect(await last()).toMatchObject({ stage: 'adding', waiting_for: ['process 17 on away'] });
    expect(idsOf('records').current).toBe(stale.records.current);
    holder.keys = { records: idsOf('records'), datastore: idsOf('datastore') };
    expect(await site.carryOut()).toBe('waits');
    expect(await last()).toMatchObject({ stage: 'switching', waiting_for: ['process 17 on away'], resealed: 0 });
    expect(idsOf('records').current).not.toBe(stale.records.current);
    holder.keys = { records: idsOf('records'), datastore: idsOf('datastore') };
    expect(await site.carryOut()).toBe('settled');
    expect(await last()).toMatchObject({ stage: 'resealed', waiting_for: [], resealed: 1 });
    holder.keys = stale;
    await site.retire();
    expect(await site.carryOut()).toBe('waits');
    expect(await last()).toMatchObject({ stage: 'retiring', waiting_for: ['process 17 on away'] });
    site.holders.pop();
    await site.carryOut();
    expect(await last()).toMatchObject({ stage: 'retired' });
  });

  it('runs one at a time, and keys are retired only after it', async () => {
    await expect(site.retire()).rejects.toMatchObject({ code: 'storage.no-rotation' });
    const [first, second] = await Promise.all([begin(), begin()]);
    expect(second).toEqual(first);
    await expect(site.retire()).rejects.toMatchObject({ code: 'storage.not-resealed' });
    await site.carryOut();
    const keys = currentKeys();
    await begin();
    await site.carryOut();
    expect(currentKeys()).not.toEqual(keys);
    expect(Object.keys(ringOf('records').keys)).toHaveLength(3);
    expect(await site.advance()).toBe('settled');
  });

  it('ignores values whose key was lost before', async () => {
    const id = await site.fill(execution!, 'one');
    const sealed_result = createSealer(newKeyRing()).seal('lost');
    await records('executions').updateOne({ _id: id }, { $set: { sealed_result } });
    await begin();
    await site.carryOut();
    await site.retire();
    await site.carryOut();
    expect(await last()).toMatchObject({ stage: 'retired', lost: [{ count: 1 }] });
  });

  it('reports what is wrong with a key file, and continues once it is repaired', async () => {
    chmodSync(site.files.records, 0o644);
    await begin();
    expect(await site.carryOut()).toBe('waits');
    expect(await last()).toMatchObject({
      stage: 'adding',
      problem: `The encryption key file "${site.files.records}" cannot be used: its mode is 644, expected 600, because other users could read the keys`,
    });
    chmodSync(site.files.records, 0o600);
    expect(await site.carryOut()).toBe('settled');
    expect(await last()).not.toHaveProperty('problem');
    expect((await last()).stage).toBe('resealed');
  });

  it('that waits to retire keys can still be changed to give up damaged values', async () => {
    site.holders.push(anInstance({ host: 'away', pid: 17 }));
    await begin();
    site.holders.pop();
    await site.carryOut();
    site.holders.push(anInstance({ host: 'away', pid: 17 }));
    await site.retire();
    expect(await site.carryOut()).toBe('waits');
    expect(await site.retire(true)).toMatchObject({ stage: 'retiring', abandons: true });
    site.holders.pop();
    await site.carryOut();
    expect(await last()).toMatchObject({ stage: 'retired', abandons: true });
  });

  it('changes the keys of records alone while the datastore has no key file', async () => {
    rmSync(site.files.datastore);
    await begin();
    await site.carryOut();
    expect((await last()).keys).toEqual({ records: ringOf('records').current });
  });

  it('is reported by the doctor until it is over', async () => {
    await begin();
    await site.advance();
    expect(await unfinishedRotation(site.connection())).toContain('has not ended (switching)');
    await site.carryOut();
    expect(await unfinishedRotation(site.connection())).toBeUndefined();
  });

  it('has no key material in its record', async () => {
    await begin();
    await site.carryOut();
    const text = JSON.stringify(await last());
    for (const ring of ['records', 'datastore'] as const)
      for (const key of Object.values(ringOf(ring).keys))
        for (const encoding of ['base64', 'base64url', 'hex'] as const)
          expect(text).not.toContain(key.toString(encoding).slice(0, 20));
  });
});
