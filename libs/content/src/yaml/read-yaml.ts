import { defaultDataLimits, excessText, findExcess, messageOf } from '@switchyard/base';
import { isTooDeep } from '@switchyard/workflow';
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument, visit, type Document, type Node } from 'yaml';
import type { FieldPath } from '../check/issue';
import { pythonScalars } from './python-scalars';

export interface YamlProblem {
  /** From 1. */
  line: number;
  text: string;
}

/** A YAML text as JSON values, with the way back from a field to its place in the text. */
export interface YamlContent {
  /** undefined when there are problems */
  value: unknown;
  problems: YamlProblem[];
  /** The line of a field, or of the nearest thing around it that stands in the text. */
  lineOf(path: FieldPath): number;
  /** A scalar as it was written: `1.10` where the value is the number 1.1. */
  sourceOf(path: FieldPath): string | undefined;
}

/** As many times as aliases may repeat what they stand for; more is a bomb. */
const MAX_ALIASES = 100;

/** Reads one YAML document as PyYAML's safe loader does, but for keys that are given twice: these are refused. */
export function readYaml(text: string): YamlContent {
  // The parser is recursive, and an exhausted stack may end the process.
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

const unreadable = (problem: YamlProblem): YamlContent => ({
  value: undefined,
  problems: [problem],
  lineOf: () => problem.line,
  sourceOf: () => undefined,
});

function toJson(document: Document.Parsed, problems: YamlProblem[]): Pick<YamlContent, 'value' | 'problems'> {
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

/** Keys that are no texts, such as an unquoted `on` or `yes`, would come out under another name. */
function badKeys(document: Document.Parsed, lineAt: (offset: number) => number): YamlProblem[] {
  const problems: YamlProblem[] = [];
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
