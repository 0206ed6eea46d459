import { badValue } from '../errors';
import { parseQuery, type ParsedFilter } from '../query/parse-filter';
import { isDocument, type Document } from '../values/document';
import { valueAt, visitPath } from '../values/paths';

/** The filters of `arrayFilters`, by the name at the start of their paths. */
export type ElementFilters = ReadonlyMap<string, ParsedFilter>;

export function parseArrayFilters(sources: unknown): ElementFilters {
  if (sources === undefined || sources === null) return new Map();
  if (!Array.isArray(sources)) throw badValue('arrayFilters must be an array');
  return new Map(
    sources.map((source: unknown) => {
      const name = isDocument(source) && Object.keys(source)[0]?.split('.')[0];
      if (!name) throw badValue('each of arrayFilters must be an object with one name');
      return [name, parseQuery(source)] as const;
    }),
  );
}

/** Replaces `$`, `$[]` and `$[name]` in a path by the matching element numbers of a document. */
export function concretePaths(
  document: Document,
  parts: readonly string[],
  filter: ParsedFilter | undefined,
  elements: ElementFilters,
): readonly (readonly string[])[] {
  const at = parts.findIndex((part) => part.startsWith('$'));
  if (at < 0) return [parts];
  const [head, part, tail] = [parts.slice(0, at), parts[at] as string, parts.slice(at + 1)];
  const items = valueAt(document, head);
  if (!Array.isArray(items))
    throw badValue(`The path '${head.join('.')}' must exist and be an array to apply array updates`);
  return positionsOf(part, items, head, filter, elements).flatMap((position) =>
    concretePaths(document, [...head, String(position), ...tail], filter, elements),
  );
}

function positionsOf(
  part: string,
  items: readonly unknown[],
  head: readonly string[],
  filter: ParsedFilter | undefined,
  elements: ElementFilters,
): number[] {
  if (part === '$') return [matchedPosition(items, head, filter)];
  if (part === '$[]') return items.map((_, i) => i);
  const name = /^\$\[(\w+)\]$/.exec(part)?.[1];
  const wanted = name === undefined ? undefined : elements.get(name);
  if (name === undefined || !wanted) throw badValue(`No array filter found for identifier '${name ?? part}'`);
  return items.flatMap((item, i) => (wanted.matches({ [name]: item }) ? [i] : []));
}

/** The first element that satisfies a condition of the query on that array. */
function matchedPosition(items: readonly unknown[], head: readonly string[], filter: ParsedFilter | undefined): number {
  const path = head.join('.');
  for (const { on } of filter?.conditions ?? []) {
    if (!on || on.negative || (on.path !== path && !on.path.startsWith(`${path}.`))) continue;
    const rest = on.parts.slice(head.length);
    const position = items.findIndex((item) =>
      visitPath(item, rest, (leaf) => on.fits(rest.length === 0 ? [leaf] : leaf)),
    );
    if (position >= 0) return position;
  }
  throw badValue('The positional operator did not find the match needed from the query.');
}
