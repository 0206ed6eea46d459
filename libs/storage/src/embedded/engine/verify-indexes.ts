import { indexEntries } from '../indexes/index-entries';
import { everything, type RecordSource } from '../planner/matching';
import { SPACE_BYTES, encodeId, spaceRange } from './document-keys';

/** Compares the indexes of a collection with its documents. @returns a sentence for each difference */
export function verifyIndexes({ environment, store }: Pick<RecordSource, 'environment' | 'store'>): string[] {
  const problems: string[] = [];
  const [primary, ...indexes] = store.indexes;
  if (!primary) return problems;
  const expected = indexes.map(() => new Map<string, string>());
  let documents = 0;
  for (const { id, document } of everything({ environment, store })) {
    documents += 1;
    if (!encodeId(document['_id']).equals(id)) problems.push(`${store.name}: a document is stored under another id`);
    indexes.forEach((index, i) => {
      for (const key of indexEntries(index, document, id).keys.keys()) expected[i]?.set(key, id.toString('latin1'));
    });
  }
  const keys = environment.count(spaceRange(primary.record.space));
  if (keys !== documents) problems.push(`${store.name}: ${keys} keys, ${documents} documents`);
  indexes.forEach(({ record }, i) => {
    const wanted = expected[i] as Map<string, string>;
    for (const { key, value } of environment.entries(spaceRange(record.space))) {
      const text = key.toString('latin1');
      if (wanted.get(text) !== value.toString('latin1'))
        problems.push(`${store.name}.${record.name}: a stray entry of ${key.length - SPACE_BYTES} bytes`);
      wanted.delete(text);
    }
    if (wanted.size > 0) problems.push(`${store.name}.${record.name}: ${wanted.size} entries are missing`);
  });
  return problems;
}
