import type { TextCursor } from './cursor';
import type { YamlMapping, YamlNode, YamlPair, YamlScalar, YamlSequence } from './node';
import { type ResolvedScalar, resolveScalar, scalarOfType } from './resolve-scalar';
import type { TextPlace } from './token';

const YAML_TAG = 'tag:yaml.org,2002:';
/** The tag `!` requests the type that the text has without quotes. */
const NO_TAG = '!';

/** Builds the values of nodes, as PyYAML's safe loader does, as far as they are JSON. */
export class NodeBuilder {
  constructor(private readonly cursor: TextCursor) {}

  /** @param tag as a whole; undefined if there is none */
  scalar(place: TextPlace, text: string, isPlain: boolean, tag: string | undefined): YamlScalar {
    if (tag !== undefined && tag !== NO_TAG) return scalarNode(place, text, this.tagged(place, text, tag));
    if (tag === undefined && !isPlain) return scalarNode(place, text, text);
    const { type, value } = this.resolved(text, isPlain);
    if (typeof value === 'number' && Number.isNaN(value)) this.fail(place, `"${text}" is not a number`);
    const node = scalarNode(place, text, value);
    return type === 'merge' || type === 'value' ? { ...node, role: type } : node;
  }

  /** With the tag `!`, a number in a block scalar may end with a line break. */
  private resolved(text: string, isPlain: boolean): ResolvedScalar {
    const found = resolveScalar(text);
    if (isPlain || !text.endsWith('\n')) return found;
    const number = resolveScalar(text.slice(0, -1));
    return number.type === 'int' || number.type === 'float' ? number : found;
  }

  private tagged(place: TextPlace, text: string, tag: string): unknown {
    const found = tag.startsWith(YAML_TAG) ? scalarOfType(tag.slice(YAML_TAG.length), text) : undefined;
    if (found) return found.value;
    return this.fail(place, `the tag "${tag}" does not fit its value`);
  }

  sequence(place: TextPlace, items: readonly YamlNode[], tag: string | undefined): YamlSequence {
    const value = this.sequenceValue(place, items, tag);
    return { kind: 'sequence', line: place.line, column: place.column, items, value, size: sizeOf(items) };
  }

  private sequenceValue(place: TextPlace, items: readonly YamlNode[], tag: string | undefined): unknown[] {
    if (isTag(tag, 'seq')) return items.map((item) => this.valueOf(item));
    if (tag === `${YAML_TAG}omap` || tag === `${YAML_TAG}pairs`) return items.map((item) => this.pairValue(item));
    return this.fail(place, `the tag "${tag}" does not fit a list`);
  }

  private pairValue(item: YamlNode): unknown[] {
    const [pair, ...others] = item.kind === 'mapping' ? item.pairs : [];
    if (!pair || others.length > 0) this.fail(item, 'expected a mapping with one key');
    return [this.valueOf(pair.key), this.valueOf(pair.value)];
  }

  mapping(place: TextPlace, own: readonly YamlPair[], tag: string | undefined): YamlMapping {
    if (!isTag(tag, 'map')) this.fail(place, `the tag "${tag}" does not fit a mapping`);
    const merged = own.flatMap(({ key, value }) => (roleOf(key) === 'merge' ? this.mergedPairs(value) : []));
    const kept = own.filter(({ key }) => roleOf(key) !== 'merge');
    const value: Record<string, unknown> = {};
    for (const pair of merged) this.put(value, this.keyText(pair.key), pair.value);
    const seen = new Set<string>();
    for (const pair of kept) {
      const key = this.keyText(pair.key);
      if (seen.has(key)) this.cursor.warn('duplicate-key', `found duplicate key "${key}".`, pair.key);
      seen.add(key);
      this.put(value, key, pair.value);
    }
    const pairs = merged.length > 0 ? [...merged, ...kept] : kept;
    const size = 1 + pairs.reduce((total, pair) => total + pair.key.size + pair.value.size, 0);
    return { kind: 'mapping', line: place.line, column: place.column, pairs, value, size };
  }

  private put(target: Record<string, unknown>, key: string, node: YamlNode): void {
    const value = this.valueOf(node);
    if (key === '__proto__') {
      Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    } else target[key] = value;
  }

  /** The pairs of a mapping, or of several, of which the first takes precedence. */
  private mergedPairs(value: YamlNode): readonly YamlPair[] {
    if (value.kind === 'mapping') return value.pairs;
    const sources = value.kind === 'sequence' ? value.items : [value];
    return sources.toReversed().flatMap((source) => {
      if (source.kind !== 'mapping') return this.fail(source, 'expected a mapping, or a list of mappings, after "<<:"');
      return source.pairs;
    });
  }

  /** A key as a text, which it is in JSON. */
  private keyText(key: YamlNode): string {
    if (key.kind !== 'scalar') return this.fail(key, 'found a list or a mapping as a key');
    const { value } = key;
    if (typeof value === 'string' || typeof value === 'number') return yamlKeyText(key);
    const shown = key.text === '' ? 'with no text' : `"${key.text}"`;
    this.cursor.warn('key-not-text', `found key ${shown} that is not a text: put it in quotes.`, key);
    return yamlKeyText(key);
  }

  /** The value of a node that is not the key of a mapping. */
  valueOf(node: YamlNode): unknown {
    if (roleOf(node) !== undefined) this.fail(node, `found "${String(node.value)}", which can only be a key`);
    return node.value;
  }

  private fail(place: TextPlace, message: string): never {
    return this.cursor.fail(message, place);
  }
}

/** Does not spread objects, which would take several times the memory: a file has hundreds of scalars, and a catalogue
 * has thousands of files. */
const scalarNode = ({ line, column }: TextPlace, text: string, value: unknown): YamlScalar => ({
  kind: 'scalar',
  line,
  column,
  text,
  value,
  size: 1,
});

const roleOf = (node: YamlNode): YamlScalar['role'] => (node.kind === 'scalar' ? node.role : undefined);

const isTag = (tag: string | undefined, type: string): boolean =>
  tag === undefined || tag === NO_TAG || tag === YAML_TAG + type;

const sizeOf = (items: readonly YamlNode[]): number => items.reduce((total, { size }) => total + size, 1);

/** A scalar as the key that it is in JSON. */
export function yamlKeyText({ value, text }: Pick<YamlScalar, 'value' | 'text'>): string {
  return typeof value === 'number' && Number.isInteger(value) && text.includes('.') ? `${value}.0` : String(value);
}
