import { isMap, isScalar, type Document, type LineCounter } from 'yaml';
import type { Position } from '../definition-error';
import { locate, type Path } from './locate';

/** A YAML text as JSON values, with the way back from a value to its place in the text. */
export class YamlText {
  constructor(
    readonly value: unknown,
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
  ) {}

  /** Of a value's key or list item; of the nearest thing around it when it does not stand in the text. */
  positionOf(path: Path): Position {
    return positionAt(this.lines, locate(this.document, path).offset);
  }

  /** A scalar as it was written: `2.0` where the value is the number 2. */
  sourceOf(path: Path): string | undefined {
    const { node, found } = locate(this.document, path);
    return found && isScalar(node) ? node.source : undefined;
  }

  /** The keys of a map that are numbers and not texts. */
  numberKeysOf(path: Path): string[] {
    const { node, found } = locate(this.document, path);
    const pairs = found && isMap(node) ? node.items : [];
    return pairs.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'number' ? [String(key.value)] : []));
  }
}

export function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}
