import type { LRParser } from '@lezer/lr';

// Its types are those of an ES module, although Jest gets a CommonJS one.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { parser } = require('@prometheus-io/lezer-promql') as { parser: LRParser };

/** A metric in an expression, with the labels that the expression uses of it. */
export interface UsedMetric {
  readonly name: string;
  readonly labels: ReadonlySet<string>;
  /** The values of matchers of the label `status`. */
  readonly statuses: readonly string[];
}

/** The metrics of a PromQL expression. @throws Error if the expression is not valid */
export function metricsIn(expression: string): UsedMetric[] {
  const tree = parser.configure({ top: 'PromQL' }).parse(expression);
  const text = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`invalid PromQL at ${node.from}: ${expression}`);
    },
  });
  const groupings: { from: number; to: number; labels: string[] }[] = [];
  const found: { at: number; name: string; labels: Set<string>; statuses: string[] }[] = [];
  tree.iterate({
    enter: ({ node }) => {
      if (node.name === 'GroupingLabels') {
        // Of the aggregation or binary expression around `by (…)` or `on (…)`.
        const { from, to } = node.parent!.parent!;
        groupings.push({ from, to, labels: node.getChildren('LabelName').map(text) });
      }
      if (node.name !== 'VectorSelector') return;
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      const pairs = matchers.map((each) => [text(each.getChild('LabelName')!), text(each.getChild('StringLiteral')!)]);
      const statuses = pairs.flatMap(([label, value = '']) =>
        label === 'status' ? value.slice(1, -1).split('|') : [],
      );
      const name = text(node.getChild('Identifier')!);
      found.push({ at: node.from, name, labels: new Set(pairs.map(([label = '']) => label)), statuses });
    },
  });
  for (const { from, to, labels } of groupings)
    for (const metric of found)
      if (metric.at >= from && metric.at < to) labels.forEach((each) => metric.labels.add(each));
  return found;
}

/** The labels of the series that an expression returns, if it begins with an aggregation by labels; else undefined. */
export const labelsOfResult = (expression: string): string[] | undefined =>
  /\bby \(([^)]*)\)/
    .exec(expression)?.[1]
    ?.split(',')
    .map((label) => label.trim());
