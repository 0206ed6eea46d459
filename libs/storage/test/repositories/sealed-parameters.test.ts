import { newId } from '@switchyard/base';
import { paths } from '@switchyard/config';
import { checkAlias, type ActionAliasRecord, type RuleRecord } from '@switchyard/model';
import { leakCheck, openTestSite, writeChecks } from '@switchyard/testkit/platform';
import type { Connection } from 'mongoose';
import {
  connectMongo,
  createSealer,
  newKeyRing,
  openStore,
  type KeyRing,
  type ResourceRepository,
  type Store,
} from '../../src';
import { openEmbedded } from '../../src/embedded';

const later = leakCheck();
const ring = newKeyRing();
let connection: Connection;
let store: Store;

beforeEach(async () => {
  const { config, remove } = await openTestSite();
  later(remove);
  const onServer = config.storage.driver === 'mongodb';
  connection = onServer ? await connectMongo(config.database) : await openEmbedded({ directory: paths(config).store });
  later(() => connection.close());
  store = await withKeys(ring);
});

/** The store of a process with these keys. */
const withKeys = (keys: KeyRing): Promise<Store> =>
  openStore(connection, createSealer(keys), { checkWrite: writeChecks() });

const parameters = { token: 'open sesame', deep: [{ a: null, b: 1.5, 'c.$d': true }] };

const aRule = (given: Record<string, unknown>): RuleRecord => ({
  _id: newId(),
  ref: 'p.one',
  uid: 'rule:p:one',
  name: 'one',
  pack: 'p',
  enabled: true,
  type: { ref: 'standard', parameters: {} },
  trigger: 'p.t',
  criteria: {},
  action: { ref: 'p.a', description: 'said', parameters: given },
  context: {},
  tags: [],
  metadata_file: '',
});
const anAlias = (given: Record<string, unknown>): ActionAliasRecord => ({
  _id: newId(),
  ...checkAlias({ pack: 'p', name: 'one', action_ref: 'p.a', formats: ['go'], immutable_parameters: given }),
});

interface Kind {
  readonly collection: string;
  readonly of: (from: Store) => ResourceRepository<RuleRecord | ActionAliasRecord>;
  readonly make: (given: Record<string, unknown>) => RuleRecord | ActionAliasRecord;
  readonly problem: RegExp;
}

const kinds: [string, Kind][] = [
  [
    'Rules',
    {
      collection: 'rules',
      of: ({ rules }) => rules,
      make: aRule,
      problem: /^The action parameters of the rule "p\.one" .* "\w+", which is not in the key file\./,
    },
  ],
  [
    'Aliases',
    {
      collection: 'action_aliases',
      of: ({ actionAliases }) => actionAliases,
      make: anAlias,
      problem: /^The immutable parameters of the action alias "p\.one" .* "\w+", which is not in the key file\./,
    },
  ],
];

describe.each(kinds)('%s', (_name, { collection, of, make, problem }) => {
  const raw = async () => JSON.stringify(await connection.collection(collection).find({}).toArray());

  it('have sealed parameters in the store, and are read back complete', async () => {
    const record = make(parameters);
    const records = of(store);
    expect(await records.insert(record)).toEqual(record);
    expect(await raw()).not.toContain('sesame');
    for (const found of [records.get(record._id), records.byKey('p.one'), records.find('p.one')])
      expect(await found).toEqual(record);
    expect(await records.list({ filter: { pack: 'p' } })).toEqual([record]);
  });

  it('stay sealed when replaced', async () => {
    const records = of(store);
    const { _id } = await records.insert(make({}));
    expect(await records.replace({ ...make(parameters), _id })).toBe(true);
    expect(await raw()).not.toContain('sesame');
    const { _id: _, ...draft } = make({ ...parameters, more: 'sesame' });
    expect(await records.upsert(draft as never)).toEqual({ ...draft, _id });
    expect(await raw()).not.toContain('sesame');
    expect(await records.byKey('p.one')).toEqual({ ...draft, _id });
  });

  it('stored as plain text are readable, and sealed by the next change', async () => {
    const old = make(parameters);
    await connection.collection(collection).insertOne({ ...old } as never);
    expect(await of(store).get(old._id)).toEqual(old);
    await of(store).replace(old);
    expect(await raw()).not.toContain('sesame');
    expect(await of(store).get(old._id)).toEqual(old);
  });

  it('can be read in part', async () => {
    const { _id } = await of(store).insert(make(parameters));
    expect(await of(store).list({ fields: ['ref'] })).toEqual([{ _id, ref: 'p.one' }]);
  });

  it('are opened with the key that sealed them, even if it is not the current one', async () => {
    const record = await of(store).insert(make(parameters));
    const next = newKeyRing();
    const rotated = await withKeys({ current: next.current, keys: { ...ring.keys, ...next.keys } });
    expect(await of(rotated).get(record._id)).toEqual(record);
  });

  it('with a missing key have no parameters, give the reason, and can be replaced', async () => {
    const { _id } = await of(store).insert(make(parameters));
    const records = of(await withKeys(newKeyRing()));
    const lost = { ...make({}), _id, problem: expect.stringMatching(problem) as string };
    expect(await records.list()).toEqual([lost]);
    expect(await records.byKey('p.one')).toEqual(lost);
    const next = { ...make({ a: 1 }), _id };
    expect(await records.replace(next)).toBe(true);
    expect(await records.get(_id)).toEqual(next);
  });

  it('with a missing key keep the sealed values when replaced together with their problem', async () => {
    const before = await of(store).insert(make(parameters));
    const records = of(await withKeys(newKeyRing()));
    const lost = (await records.get(before._id)) as RuleRecord;
    expect(await records.replace({ ...lost, enabled: false })).toBe(true);
    expect(await of(store).get(before._id)).toEqual({ ...before, enabled: false });
    expect(await raw()).not.toContain('cannot be decrypted');
    await records.remove(before._id);
    expect(await records.replace(lost)).toBe(false);
  });
});

describe('action aliases', () => {
  it('are opened when listed for commands and when removed with their pack', async () => {
    const { actionAliases } = store;
    const record = await actionAliases.insert(anAlias(parameters));
    expect(await actionAliases.enabled()).toEqual([record]);
    expect(await actionAliases.removeOf('p')).toEqual([record]);
  });
});
