import { fault } from '@switchyard/base';
import type { QueryTexts } from './request-target';

type Value = boolean | number | string | string[];
type Reader = (text: string, name: string, parameter: QueryParameter) => Value | undefined;

/** Compiles a declaration into a function that reads the declared parameters. */
export function queryReader(declared: QueryParameters = {}): (texts: QueryTexts) => Record<string, Value | undefined> {
  const entries = Object.entries(declared);
  return (texts) => {
    const values: Record<string, Value | undefined> = {};
    for (const [name, parameter] of entries) values[name] = readParameter(texts[name], name, parameter);
    return values;
  };
}

function readParameter(text: string | undefined, name: string, parameter: QueryParameter): Value | undefined {
  const argument = parameter.argument ?? name;
  const value = text === undefined ? undefined : readers[parameter.type](text, argument, parameter);
  if (value !== undefined) return checked(value, argument, parameter);
  if (parameter.required) throw fault('request.parameter-missing', { name: argument });
  return parameter.default as Value | undefined;
}

const TRUE = new Set(['true', '1', 'yes', 'y']);
const FALSE = new Set(['false', '0', 'no', 'n']);

const readers: Readonly<Record<QueryParameter['type'], Reader>> = {
  boolean(text, name) {
    const lower = text.toLowerCase();
    if (TRUE.has(lower)) return true;
    if (FALSE.has(lower)) return false;
    throw fault('request.parameter-type', { name, type: 'boolean' });
  },
  integer(text, name) {
    if (/^-?[0-9]+$/.test(text)) return Number(text);
    throw fault('request.parameter-type', { name, type: 'integer' });
  },
  number(text, name) {
    if (/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text)) return Number(text);
    throw fault('request.parameter-type', { name, type: 'float' });
  },
  // The web console sends an empty filter for "any".
  string: (text) => (text === '' ? undefined : text),
  list: (text) => text.split(','),
};

function checked(
  value: Value,
  name: string,
  { enum: choices, minimum, maximum, maximumLength }: QueryParameter,
): Value {
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) throw fault('request.parameter-minimum', { name, minimum, value });
    if (maximum !== undefined && value > maximum) throw fault('request.parameter-maximum', { name, maximum, value });
  } else if (typeof value !== 'boolean') {
    if (maximumLength !== undefined && value.length > maximumLength) {
      throw fault('request.parameter-length', { name, maximum: maximumLength });
    }
    const wrong = choices && [value].flat().find((item) => !choices.includes(item));
    if (wrong !== undefined) {
      throw fault('request.parameter-choice', { name, choices: (choices ?? []).join(', '), value: wrong });
    }
  }
  return value;
}

/** The declaration of a query parameter. Undeclared parameters are ignored, as clients expect. */
export interface QueryParameter {
  readonly type: 'boolean' | 'integer' | 'number' | 'string' | 'list';
  readonly description?: string;
  /** Requests without it fail with status 400. */
  readonly required?: boolean;
  /** The value if the parameter is absent. */
  readonly default?: boolean | number | string | readonly string[];
  /** The allowed strings. Others fail with status 400. */
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Maximum length of a string, or number of items in a list. */
  readonly maximumLength?: number;
  /** The name in error messages, if clients know a different one. */
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

/** A parameter is always present if it is required or has a default. */
type Presence<P extends QueryParameter> = P extends { required: true } | { default: unknown } ? never : undefined;

/** The types of the values: `{limit: {type: 'integer'}}` becomes `{limit: number | undefined}`. */
export type QueryValues<Q extends QueryParameters> = {
  readonly [K in keyof Q]: ValueOf[Q[K]['type']] | Presence<Q[K]>;
};
