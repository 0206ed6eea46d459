import type { Path } from '@switchyard/model';

export type ExpressionLanguage = 'yaql' | 'jinja';

export const CATEGORIES = ['content', 'context', 'expressions', 'semantics', 'syntax'] as const;
export type Category = (typeof CATEGORIES)[number];

/** One thing that is wrong with a definition. The names of the members are those of the interface. */
export interface Finding {
  readonly message: string;
  /** Such as `tasks.t1.next[0].do`; null for the definition as a whole. */
  readonly spec_path: string | null;
  /** The same place in the schema of definitions. */
  readonly schema_path: string;
  /** For findings about an expression: its language, null for a text with expressions of both. */
  readonly type?: ExpressionLanguage | null;
  readonly expression?: string;
  /** From 1; present when the definition came as a text. */
  readonly line?: number;
  readonly column?: number;
}

/** A finding before its paths are written out. */
export interface Problem {
  readonly message: string;
  readonly path: Path;
  readonly schema: Path;
  /** The exact place, where it lies deeper than the path that is reported. */
  readonly place?: Path;
  readonly type?: ExpressionLanguage | null;
  readonly expression?: string;
}
