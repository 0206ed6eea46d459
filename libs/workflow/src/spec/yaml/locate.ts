import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from 'yaml';

export type Path = readonly (string | number)[];

export interface Located {
  readonly node: unknown;
  /** The key under which the node stands, for a value of a map. */
  readonly key: unknown;
  readonly offset: number;
  /** False when the way ended early; the rest is then about where it ended. */
  readonly found: boolean;
}

/** Follows a path of keys and indexes through a YAML document, aliases included. */
export function locate(document: Document.Parsed, path: Path): Located {
  const root = document.contents;
  let at: Located = { node: root, key: undefined, offset: root?.range?.[0] ?? 0, found: true };
  for (const step of path) {
    const next = below(document, at, step);
    if (!next) return { ...at, found: false };
    at = next;
  }
  return at;
}

function below(document: Document.Parsed, { node, offset }: Located, step: string | number): Located | undefined {
  const target = isAlias(node) ? node.resolve(document) : node;
  const pair = isMap(target)
    ? target.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
    : undefined;
  const next: unknown = isSeq(target) ? target.items[Number(step)] : pair?.value;
  if (next === undefined || (isMap(target) && !pair)) return undefined;
  return {
    node: next,
    key: pair?.key,
    offset: ((pair?.key ?? next) as Node | null)?.range?.[0] ?? offset,
    found: true,
  };
}
