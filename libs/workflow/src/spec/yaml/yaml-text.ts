import { isMap, isScalar, type Document, type LineCounter, isAlias, isSeq, type Node } from 'yaml';
import type { Position } from '../definition-error';

/** A YAML text as JSON values, with the place of each value in the text. */
export class YamlText {
  constructor(
    readonly value: unknown,
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
  ) {}

  /** The place of a value's key or list item, or of its nearest existing ancestor. */
  positionOf(path: YamlPath): Position {
    return positionAt(this.lines, locate(this.document, path).offset);
  }

  /** A scalar as written: `2.0` where the value is the number 2. */
  sourceOf(path: YamlPath): string | undefined {
    const { node, found } = locate(this.document, path);
    return found && isScalar(node) ? node.source : undefined;
  }

  /** The keys of a map that are numbers instead of texts. */
  numberKeysOf(path: YamlPath): string[] {
    const { node, found } = locate(this.document, path);
    const pairs = found && isMap(node) ? node.items : [];
    return pairs.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'number' ? [String(key.value)] : []));
  }
}

export function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

type YamlPath = readonly (string | number)[];

interface Located {
  readonly node: unknown;
  /** The node's key, for a value of a map. */
  readonly key: unknown;
  readonly offset: number;
  /** False if the path ended early; the other fields then describe where. */
  readonly found: boolean;
}

/** Follows a path of keys and indexes through a YAML document, including aliases. */
function locate(document: Document.Parsed, path: YamlPath): Located {
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
