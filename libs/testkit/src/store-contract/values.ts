import { mongo } from 'mongoose';
import type { StoreSubject } from './subject';

const MEBIBYTE = 1024 * 1024;

export function valuesContract(subject: StoreSubject): void {
  const { insert, ids, one } = subject;
  describe('values', () => {
    it('are returned as they were stored', async () => {
      const when = new Date(1_700_000_000_123);
      const id = new mongo.ObjectId();
      const row = {
        _id: 1,
        text: 'plain',
        unicode: 'žluťoučký 🐎 \u0000 中文',
        whole: 42,
        large: 1_700_000_000_123_456,
        fraction: 0.1,
        yes: true,
        nothing: null,
        when,
        id,
        list: [1, 'two', [3], { four: 4 }],
        nested: { deep: { deeper: 'x' } },
        'empty-object': {},
        'empty-list': [],
      };
      await insert(row);
      expect(await one(1)).toEqual(row);
    });

    it('keep bytes, as a Binary', async () => {
      await insert({ _id: 1, bytes: Buffer.from([0, 1, 254, 255]) });
      const { bytes } = (await one(1)) as { bytes: mongo.Binary };
      expect(bytes).toBeInstanceOf(mongo.Binary);
      expect([...bytes.buffer]).toEqual([0, 1, 254, 255]);
    });

    it('distinguish null from missing, and store undefined as null', async () => {
      await insert({ _id: 1, a: null }, { _id: 2 }, { _id: 3, a: undefined });
      expect(await ids({ a: { $exists: true } })).toEqual([1, 3]);
      expect((await one(3))?.['a']).toBeNull();
    });

    it('may contain dots and dollars in names of nested fields', async () => {
      const row = { _id: 1, parameters: { 'a.b': 1, 'c.d.e': { 'f.g': 2 } } };
      await insert(row);
      expect(await one(1)).toEqual(row);
    });

    it('may be 8 MB large', async () => {
      const text = 'x'.repeat(8 * MEBIBYTE);
      await insert({ _id: 1, text });
      expect(((await one(1)) as { text: string }).text).toHaveLength(8 * MEBIBYTE);
    });

    it('may not be larger than a server accepts', async () => {
      await expect(insert({ _id: 1, text: 'x'.repeat(17 * MEBIBYTE) })).rejects.toThrow();
      expect(await one(1)).toBeNull();
    });

    it('are not shared with the caller', async () => {
      const row = { _id: 1, list: [1] };
      await insert(row);
      row.list.push(2);
      const first = (await one(1)) as { list: number[] };
      first.list.push(3);
      expect(await one(1)).toEqual({ _id: 1, list: [1] });
    });
  });
}
