import { defaultDataLimits, excessText, findExcess } from '@switchyard/base';
import { loadYaml, locateYaml, YamlError, type YamlDocument } from '@switchyard/yaml';
import type { FieldPath } from './check/issue';

export interface ContentYamlProblem {
  /** From 1. */
  line: number;
  text: string;
}

/** The JSON value of a YAML text, with look-ups from a field back to the text. */
export interface YamlContent {
  /** Undefined when there are problems. */
  value: unknown;
  problems: ContentYamlProblem[];
  /** Parts that were read but may be mistakes, such as a duplicate key. */
  warnings: ContentYamlProblem[];
  /** The line of a field, or of its nearest parent in the text. */
  lineOf(path: FieldPath): number;
  /** A scalar as it was written: `1.10` where the value is the number 1.1. */
  sourceOf(path: FieldPath): string | undefined;
}

/** Parses one YAML document like PyYAML's safe loader, but refuses keys that are not texts. */
export function readYaml(text: string): YamlContent {
  let document: YamlDocument;
  try {
    document = loadYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return unreadable([{ line: error.line, text: error.message }]);
  }
  const { value, root, warnings } = document;
  // Keys that are not text, such as an unquoted `on` or `yes`, would change their name.
  const badKeys = warnings.filter(({ kind }) => kind === 'key-not-text');
  if (badKeys.length > 0) return unreadable(badKeys);
  const excess = findExcess(value, defaultDataLimits);
  if (excess) return unreadable([{ line: 1, text: excessText(excess) }]);
  const locate = (path: FieldPath) => root && locateYaml(root, path);
  return {
    value,
    problems: [],
    warnings: warnings.map(asProblem),
    lineOf: (path) => locate(path)?.line ?? 1,
    sourceOf: (path) => {
      const located = locate(path);
      return located?.found && located.node.kind === 'scalar' ? located.node.text : undefined;
    },
  };
}

const asProblem = ({ line, text }: ContentYamlProblem): ContentYamlProblem => ({ line, text });

const unreadable = (problems: readonly ContentYamlProblem[]): YamlContent => ({
  value: undefined,
  problems: problems.map(asProblem),
  warnings: [],
  lineOf: () => problems[0]?.line ?? 1,
  sourceOf: () => undefined,
});
