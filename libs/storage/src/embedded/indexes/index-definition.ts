import { badValue, serverError, ServerErrorCode, unsupported } from '../errors';
import { parseFilter, type Filter } from '../query/parse-filter';
import { isDocument, type Document } from '../values/document';
import { toStoredDocument } from '../values/to-stored';

/** What is kept of an index; the members that a server lists, and what the planner has to know. */
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
  /** The first parts of the indexed and filtered paths: a change elsewhere leaves the index alone. */
  readonly roots: ReadonlySet<string>;
  readonly partial: Filter | undefined;
  /** The documents themselves, ordered by `_id`. */
  readonly primary: boolean;
}

export function indexOf(record: IndexRecord, primary = false): Index {
  const fields = Object.entries(record.key).map(([path, direction]) => ({
    path,
    parts: path.split('.'),
    descending: direction === -1,
  }));
  const partial = record.partialFilterExpression && parseFilter(record.partialFilterExpression);
  const filtered = (partial?.conditions ?? []).map((condition) => condition.on?.path ?? '');
  const roots = new Set([...fields.map(({ path }) => path), ...filtered].map((path) => path.split('.')[0] as string));
  return { record, fields, roots, partial, primary };
}

const honoured = new Set(['name', 'unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds', 'key']);
/** Options that change nothing here: an index is built at once, and there is one version. */
const meaningless = new Set(['background', 'v', 'ns', 'maxTimeMS', 'comment', 'writeConcern', 'commitQuorum', 'w']);
const partialOperators = new Set(['$eq', '$exists', '$gt', '$gte', '$lt', '$lte', '$type', '$in']);

/** Checks what `createIndex` was given. @throws MongoServerError for kinds and options that do not exist here */
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
  for (const { on } of parseFilter(expression).conditions) {
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
