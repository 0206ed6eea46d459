import { isDamaged } from '../../bson/read-document';
import { badValue, unsupported } from '../errors';
import { copyDocument, copyValue } from '../values/copy';
import { isDocument, type Document } from '../values/document';
import { defineField } from '../values/to-stored';
import { elementTest } from './parse-filter';
import { mingo } from './mingo';

/** Builds a new document with the requested fields of a stored one. */
export type Projector = (document: Document) => Document;

type Tree = Map<string, Tree | true>;

/**
 * Parses a `find` projection: inclusion or exclusion, `$slice`, `$elemMatch`, and expressions. A damaged document is returned
 * whole, because projections cannot name the reason for its damage.
 */
export function parseProjection(projection: Document | undefined): Projector {
  const project = projectorOf(projection);
  return (document) => (isDamaged(document) ? copyDocument(document) : project(document));
}

function projectorOf(projection: Document | undefined): Projector {
  const entries = Object.entries(projection ?? {});
  if (entries.length === 0) return copyDocument;
  if (entries.some(([path]) => path.endsWith('.$'))) throw unsupported('the positional projection "$"');
  const special = entries.filter(([, value]) => isDocument(value));
  if (special.some(([, value]) => !isArrayProjection(value))) return expressionProjector(projection as Document);
  return plainProjector(
    entries.filter(([, value]) => !isDocument(value)),
    special as [string, Document][],
  );
}

const isArrayProjection = (value: unknown): boolean =>
  isDocument(value) && ('$slice' in value || '$elemMatch' in value);

/** mingo's `$project` computes fields. */
function expressionProjector(projection: Document): Projector {
  const aggregator = new (mingo().Aggregator)([{ $project: projection }], { scriptEnabled: false });
  return (document) => aggregator.run<Document>([copyDocument(document)])[0] ?? {};
}

function plainProjector(entries: readonly [string, unknown][], special: readonly [string, Document][]): Projector {
  const others = entries.filter(([path]) => path !== '_id');
  const including = others.some(([, value]) => Boolean(value)) || special.some(([, value]) => '$elemMatch' in value);
  if (including && others.some(([, value]) => !value)) {
    throw badValue('Cannot do exclusion on a field in an inclusion projection');
  }
  const id = entries.find(([path]) => path === '_id')?.[1];
  const onlyId = others.length === 0 && special.length === 0 && Boolean(id);
  const project =
    including || onlyId
      ? inclusion(
          [...others, ...special].map(([path]) => path),
          id === undefined || Boolean(id),
        )
      : exclusion([...others.map(([path]) => path), ...(id !== undefined && !id ? ['_id'] : [])]);
  if (special.length === 0) return project;
  return (document) => special.reduce((result, [path, value]) => projectArray(result, path, value), project(document));
}

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    const parts = path.split('.');
    let tree = root;
    parts.forEach((part, i) => {
      const next = tree.get(part);
      if (i === parts.length - 1) tree.set(part, true);
      else if (next instanceof Map) tree = next;
      else tree.set(part, (tree = new Map() as Tree));
    });
  }
  return root;
}

function inclusion(paths: readonly string[], withId: boolean): Projector {
  const tree = treeOf(withId ? ['_id', ...paths] : paths);
  return (document) => included(document, tree);
}

function included(document: Document, tree: Tree): Document {
  const result: Document = {};
  for (const key of Object.keys(document)) {
    const wanted = tree.get(key);
    if (wanted === undefined) continue;
    const value = wanted === true ? copyValue(document[key]) : includedValue(document[key], wanted);
    if (value !== undefined) defineField(result, key, value);
  }
  return result;
}

/** Inside arrays, the projection applies to each object and drops values without fields. */
function includedValue(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item) => includedValue(item, tree)).filter((item) => item !== undefined);
  return isDocument(value) ? included(value, tree) : undefined;
}

function exclusion(paths: readonly string[]): Projector {
  const tree = treeOf(paths);
  return (document) => excluded(document, tree);
}

function excluded(document: Document, tree: Tree): Document {
  const result: Document = {};
  for (const key of Object.keys(document)) {
    const unwanted = tree.get(key);
    if (unwanted === true) continue;
    defineField(result, key, unwanted ? excludedValue(document[key], unwanted) : copyValue(document[key]));
  }
  return result;
}

function excludedValue(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item) => excludedValue(item, tree));
  return isDocument(value) ? excluded(value, tree) : copyValue(value);
}

function projectArray(document: Document, path: string, operators: Document): Document {
  const parts = path.split('.');
  const last = parts.pop() as string;
  let owner: unknown = document;
  for (const part of parts) owner = isDocument(owner) ? owner[part] : undefined;
  if (!isDocument(owner) || !Array.isArray(owner[last])) {
    if (isDocument(owner) && '$elemMatch' in operators) delete owner[last];
    return document;
  }
  const items = owner[last] as unknown[];
  if ('$slice' in operators) {
    owner[last] = sliced(items, operators['$slice']);
    return document;
  }
  const found = items.find(elementTest(operators['$elemMatch']));
  if (found === undefined) delete owner[last];
  else owner[last] = [found];
  return document;
}

function sliced(items: readonly unknown[], operand: unknown): unknown[] {
  if (typeof operand === 'number') return operand < 0 ? items.slice(operand) : items.slice(0, operand);
  if (!Array.isArray(operand) || operand.length !== 2) throw badValue('$slice needs a number or two');
  const [skip, limit] = operand as [number, number];
  const from = skip < 0 ? Math.max(0, items.length + skip) : skip;
  return items.slice(from, from + limit);
}
