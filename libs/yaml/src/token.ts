import type { Directive, WrittenTag } from './scan-properties';

export interface TextPlace {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export type YamlTokenType =
  | 'end'
  | 'directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence'
  | 'block-mapping'
  | 'block-end'
  | '['
  | ']'
  | '{'
  | '}'
  | ','
  | '-'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface YamlToken extends TextPlace {
  readonly type: YamlTokenType;
  /** Of a scalar, an alias or an anchor. */
  readonly text?: string;
  /** A scalar without quotes. */
  readonly isPlain?: boolean;
  readonly tag?: WrittenTag;
  readonly directive?: Directive;
}
