import { analyseText } from './analyse-text';
import { needsQuotes } from './resolve-scalar';
import { YamlWriter } from './yaml-writer';

/** What YAML can contain; `plain` is the text of null, a boolean or a number. */
export type PrintableYaml =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly PrintableYaml[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: PrintableYaml, value: PrintableYaml])[] };

export interface YamlLayout {
  /** 2 to 9; anything else means 2. */
  readonly indent: number;
  /** Whether characters beyond ASCII are written as they are. */
  readonly unicode: boolean;
}

/** Writes a value in block style, exactly as PyYAML does with libyaml. */
export function printYaml(value: PrintableYaml, { indent, unicode }: YamlLayout): string {
  const printer = new YamlPrinter(new YamlWriter(), indent >= 2 && indent <= 9 ? indent : 2, unicode);
  return printer.document(value);
}

type Context = 'root' | 'list' | 'value' | 'key';

/** Keys that are longer, or that have several lines, are written after a `?`. */
const LONGEST_KEY = 128;

class YamlPrinter {
  private indent = -1;

  constructor(
    private readonly writer: YamlWriter,
    private readonly step: number,
    private readonly unicode: boolean,
  ) {}

  document(value: PrintableYaml): string {
    this.node(value, 'root');
    return `${this.writer.text}\n`;
  }

  private node(value: PrintableYaml, context: Context): void {
    switch (value.kind) {
      case 'plain':
      case 'text':
        this.scalar(value, context);
        return;
      case 'list':
        if (value.items.length === 0) this.writer.indicator('[]');
        else this.nested(context === 'value' && !this.writer.onlyIndented, () => this.list(value.items));
        return;
      case 'map':
        if (value.entries.length === 0) this.writer.indicator('{}');
        else this.nested(false, () => this.map(value.entries));
        return;
    }
  }

  /** @param sameLevel a list in a map is not indented */
  private nested(sameLevel: boolean, print: () => void): void {
    const outer = this.indent;
    this.indent = outer < 0 ? 0 : sameLevel ? outer : outer + this.step;
    print();
    this.indent = outer;
  }

  private list(items: readonly PrintableYaml[]): void {
    for (const item of items) {
      this.writer.startLine(this.indent);
      this.writer.indicator('-', true);
      this.node(item, 'list');
    }
  }

  private map(entries: Extract<PrintableYaml, { kind: 'map' }>['entries']): void {
    for (const [key, value] of entries) {
      this.writer.startLine(this.indent);
      if (isSimpleKey(key)) {
        this.node(key, 'key');
        this.writer.indicator(':', false, false);
        this.node(value, 'value');
      } else {
        this.writer.indicator('?', true);
        this.node(key, 'value');
        this.writer.startLine(this.indent);
        this.writer.indicator(':', true);
        this.node(value, 'value');
      }
    }
  }

  private scalar({ kind, text }: Extract<PrintableYaml, { text: string }>, context: Context): void {
    const { plain, singleQuoted } = analyseText(text, this.unicode);
    // Further lines are indented one step more than the collection.
    const indent = Math.max(this.indent, 0) + this.step;
    const layout = { indent, folds: context !== 'key' };
    const isBare = plain && !(text === '' && context === 'key') && (kind === 'plain' || !needsQuotes(text));
    if (isBare) this.writer.plain(text, layout);
    else if (singleQuoted) this.writer.singleQuoted(text, layout);
    else this.writer.doubleQuoted(text, layout, this.unicode);
  }
}

function isSimpleKey(key: PrintableYaml): boolean {
  if (key.kind === 'list') return key.items.length === 0;
  if (key.kind === 'map') return key.entries.length === 0;
  return !/[\n\r\x85\u2028\u2029]/.test(key.text) && Buffer.byteLength(key.text) <= LONGEST_KEY;
}
