/** What a query parameter may look like. Parameters that a route does not declare are ignored, as clients expect. */
export interface QueryParameter {
  readonly type: 'boolean' | 'integer' | 'number' | 'string' | 'list';
  readonly description?: string;
  /** A missing one is a 400. */
  readonly required?: boolean;
  /** The value when it is absent. */
  readonly default?: boolean | number | string | readonly string[];
  /** Closed list of texts; anything else is a 400. */
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Longest text, or most items of a list. */
  readonly maximumLength?: number;
  /** The name in error messages, where clients know another one than the parameter's own. */
  readonly argument?: string;
}

export type QueryParameters = Readonly<Record<string, QueryParameter>>;

interface ValueOf {
  boolean: boolean;
  integer: number;
  number: number;
  string: string;
  list: string[];
}

/** Present for sure when it is required or has a default. */
type Presence<P extends QueryParameter> = P extends { required: true } | { default: unknown } ? never : undefined;

/** The coerced values of a declaration: `{limit: {type: 'integer'}}` becomes `{limit: number | undefined}`. */
export type QueryValues<Q extends QueryParameters> = {
  readonly [K in keyof Q]: ValueOf[Q[K]['type']] | Presence<Q[K]>;
};
