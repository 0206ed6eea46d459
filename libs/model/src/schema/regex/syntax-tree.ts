/** A parsed pattern. Leaves contain their JavaScript source (for the flag `v`), so that printing is a simple walk. */
export type PatternNode =
  /** Exactly one character: a literal, a class, the dot. */
  | { readonly kind: 'one'; readonly js: string }
  /** Matches no character: an anchor or a word boundary. */
  | { readonly kind: 'zero'; readonly js: string }
  | { readonly kind: 'backreference'; readonly js: string }
  | { readonly kind: 'group'; readonly open: string; readonly body: PatternNode }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

/** The JavaScript source of a pattern. */
export function printPattern(node: PatternNode): string {
  switch (node.kind) {
    case 'one':
    case 'zero':
    case 'backreference':
      return node.js;
    case 'group':
      return `${node.open}${printPattern(node.body)})`;
    case 'choice':
      return node.options.map(printPattern).join('|');
    case 'sequence':
      return node.items.map(printPattern).join('');
    case 'repeat':
      return printPattern(node.body) + quantifier(node.min, node.max) + (node.lazy ? '?' : '');
  }
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
