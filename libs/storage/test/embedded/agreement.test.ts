import { rounds } from '@switchyard/testkit/rounds';
import { verifyAllIndexes } from '../../src/embedded';
import { collectionOf, storeFixture } from './store-fixture';

type Fields = Record<string, unknown>;

const SEED = 20_240_601;
const DOCUMENTS = 300;
const QUERIES = rounds(100);
/** Long enough for a busy machine. */
const LONG_MS = 3 * 60_000;

/** Seeded, so that every run uses the same numbers. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const below = random(SEED);
const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;

const scalars = [
  0,
  1,
  2,
  -1,
  1.5,
  255,
  -256,
  'a',
  'b',
  '',
  'a\u0000b',
  'é',
  null,
  true,
  false,
  new Date(0),
  new Date(5),
];
const value = (): unknown => {
  if (below(8) === 0) return Array.from({ length: below(4) }, () => pick(scalars));
  return below(12) === 0 ? { c: pick(scalars) } : pick(scalars);
};
const paths = ['a', 'b', 's', 's.c'];

/** A different value for each document, of several types. */
function distinct(_id: number): unknown {
  const mixed = (_id * 7) % DOCUMENTS;
  return pick([mixed, -mixed - 0.5, new Date(mixed), `${mixed}`, `${mixed}\u0000${mixed}`]);
}

function document(_id: number): Fields {
  const fields: Fields = { _id, n: distinct(_id) };
  for (const path of ['a', 'b', 's']) if (below(5) > 0) fields[path] = value();
  if (below(10) === 0) fields['s'] = [{ c: pick(scalars) }, { c: pick(scalars) }, pick(scalars)];
  return fields;
}

function condition(): unknown {
  const operand = pick(scalars);
  switch (below(7)) {
    case 0:
      return { [pick(['$gt', '$gte', '$lt', '$lte'])]: operand };
    case 1:
      return { $gte: pick(scalars), $lt: pick(scalars) };
    case 2:
      return { $in: [operand, pick(scalars)] };
    case 3:
      return { $exists: below(2) === 0 };
    case 4:
      return { $ne: operand };
    default:
      return operand;
  }
}

const filter = (): Fields => {
  const parts = Array.from({ length: 1 + below(3) }, () => [pick(paths), condition()] as const);
  const fields = Object.fromEntries(parts);
  return below(6) === 0 ? { $or: parts.map(([path, wanted]) => ({ [path]: wanted })) } : fields;
};

const sort = (): Fields => {
  const fields = Object.fromEntries(Array.from({ length: 1 + below(2) }, () => [pick(paths), pick([1, -1])]));
  return { ...fields, _id: pick([1, -1]) };
};

/** Alternatives on a field that comes after the sort field in an index. */
function alternativesInOrder(): [Fields, Fields] {
  const path = pick(['a', 'b', 's']);
  const ranges = () => pick<unknown>([{ $gte: pick(scalars), $lt: pick(scalars) }, { $gt: pick(scalars) }]);
  const alternatives = Array.from({ length: 2 + below(2) }, () => pick<unknown>([pick(scalars), { $in: [pick(scalars), pick(scalars)] }, ranges()])); // oxfmt-ignore
  const wanted = { $or: alternatives.map((each) => ({ [path]: each })) };
  return [wanted, { sort: { n: pick([1, -1]) }, ...(below(2) === 0 ? { limit: 1 + below(20) } : {}) }];
}

const indexes: [Fields, Fields][] = [
  [{ a: 1 }, {}],
  [{ a: -1, b: 1 }, {}],
  [{ b: -1 }, { sparse: true }],
  [{ 's.c': 1, a: -1 }, {}],
  [{ s: 1, _id: -1 }, {}],
  [{ n: -1, b: 1 }, {}],
  [{ n: 1, a: -1, s: 1 }, {}],
  [{ b: 1, s: 1 }, { partialFilterExpression: { b: { $gte: 0 } } }],
];

describe('results with indexes', () => {
  const fixture = storeFixture();

  afterAll(() => fixture.remove());

  it.each([
    ['with arrays', (fields: Fields) => fields],
    [
      'without arrays',
      (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([, v]) => !Array.isArray(v))),
    ],
  ])(
    'equal those without, for documents %s',
    async (title, shape) => {
      const connection = await fixture.open();
      const plain = collectionOf(connection, `plain ${title}`);
      const indexed = collectionOf(connection, `indexed ${title}`);
      for (const [key, options] of indexes) {
        const parallel = title === 'with arrays' && Object.keys(key).length > 1 && !('_id' in key);
        if (!parallel) await indexed.createIndex(key, options);
      }
      const documents = Array.from({ length: DOCUMENTS }, (_, id) => shape(document(id)));
      for (const rows of [plain, indexed]) {
        await rows.insertMany(documents);
        await rows.updateMany({ a: 1 }, { $set: { b: 255 } });
        await rows.deleteMany({ a: 'b' });
      }
      for (let n = 0; n < QUERIES; n += 1) {
        const usual = () =>
          below(2) === 0 ? { sort: sort() } : { sort: sort(), skip: below(3), limit: 1 + below(20) };
        const [wanted, options] = below(3) === 0 ? alternativesInOrder() : [filter(), usual()];
        const [expected, found] = [
          await plain.find(wanted, options).toArray(),
          await indexed.find(wanted, options).toArray(),
        ];
        const [count, expectedCount] = [await indexed.countDocuments(wanted), await plain.countDocuments(wanted)];
        const query = JSON.stringify({ wanted, options });
        expect({ query, count, ids: found.map(({ _id }) => _id) }).toEqual({
          query,
          count: expectedCount,
          ids: expected.map(({ _id }) => _id),
        });
      }
      expect(verifyAllIndexes(connection)).toEqual([]);
    },
    LONG_MS,
  );
});
