import { badValue, serverError, ServerErrorCode, unsupported } from '../errors';
import type { ParsedFilter } from '../query/parse-filter';
import { equalValues } from '../values/compare';
import { copyDocument } from '../values/copy';
import { isDocument, type Document } from '../values/document';
import { defineField, toStored, toStoredDocument } from '../values/to-stored';
import { arrayOperators } from './array-operators';
import { fieldOperators, type FieldOperator } from './field-operators';
import { concretePaths, parseArrayFilters, type ElementFilters } from './positions';
import { mingo } from '../query/mingo';

export interface Updated {
  readonly document: Document;
  /** Top-level fields that may differ; undefined if all may. Empty if nothing differs. */
  readonly changed: ReadonlySet<string> | undefined;
}

/** Returns the new form of a document and leaves the given one unchanged. */
export type Updater = (
  document: Document,
  occasion: { readonly filter?: ParsedFilter; readonly inserting: boolean },
) => Updated;

interface Step {
  readonly operator: string;
  readonly apply: FieldOperator;
  readonly path: string;
  readonly parts: readonly string[];
  readonly operand: unknown;
}

const operators: Readonly<Record<string, FieldOperator>> = { ...fieldOperators, ...arrayOperators };

/** Parses an update with operators or a pipeline. @throws MongoServerError for malformed or unsupported updates */
export function parseUpdate(update: unknown, arrayFilters?: unknown): Updater {
  if (Array.isArray(update)) return pipelineUpdater(update as Document[]);
  if (!isDocument(update)) throw badValue('Update document requires atomic operators');
  const steps = Object.entries(update).flatMap(([operator, changes]) => parseOperator(operator, changes));
  refuseConflicts(steps);
  const elements = parseArrayFilters(arrayFilters);
  const removed = new Set(steps.filter(removesField).map(({ path }) => path));
  const others = steps.filter((step) => !removesField(step));
  const roots = new Set(others.flatMap(rootsOf));
  return (document, occasion) => {
    const { rest, found } = withoutFields(document, removed);
    return applySteps(others, copyDocument(rest, roots), { document, elements, ...occasion }, found);
  };
}

/** Whether a step removes a whole field of the document. */
const removesField = ({ operator, parts }: Step): boolean =>
  operator === '$unset' && parts.length === 1 && !(parts[0] as string).startsWith('$');

/** Copies the other fields instead of deleting some, because an object with deleted members stays slow. */
function withoutFields(
  document: Document,
  removed: ReadonlySet<string>,
): { readonly rest: Document; readonly found: readonly string[] } {
  const found = [...removed].filter((name) => Object.hasOwn(document, name) && document[name] !== undefined);
  if (found.length === 0) return { rest: document, found };
  const rest: Document = {};
  for (const name of Object.keys(document)) if (!removed.has(name)) defineField(rest, name, document[name]);
  return { rest, found };
}

function parseOperator(operator: string, changes: unknown): Step[] {
  const apply = operators[operator];
  if (!apply) {
    if (!operator.startsWith('$')) throw badValue('Update document requires atomic operators');
    throw unsupported(`the update operator "${operator}"`);
  }
  if (!isDocument(changes)) {
    throw serverError(ServerErrorCode.failedToParse, `Modifiers operate on fields but ${operator} was given no object`);
  }
  return Object.entries(changes).map(([path, operand]) => ({
    operator,
    apply,
    path,
    parts: path.split('.'),
    operand: toStored(operand),
  }));
}

/** Two changes of one update must not touch the same path. */
function refuseConflicts(steps: readonly Step[]): void {
  const paths = steps
    .flatMap(({ operator, path, operand }) => (operator === '$rename' ? [path, String(operand)] : [path]))
    .sort();
  paths.forEach((path, i) => {
    const next = paths.slice(i + 1).find((other) => other === path || other.startsWith(`${path}.`));
    if (next !== undefined) {
      throw serverError(
        ServerErrorCode.conflictingUpdateOperators,
        `Updating the path '${next}' would create a conflict at '${path}'`,
      );
    }
  });
}

/** The top-level fields that a step may change. */
const rootsOf = ({ operator, parts, operand }: Step): string[] => [
  parts[0] as string,
  ...(operator === '$rename' ? [String(operand).split('.')[0] as string] : []),
];

interface Application {
  /** The unchanged document. */
  readonly document: Document;
  readonly elements: ElementFilters;
  readonly filter?: ParsedFilter;
  readonly inserting: boolean;
}

function applySteps(
  steps: readonly Step[],
  result: Document,
  { document, elements, filter, inserting }: Application,
  removed: readonly string[],
): Updated {
  const changed = new Set<string>(removed);
  for (const step of steps) {
    const { operator, apply, parts, operand } = step;
    if (operator === '$setOnInsert' && !inserting) continue;
    for (const path of concretePaths(result, parts, filter, elements)) {
      if (apply(result, path, operand)) for (const field of rootsOf(step)) changed.add(field);
    }
  }
  if (!inserting && changed.has('_id')) refuseNewId(document, result);
  return { document: result, changed };
}

export function refuseNewId(before: Document, after: Document): void {
  if (!equalValues(before['_id'], after['_id'])) {
    throw serverError(
      ServerErrorCode.immutableField,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
}

const pipelineStages = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith']);

function pipelineUpdater(pipeline: readonly Document[]): Updater {
  for (const stage of pipeline) {
    const [name] = Object.keys(stage);
    if (!name || !pipelineStages.has(name)) throw unsupported(`the stage "${name ?? ''}" in an update`);
  }
  const aggregator = new (mingo().Aggregator)(
    pipeline.map((stage) => toStoredDocument(stage)),
    { scriptEnabled: false },
  );
  return (document) => {
    const [result] = aggregator.run<Document>([copyDocument(document)]);
    const after = { _id: document['_id'], ...withoutUndefined(result ?? {}) };
    refuseNewId(document, after);
    return { document: after, changed: equalValues(document, after) ? new Set() : undefined };
  };
}

/** Replaces the whole document and keeps its id. */
export function parseReplacement(replacement: unknown): Updater {
  if (!isDocument(replacement) && typeof replacement !== 'object') throw badValue('The replacement must be an object');
  const source = toStoredDocument(replacement as Document);
  if (Object.keys(source)[0]?.startsWith('$')) throw badValue('Replacement document must not contain atomic operators');
  return (document, { inserting }) => {
    const id = source['_id'] === undefined ? document['_id'] : source['_id'];
    const after = id === undefined ? copyDocument(source) : { _id: id, ...copyDocument(source) };
    if (!inserting) refuseNewId(document, after);
    return { document: after, changed: equalValues(document, after) ? new Set() : undefined };
  };
}

/** mingo sets undefined where an expression has no value; a server omits the field. */
function withoutUndefined(document: Document): Document {
  const entries = Object.entries(document).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, isDocument(value) ? withoutUndefined(value) : value]));
}
