import { fault } from '@switchyard/base';
import { MASK } from '@switchyard/model';
import { METHODS, type Method, type Route } from '../routing/route';
import type { FoundRoute } from '../routing/route-tree';

/** Path and query of a request line, not decoded. */
interface RequestTarget {
  readonly rawPath: string;
  readonly rawQuery: string;
}

export function requestTarget(url: string): RequestTarget {
  const mark = url.indexOf('?');
  return mark < 0 ? { rawPath: url, rawQuery: '' } : { rawPath: url.slice(0, mark), rawQuery: url.slice(mark + 1) };
}

/**
 * The segments of a path. The path is decoded as a whole, so an escaped slash separates segments, too. One trailing slash is
 * dropped.
 * @throws Fault `request.path`
 */
export function pathSegments(rawPath: string): string[] {
  const path = rawPath.includes('%') ? decodedPath(rawPath) : rawPath;
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  return end <= 0 ? [] : path.slice(1, end).split('/');
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw fault('request.path', { path }, { cause: error });
  }
}

/** Decoded query values by name; the last one of a name wins. It has no prototype, so that no name is special. */
export type QueryTexts = Readonly<Record<string, string>>;

const EMPTY: QueryTexts = Object.freeze(Object.create(null) as QueryTexts);

/** @throws Fault `request.query` if the query is not UTF-8 or has invalid escapes */
export function queryTexts(rawQuery: string): QueryTexts {
  if (rawQuery === '') return EMPTY;
  const texts = Object.create(null) as Record<string, string>;
  for (const pair of rawQuery.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    texts[decodedText(name, name)] = equals < 0 ? '' : decodedText(pair.slice(equals + 1), name);
  }
  return texts;
}

function decodedText(text: string, name: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (error) {
    throw fault('request.query', { name }, { cause: error });
  }
}

const SECRET = [
  'x-auth-token',
  'svc-api-key',
  'st2-api-key',
  'password',
  'auth_token',
  'token',
  'secret',
  'credentials',
  // Secret parameters of OpenID Connect and OAuth 2.
  'code',
  'svc_auth_token',
  'st2_auth_token',
];

/**
 * Masks the values of secret parameters of a query for the log.
 * @param more additional names of secret parameters, from `log.mask_secrets_blacklist`
 */
export function queryMasker(
  more: readonly string[] = [],
): (query: Readonly<Record<string, string>>) => Record<string, string> {
  const secret = new Set([...SECRET, ...more].map((name) => name.toLowerCase()));
  return (query) =>
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, secret.has(name.toLowerCase()) ? MASK : value]),
    );
}

const RECORD_ID = /^[0-9a-f]{24}$/;

/**
 * Masks the last segment of a path for the log if it may be a credential. The method of the request does not matter, because
 * requests with a wrong method are logged, too.
 * @param find returns the route of a method at this path
 */
export function maskedPath(path: string, find: (method: Method) => FoundRoute<{ route: Route }> | undefined): string {
  for (const method of METHODS) {
    const found = find(method);
    const name = found?.target.route.secretParameter;
    if (!found || name === undefined || RECORD_ID.test(found.params[name] ?? '')) continue;
    return path.replace(/\/[^/]+\/?$/, `/${MASK}`);
  }
  return path;
}

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
  // StackStorm's web console sends an empty filter for "any".
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
