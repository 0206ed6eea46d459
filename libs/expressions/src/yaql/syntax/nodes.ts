/** The tree of an expression. `depth` is the height of a node's subtree. */
export type Node =
  | { readonly kind: 'literal'; readonly value: unknown; readonly depth: number }
  /** A bare word: a text, and the only thing that names an argument or a property. */
  | { readonly kind: 'word'; readonly value: string; readonly depth: number }
  | { readonly kind: 'variable'; readonly name: string; readonly depth: number }
  | { readonly kind: 'group'; readonly inner: Node; readonly depth: number }
  | { readonly kind: 'list' | 'map'; readonly args: YaqlArguments; readonly depth: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: YaqlArguments; readonly depth: number }
  | { readonly kind: 'index'; readonly target: Node; readonly args: YaqlArguments; readonly depth: number }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Node; readonly depth: number }
  | BinaryNode;

export interface BinaryNode {
  readonly kind: 'binary';
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
  readonly depth: number;
}

export interface MappingRule {
  readonly key: Node;
  readonly value: Node;
}

/** Undefined for an omitted argument, which takes the parameter's default. */
export interface YaqlArguments {
  readonly positional: readonly (Node | undefined)[];
  readonly rules: readonly MappingRule[];
}
