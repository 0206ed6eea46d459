import { defaultDataLimits, excessText, findExcess, messageOf } from '@switchyard/base';
import { isTooDeep, pythonScalars } from '@switchyard/workflow';
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument, visit, type Document, type Node } from 'yaml';
import type { FieldPath } from './check/issue';

export interface ContentYamlProblem {
  /** From 1. */
  line: number;
  text: string;
}

/** The JSON value of a YAML text, with look-ups from a field back to the text. */
export interface YamlContent {
  /** undefined when there are problems */
  value: unknown;
  problems: ContentYamlProblem[];
  /** The line of a field, or of its nearest parent in the text. */
  lineOf(path: FieldPath): number;
  /** A scalar as it was written: `1.10` where the value is the number 1.1. */
  sourceOf(path: FieldPath): string | undefined;
}

/** Limit on alias expansion, against "billion laughs" attacks. */
const MAX_ALIASES = 100;

/** Parses one YAML document like PyYAML's safe loader, but refuses duplicate keys. */
export function readYaml(text: string): YamlContent {
  // The parser is recursive, and stack exhaustion may crash the process.
  if (isTooDeep(text)) return unreadable({ line: 1, text: 'it is nested too deeply' });
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.1',
    schema: 'failsafe',
    customTags: pythonScalars,
    merge: true,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const problems = [...document.errors, ...document.warnings]
    .map(({ pos, message }) => ({ line: lineAt(pos[0]), text: message }))
    .concat(badKeys(document, lineAt));
  return {
    ...toJson(document, problems),
    lineOf: (path) => lineAt(locate(document, path).offset),
    sourceOf: (path) => {
      const { node, found } = locate(document, path);
      return found && isScalar(node) ? node.source : undefined;
    },
  };
}

const unreadable = (problem: ContentYamlProblem): YamlContent => ({
  value: undefined,
  problems: [problem],
  lineOf: () => problem.line,
  sourceOf: () => undefined,
});

function toJson(document: Document.Parsed, problems: ContentYamlProblem[]): Pick<YamlContent, 'value' | 'problems'> {
  if (problems.length > 0) return { value: undefined, problems };
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    const excess = findExcess(value, defaultDataLimits);
    if (excess) return { value: undefined, problems: [{ line: 1, text: excessText(excess) }] };
    return { value, problems };
  } catch (error) {
    return { value: undefined, problems: [{ line: 1, text: messageOf(error) }] };
  }
}

/** Keys that are not text, such as an unquoted `on` or `yes`, would change their name. */
function badKeys(document: Document.Parsed, lineAt: (offset: number) => number): ContentYamlProblem[] {
  const problems: ContentYamlProblem[] = [];
  visit(document, {
    Pair(_, { key }) {
      const node = key as Node;
      const value = isScalar(node) ? node.value : undefined;
      if (isAlias(node) || ['string', 'number', 'symbol'].includes(typeof value)) return;
      const shown = isScalar(node) ? `"${node.source ?? ''}"` : 'A list or an object';
      problems.push({ line: lineAt(node.range?.[0] ?? 0), text: `${shown} is not a text: put keys into quotes` });
    },
  });
  return problems;
}

function locate(document: Document.Parsed, path: FieldPath): { node: unknown; offset: number; found: boolean } {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    const next: unknown = isSeq(node) ? node.items[Number(step)] : pair?.value;
    if (next === undefined) return { node, offset, found: false };
    offset = ((pair?.key ?? next) as Node | null)?.range?.[0] ?? offset;
    node = next;
  }
  return { node, offset, found: true };
}
