import { NodeBuilder } from './construct';
import type { TextCursor } from './cursor';
import type { YamlNode, YamlPair } from './node';
import type { WrittenTag } from './scan-properties';
import { YamlScanner } from './scanner';
import type { TextPlace, YamlToken, YamlTokenType } from './token';

/** Levels of lists and mappings; no real file comes close. */
const MOST_NESTED = 500;
/** The number of nodes that aliases may repeat; more indicates an attack. */
const MOST_REPEATED = 100_000;

const STANDARD_HANDLES: readonly (readonly [handle: string, prefix: string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

/** Builds the nodes of the only document of a text. */
export class YamlParser {
  private readonly scanner: YamlScanner;
  private readonly constructed: NodeBuilder;
  private readonly anchors = new Map<string, YamlNode | 'open'>();
  private handles = new Map(STANDARD_HANDLES);
  private depth = 0;
  private repeated = 0;

  constructor(private readonly cursor: TextCursor) {
    this.scanner = new YamlScanner(cursor);
    this.constructed = new NodeBuilder(cursor);
  }

  /** @returns undefined for a text without a document */
  document(): YamlNode | undefined {
    if (this.is('end')) return undefined;
    const root = this.startDocument() ? this.empty() : this.node('block');
    // Continues parsing, to find problems after the document.
    this.constructed.valueOf(root);
    while (this.is('document-end')) this.scanner.next();
    if (!this.is('end')) this.failAt(this.scanner.peek(), 'expected the end of the only document');
    return root;
  }

  /** Skips the markers before a document. @returns whether it is empty despite a marker */
  private startDocument(): boolean {
    if (!this.is('directive', 'document-start')) return false;
    const first = this.scanner.peek();
    this.handles = this.directives();
    if (!this.is('document-start')) this.failAt(first, 'expected the start of a document ("---")');
    this.scanner.next();
    return this.is('directive', 'document-start', 'document-end', 'end');
  }

  private directives(): Map<string, string> {
    const handles = new Map<string, string>();
    let hasVersion = false;
    while (this.is('directive')) {
      const { directive, line, column } = this.scanner.next();
      if (directive?.name === 'YAML') {
        if (hasVersion) this.failAt({ line, column }, 'found a second %YAML directive');
        if (directive.major !== 1) this.failAt({ line, column }, 'expected version 1 of YAML');
        hasVersion = true;
      } else if (directive?.name === 'TAG') {
        if (handles.has(directive.handle)) this.failAt({ line, column }, `found a second handle "${directive.handle}"`);
        handles.set(directive.handle, directive.prefix);
      }
    }
    return new Map([...STANDARD_HANDLES, ...handles]);
  }

  /** @param where `indentless` for the value of a block mapping, whose list need not be indented */
  private node(where: 'block' | 'indentless' | 'flow'): YamlNode {
    if (this.is('alias')) return this.alias();
    const properties = this.properties();
    const { anchor, place } = properties;
    if (anchor !== undefined) this.openAnchor(anchor, place);
    const node = this.content(where, properties);
    if (anchor !== undefined) this.anchors.set(anchor, node);
    return node;
  }

  private alias(): YamlNode {
    const { text = '', ...place } = this.scanner.next();
    const node = this.anchors.get(text);
    if (node === undefined) this.failAt(place, `found the alias "*${text}" without an anchor "&${text}"`);
    if (node === 'open') this.failAt(place, `found the alias "*${text}" inside the value that it refers to`);
    this.repeated += node.size;
    if (this.repeated > MOST_REPEATED) this.failAt(place, `aliases repeat more than ${MOST_REPEATED} values`);
    return node;
  }

  private openAnchor(anchor: string, place: TextPlace): void {
    if (this.anchors.has(anchor)) this.failAt(place, `found a second anchor "&${anchor}"`);
    this.anchors.set(anchor, 'open');
  }

  private properties(): Properties {
    const place = this.scanner.peek();
    let anchor: string | undefined;
    let tag: string | undefined;
    if (this.is('anchor')) anchor = this.scanner.next().text;
    if (this.is('tag')) tag = this.tagOf(this.scanner.next());
    if (anchor === undefined && this.is('anchor')) anchor = this.scanner.next().text;
    return { anchor, tag, place };
  }

  private tagOf(token: YamlToken): string {
    const { handle, suffix } = token.tag as WrittenTag;
    if (handle === undefined) return suffix;
    const prefix = this.handles.get(handle);
    if (prefix === undefined) this.failAt(token, `found a tag with the unknown handle "${handle}"`);
    return prefix + suffix;
  }

  private content(where: 'block' | 'indentless' | 'flow', { anchor, tag, place }: Properties): YamlNode {
    const token = this.scanner.peek();
    const isBlock = where !== 'flow';
    switch (token.type) {
      case 'scalar':
        this.scanner.next();
        return this.constructed.scalar(place, token.text as string, token.isPlain === true, tag);
      case '[':
        return this.nested(() => this.constructed.sequence(place, this.flowItems(), tag));
      case '{':
        return this.nested(() => this.constructed.mapping(place, this.flowPairs(), tag));
      case 'block-sequence':
        if (isBlock) return this.nested(() => this.constructed.sequence(place, this.blockItems(), tag));
        break;
      case 'block-mapping':
        if (isBlock) return this.nested(() => this.constructed.mapping(place, this.blockPairs(), tag));
        break;
      case '-':
        if (where === 'indentless') {
          return this.nested(() => this.constructed.sequence(place, this.indentlessItems(), tag));
        }
    }
    if (anchor !== undefined || tag !== undefined) return this.constructed.scalar(place, '', true, tag);
    return this.unexpected('a value');
  }

  private nested(build: () => YamlNode): YamlNode {
    if (this.depth >= MOST_NESTED) this.failAt(this.scanner.peek(), 'it is nested too deeply');
    this.depth++;
    const node = build();
    this.depth--;
    return node;
  }

  private empty(place: TextPlace = this.scanner.peek()): YamlNode {
    return this.constructed.scalar(place, '', true, undefined);
  }

  private blockItems(): YamlNode[] {
    this.scanner.next();
    const items: YamlNode[] = [];
    while (this.is('-')) {
      const dash = this.scanner.next();
      items.push(this.is('-', 'block-end') ? this.empty(dash) : this.node('block'));
    }
    this.expect('block-end', 'another "-" at the same indentation, or the end of the list');
    return items;
  }

  private indentlessItems(): YamlNode[] {
    const items: YamlNode[] = [];
    while (this.is('-')) {
      const dash = this.scanner.next();
      items.push(this.is('-', 'key', 'value', 'block-end') ? this.empty(dash) : this.node('block'));
    }
    return items;
  }

  private blockPairs(): YamlPair[] {
    this.scanner.next();
    const pairs: YamlPair[] = [];
    while (this.is('key')) {
      const key = this.blockPart('key');
      pairs.push({ key, value: this.blockPart('value') });
    }
    this.expect('block-end', 'another key at the same indentation, or the end of the mapping');
    return pairs;
  }

  private blockPart(type: 'key' | 'value'): YamlNode {
    if (!this.is(type)) return this.empty();
    const mark = this.scanner.next();
    return this.is('key', 'value', 'block-end') ? this.empty(mark) : this.node('indentless');
  }

  private flowItems(): YamlNode[] {
    this.scanner.next();
    const items: YamlNode[] = [];
    while (!this.is(']')) {
      if (items.length > 0) this.expect(',', '"," or "]"');
      if (this.is('key')) items.push(this.singlePair());
      else if (!this.is(']')) items.push(this.node('flow'));
    }
    this.scanner.next();
    return items;
  }

  /** `[key: value]` is a list with a mapping. */
  private singlePair(): YamlNode {
    const place = this.scanner.peek();
    return this.nested(() => {
      const key = this.flowPart('key', ']');
      return this.constructed.mapping(place, [{ key, value: this.flowPart('value', ']') }], undefined);
    });
  }

  private flowPairs(): YamlPair[] {
    this.scanner.next();
    const pairs: YamlPair[] = [];
    while (!this.is('}')) {
      if (pairs.length > 0) this.expect(',', '"," or "}"');
      if (this.is('key')) {
        const key = this.flowPart('key', '}');
        pairs.push({ key, value: this.flowPart('value', '}') });
      } else if (!this.is('}')) pairs.push({ key: this.node('flow'), value: this.empty() });
    }
    this.scanner.next();
    return pairs;
  }

  private flowPart(type: 'key' | 'value', close: ']' | '}'): YamlNode {
    if (!this.is(type)) return this.empty();
    const mark = this.scanner.next();
    const isEmpty = type === 'key' ? this.is('value', ',', close) : this.is(',', close);
    return isEmpty ? this.empty(mark) : this.node('flow');
  }

  private is(...types: YamlTokenType[]): boolean {
    return types.includes(this.scanner.peek().type);
  }

  private expect(type: YamlTokenType, expected: string): void {
    if (!this.is(type)) this.unexpected(expected);
    this.scanner.next();
  }

  private unexpected(expected: string): never {
    return this.failAt(this.scanner.peek(), `expected ${expected}`);
  }

  private failAt(place: TextPlace, message: string): never {
    return this.cursor.fail(message, place);
  }
}

interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
  /** Where the node starts. */
  readonly place: TextPlace;
}
