import { locateYaml, type YamlNode, type YamlStep } from '@switchyard/yaml';
import type { Position } from '../definition-error';

/** A YAML text as JSON values, with the place of each value in the text. */
export class YamlText {
  constructor(
    readonly value: unknown,
    /** undefined for an empty text */
    private readonly root: YamlNode | undefined,
  ) {}

  /** The place of a value's key or list item, or of its nearest existing ancestor. */
  positionOf(path: readonly YamlStep[]): Position {
    if (!this.root) return { line: 1, column: 1 };
    const { line, column } = locateYaml(this.root, path);
    return { line, column };
  }

  /** A scalar as written: `2.0` where the value is the number 2. */
  sourceOf(path: readonly YamlStep[]): string | undefined {
    const node = this.nodeAt(path);
    return node?.kind === 'scalar' ? node.text : undefined;
  }

  /** The keys of a map that are numbers instead of texts. */
  numberKeysOf(path: readonly YamlStep[]): string[] {
    const node = this.nodeAt(path);
    const pairs = node?.kind === 'mapping' ? node.pairs : [];
    return pairs.flatMap(({ key: { value } }) => (typeof value === 'number' ? [String(value)] : []));
  }

  private nodeAt(path: readonly YamlStep[]): YamlNode | undefined {
    const located = this.root && locateYaml(this.root, path);
    return located?.found ? located.node : undefined;
  }
}
