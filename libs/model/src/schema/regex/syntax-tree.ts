/** A parsed pattern. Leaves contain their JavaScript source (for the flag `v`), so that printing is a simple walk. */
export type PatternNode =
  /** Exactly one character: a literal, a class, the dot. */
  | { readonly kind: 'one'; readonly js: string }
  /** Matches no character: an anchor or a word boundary. */
  | { readonly kind: 'zero'; readonly js: string }
  | { readonly kind: 'backreference'; readonly group: number }
  /** A group that captures has a number, counted as in Python. */
  | { readonly kind: 'group'; readonly open: string; readonly number?: number; readonly body: PatternNode }
  /** What it has matched once stays as it is. */
  | { readonly kind: 'atomic'; readonly body: PatternNode }
  /** `yes` if the group has taken part in the match, otherwise `no`. */
  | { readonly kind: 'conditional'; readonly group: number; readonly yes: PatternNode; readonly no: PatternNode }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

export const isLook = (node: PatternNode): boolean => node.kind === 'group' && /^\(\?<?[=!]$/.test(node.open);

/** The least number of characters that a node matches; never too high. */
export function leastWidth(node: PatternNode): number {
  switch (node.kind) {
    case 'one':
      return 1;
    case 'zero':
    case 'backreference':
      return 0;
    case 'group':
      return isLook(node) ? 0 : leastWidth(node.body);
    case 'atomic':
      return leastWidth(node.body);
    case 'conditional':
      return Math.min(leastWidth(node.yes), leastWidth(node.no));
    case 'choice':
      return Math.min(...node.options.map(leastWidth));
    case 'sequence':
      return node.items.reduce((sum, item) => sum + leastWidth(item), 0);
    case 'repeat':
      return node.min * leastWidth(node.body);
  }
}
