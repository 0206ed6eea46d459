import { CATEGORIES, type Category, type ExpressionLanguage, type Finding } from './finding';
import type { Inspection } from './inspect-workflow';

export type FindingKind = 'content' | 'context' | 'expression' | 'semantic' | 'syntax';

/** A finding as the API and the results of executions show it: `type` is the kind, the language has a name of its own. */
export interface FlatFinding extends Omit<Finding, 'type'> {
  readonly type: FindingKind;
  readonly language?: ExpressionLanguage | null;
}

const KINDS: Readonly<Record<Category, FindingKind>> = {
  content: 'content',
  context: 'context',
  expressions: 'expression',
  semantics: 'semantic',
  syntax: 'syntax',
};

/** All findings in one list, by kind and then in the order of their categories; empty for a sound definition. */
export const flatFindings = (inspection: Inspection): FlatFinding[] =>
  CATEGORIES.flatMap((category) =>
    (inspection[category] ?? []).map((finding) => flatFinding(finding, KINDS[category])),
  );

const flatFinding = ({ type: language, ...finding }: Finding, type: FindingKind): FlatFinding => ({
  type,
  ...(language !== undefined && { language }),
  ...finding,
});
