/** Expressions. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list' | 'tuple'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'attribute'; readonly target: Expression; readonly name: string }
  | { readonly kind: 'item'; readonly target: Expression; readonly key: Expression | Slice }
  | DatastoreItem
  | { readonly kind: 'call'; readonly target: Expression; readonly args: JinjaArguments }
  | FilterNode
  | TestNode
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'sign'; readonly sign: '+' | '-'; readonly operand: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'concat'; readonly items: readonly Expression[] }
  | { readonly kind: 'compare'; readonly first: Expression; readonly rest: readonly JinjaComparison[] }
  | {
      readonly kind: 'conditional';
      readonly test: Expression;
      readonly then: Expression;
      readonly otherwise: Expression | undefined;
    };

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';
export type JinjaComparison = readonly [ComparisonOperator, Expression];

export interface Slice {
  readonly kind: 'slice';
  readonly start: Expression | undefined;
  readonly stop: Expression | undefined;
  readonly step: Expression | undefined;
}

/** `st2kv.system.a.b`: the first step is the scope; the rest, joined by dots, is the item's name. */
export interface DatastoreItem {
  readonly kind: 'datastore';
  readonly root: string;
  readonly path: readonly Expression[];
  /** The same path as ordinary attributes, for contexts that define this name themselves. */
  readonly plain: Expression;
}

export interface JinjaArguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [string, Expression])[];
  /** `*rest` and `**rest`. */
  readonly spread: Expression | undefined;
  readonly spreadNamed: Expression | undefined;
}

export interface FilterNode {
  readonly kind: 'filter';
  readonly name: string;
  /** Absent in a filter block, whose content is the target. */
  readonly target: Expression | undefined;
  readonly args: JinjaArguments;
}

export interface TestNode {
  readonly kind: 'test';
  readonly name: string;
  readonly target: Expression;
  readonly args: JinjaArguments;
}

/** An assignment target: a name, several targets for the items of a sequence, or a field of a namespace. */
export type Target =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly object: string; readonly name: string }
  | { readonly kind: 'tuple'; readonly items: readonly Target[] };

export interface MacroSignature {
  readonly parameters: readonly { readonly name: string; readonly fallback: Expression | undefined }[];
}

/** Statements. */
export type Statement =
  | { readonly kind: 'data'; readonly text: string }
  | { readonly kind: 'output'; readonly value: Expression }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly test: Expression; readonly body: TemplateBody }[];
      readonly otherwise: TemplateBody;
    }
  | ForNode
  | { readonly kind: 'set'; readonly target: Target; readonly value: Expression }
  | {
      readonly kind: 'capture';
      readonly target: Target;
      readonly filter: FilterNode | undefined;
      readonly body: TemplateBody;
    }
  | { readonly kind: 'with'; readonly values: readonly (readonly [Target, Expression])[]; readonly body: TemplateBody }
  | { readonly kind: 'filterBlock'; readonly filter: FilterNode; readonly body: TemplateBody }
  | MacroNode
  | { readonly kind: 'callBlock'; readonly call: Expression; readonly caller: MacroNode }
  | { readonly kind: 'block'; readonly body: TemplateBody }
  | { readonly kind: 'load' };

export type TemplateBody = readonly Statement[];

export interface ForNode {
  readonly kind: 'for';
  readonly target: Target;
  readonly items: Expression;
  readonly test: Expression | undefined;
  readonly recursive: boolean;
  readonly body: TemplateBody;
  readonly otherwise: TemplateBody;
}

export interface MacroNode extends MacroSignature {
  readonly kind: 'macro';
  readonly name: string;
  readonly body: TemplateBody;
}
