import { isDeepStrictEqual } from 'node:util';
import type { ValuePath } from '@switchyard/model';
import { composeGraph } from '../graph';
import { readWorkflow } from '../spec/read-workflow';
import { rawDefinition, type DefinitionSource, type RawDefinition } from '../spec/source';
import { syntaxViolations } from '../syntax/definition-syntax';
import { actionsNamed, contentProblems, type ActionLookup } from './content-problems';
import { contextProblems } from './context/context-problems';
import { expressionProblems } from './expressions';
import {
  CATEGORIES,
  type Category,
  type InspectionFinding,
  type InspectionProblem,
  writtenFinding,
  type ExpressionLanguage,
} from './finding';
import { semanticProblems } from './semantics/semantic-problems';
import { warningProblems } from './warnings';

export interface InspectionOptions {
  /** Names of context variables that are known beforehand. Default: none. */
  readonly context?: readonly string[];
  /** Looks up registered actions; without it, actions and their inputs are not checked. */
  readonly actions?: ActionLookup;
}

/** The findings by category. A category without findings is absent, so a valid definition gives `{}`. */
export type InspectionFindings = { readonly [C in Category]?: readonly InspectionFinding[] };

/**
 * Finds all problems of a definition in one pass; a problem in one part does not hide those in others.
 * @throws DefinitionError for a source that is not a map, or invalid YAML
 */
export function inspectWorkflow(source: DefinitionSource, options: InspectionOptions = {}): InspectionFindings {
  const definition = rawDefinition(source);
  const problems = problemsOf(definition, options);
  const found = CATEGORIES.map((category) => [category, written(problems[category], definition)] as const);
  return Object.fromEntries(found.filter(([, findings]) => findings.length > 0));
}

/**
 * Finds suspicious parts that the reference runs, so that they must not keep a workflow from running: unreachable
 * tasks, ignored parts of inline texts, a missing version.
 * @throws DefinitionError as `inspectWorkflow`
 */
export function workflowWarnings(source: DefinitionSource): readonly InspectionFinding[] {
  const definition = rawDefinition(source);
  return written(warningProblems(definition.raw), definition);
}

/**
 * The actions that a definition names, valid or not, so that they can be looked up before inspection.
 * @throws DefinitionError as `inspectWorkflow`
 */
export const actionsNamedIn = (source: DefinitionSource): readonly string[] =>
  actionsNamed(readWorkflow(rawDefinition(source).raw));

function problemsOf(
  definition: RawDefinition,
  options: InspectionOptions,
): Record<Category, readonly InspectionProblem[]> {
  const { context = [], actions } = options;
  const spec = readWorkflow(definition.raw);
  const graph = composeGraph(spec);
  const violations = syntaxViolations(definition);
  return {
    syntax: violations.map(({ message, path, schemaPath, cause }) => ({
      message,
      path,
      schema: schemaPath,
      ...(cause !== undefined && { place: [...path, cause] }),
    })),
    semantics: semanticProblems(spec, graph, definition.raw),
    expressions: expressionProblems(spec),
    context: contextProblems(spec, graph, context),
    content: actions ? contentProblems(spec, actions).filter((problem) => !isUnreadable(problem, violations)) : [],
  };
}

/** An input of the wrong type cannot be read, so missing members are not reported. */
const isUnreadable = ({ path }: InspectionProblem, violations: readonly { readonly path: ValuePath }[]): boolean =>
  path[2] === 'input' && violations.some((violation) => isDeepStrictEqual(violation.path, path.slice(0, 3)));

const written = (problems: readonly InspectionProblem[], definition: RawDefinition): InspectionFinding[] =>
  problems.map((problem) => writtenFinding(problem, definition)).sort(byPaths);

const byPaths = (a: InspectionFinding, b: InspectionFinding): number =>
  compareTexts(a.schema_path, b.schema_path) || compareTexts(a.spec_path ?? '', b.spec_path ?? '');

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export type FindingKind = 'content' | 'context' | 'expression' | 'semantic' | 'syntax';

/**
 * A finding as shown by the API and in results of executions: `type` is the kind, and the language has its own member.
 */
export interface FlatFinding extends Omit<InspectionFinding, 'type'> {
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

/** All findings in one list, ordered by kind; empty for a valid definition. */
export const flatFindings = (inspection: InspectionFindings): FlatFinding[] =>
  CATEGORIES.flatMap((category) =>
    (inspection[category] ?? []).map((finding) => flatFinding(finding, KINDS[category])),
  );

const flatFinding = ({ type: language, ...finding }: InspectionFinding, type: FindingKind): FlatFinding => ({
  type,
  ...(language !== undefined && { language }),
  ...finding,
});
