import { isScalar, visit, type Document, type Node, type Pair } from 'yaml';
import { YamlProblem } from './yaml-problem';

/** Refuses keys that are given twice, and those that are no texts. @throws YamlProblem */
export function checkKeys(document: Document.Parsed): void {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const pair of items) {
        const name = keyText(pair);
        if (name !== MERGE && seen.has(name)) throw new YamlProblem(`found duplicate key "${name}".`, offsetOf(pair));
        seen.add(name);
      }
    },
  });
}

const MERGE = '<<';

/** Keys such as an unquoted `on` or `yes` would come out under another name, lists and maps under none. */
function keyText(pair: Pair): string {
  const { key } = pair;
  const value = isScalar(key) ? key.value : undefined;
  if (typeof value === 'symbol') return MERGE;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const shown = isScalar(key) && key.source ? `"${key.source}"` : 'with no text';
  throw new YamlProblem(`found key ${shown} that is not a text: put it into quotes.`, offsetOf(pair));
}

const offsetOf = ({ key }: Pair): number => (key as Node | null)?.range?.[0] ?? 0;
