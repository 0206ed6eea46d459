import { badValue, serverError, ServerErrorCode, unsupported } from '../errors';
import { parseQuery, type ParsedFilter } from '../query/parse-filter';
import { isDocument, type Document } from '../values/document';
import { toStoredDocument } from '../values/to-stored';

/** A stored index definition: the members that a server lists, and those that the planner needs. */
export interface IndexRecord {
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly space: number;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly partialFilterExpression?: Document;
  expireAfterSeconds?: number;
  /** Paths at which some document has or had an array. */
  multikeyPaths: string[];
  /** False once an entry could not hold its value exactly, see `KeyWriter`. */
  exact: boolean;
}

export interface IndexField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly descending: boolean;
}

/** An index in use. */
export interface Index {
  readonly record: IndexRecord;
  readonly fields: readonly IndexField[];
  /** The indexed and filtered paths, in parts. Changes elsewhere do not affect the index. */
  readonly paths: readonly (readonly string[])[];
  readonly partial: ParsedFilter | undefined;
  /** The documents themselves, ordered by `_id`. */
  readonly primary: boolean;
}

export function indexOf(record: IndexRecord, primary = false): Index {
  const fields = Object.entries(record.key).map(([path, direction]) => ({
    path,
    parts: path.split('.'),
    descending: direction === -1,
  }));
  const partial = record.partialFilterExpression && parseQuery(record.partialFilterExpression);
  const filtered = (partial?.conditions ?? []).map((condition) => condition.on?.path ?? '');
  const paths = [...new Set([...fields.map(({ path }) => path), ...filtered])].map((path) => path.split('.'));
  return { record, fields, paths, partial, primary };
}

const honoured = new Set(['name', 'unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds', 'key']);
/** Ignored options: an index is built immediately, and there is only one version. */
const meaningless = new Set(['background', 'v', 'ns', 'maxTimeMS', 'comment', 'writeConcern', 'commitQuorum', 'w']);
const partialOperators = new Set(['$eq', '$exists', '$gt', '$gte', '$lt', '$lte', '$type', '$in']);

/** Validates the arguments of `createIndex`. @throws MongoServerError for unsupported kinds and options */
export function parseIndexSpec(spec: unknown, options: Document, space: number): IndexRecord {
  const key = parseKey(spec);
  for (const [option, value] of Object.entries(options)) {
    const known = honoured.has(option) || meaningless.has(option);
    if (!known && value !== undefined && value !== null && value !== false)
      throw unsupported(`the index option "${option}"`);
  }
  const name = Object.entries(key).flat().join('_');
  const { unique, sparse, partialFilterExpression, expireAfterSeconds } = options;
  if (expireAfterSeconds !== undefined) checkExpiry(key, expireAfterSeconds);
  if (partialFilterExpression !== undefined) checkPartial(partialFilterExpression, sparse);
  return {
    name: typeof options['name'] === 'string' ? options['name'] : name,
    key,
    space,
    ...(unique ? { unique: true } : {}),
    ...(sparse ? { sparse: true } : {}),
    ...(partialFilterExpression
      ? { partialFilterExpression: toStoredDocument(partialFilterExpression as Document) }
      : {}),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds: expireAfterSeconds as number }),
    multikeyPaths: [],
    exact: true,
  };
}

function parseKey(spec: unknown): Record<string, 1 | -1> {
  const entries = keyEntries(spec);
  if (entries.length === 0) throw badValue('Index keys cannot be an empty object');
  return Object.fromEntries(
    entries.map(([path, direction]) => {
      if (typeof direction === 'string') throw unsupported(`the index type "${direction}"`);
      if (path === '' || path.includes('$**')) throw unsupported(`an index on "${path}"`);
      if (typeof direction !== 'number' || direction === 0) throw badValue(`bad index direction ${String(direction)}`);
      return [path, direction > 0 ? 1 : -1] as const;
    }),
  );
}

function keyEntries(spec: unknown): [string, unknown][] {
  if (typeof spec === 'string') return [[spec, 1]];
  if (spec instanceof Map) return [...(spec as Map<string, unknown>)];
  if (Array.isArray(spec)) return spec.flatMap(keyEntries);
  if (typeof spec !== 'object' || spec === null) throw badValue('Index keys must be an object');
  return Object.entries(spec);
}

function checkExpiry(key: object, seconds: unknown): void {
  if (typeof seconds !== 'number' || seconds < 0)
    throw badValue('TTL index expireAfterSeconds must be a number from 0');
  if (Object.keys(key).length > 1) {
    throw serverError(ServerErrorCode.invalidOptions, 'TTL indexes are single-field indexes');
  }
}

function checkPartial(expression: unknown, sparse: unknown): void {
  if (!isDocument(expression)) throw badValue('partialFilterExpression must be an object');
  if (sparse)
    throw serverError(ServerErrorCode.invalidOptions, 'cannot mix "partialFilterExpression" and "sparse" options');
  for (const { on } of parseQuery(expression).conditions) {
    if (!on || !partialOperators.has(on.operator) || on.negative) {
      throw unsupported(`"${on?.operator ?? 'this operator'}" in a partialFilterExpression`);
    }
  }
}

/** What `listIndexes` shows. */
export function describeIndex({
  name,
  key,
  unique,
  sparse,
  partialFilterExpression,
  expireAfterSeconds,
}: IndexRecord): Document {
  return {
    v: 2,
    key: { ...key },
    name,
    ...(unique ? { unique } : {}),
    ...(sparse ? { sparse } : {}),
    ...(partialFilterExpression ? { partialFilterExpression } : {}),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
  };
}
