import type { Path } from '@switchyard/model';
import { isDeepStrictEqual } from 'node:util';
import { composeGraph } from '../graph';
import { readWorkflow } from '../spec/read-workflow';
import { rawDefinition, type DefinitionSource, type RawDefinition } from '../spec/source';
import { syntaxViolations } from '../syntax/definition-syntax';
import { actionsNamed, contentProblems, type ActionLookup } from './content-problems';
import { contextProblems } from './context/context-problems';
import { expressionProblems } from './expressions';
import { CATEGORIES, type Category, type Finding, type Problem } from './finding';
import { semanticProblems } from './semantics/semantic-problems';
import { warningProblems } from './warnings';
import { writtenFinding } from './written-finding';

export interface InspectionOptions {
  /** Names of context variables that are known beforehand. Default: none. */
  readonly context?: readonly string[];
  /** The actions that are registered; without it, actions and their inputs are not looked at. */
  readonly actions?: ActionLookup;
}

/** The findings by category; a category without findings is absent, so that a sound definition gives `{}`. */
export type Inspection = { readonly [C in Category]?: readonly Finding[] };

/**
 * Everything that is wrong with a definition, in one pass: what is unsound in one part does not hide another part.
 * @throws DefinitionError for a source that is no map at all, or a text that is no YAML
 */
export function inspectWorkflow(source: DefinitionSource, options: InspectionOptions = {}): Inspection {
  const definition = rawDefinition(source);
  const problems = problemsOf(definition, options);
  const found = CATEGORIES.map((category) => [category, written(problems[category], definition)] as const);
  return Object.fromEntries(found.filter(([, findings]) => findings.length > 0));
}

/**
 * What is suspicious but runs in the reference, so that it must not keep a workflow from running: tasks that nothing leads
 * to, parts of inline texts that are lost, a missing version.
 * @throws DefinitionError as `inspectWorkflow`
 */
export function workflowWarnings(source: DefinitionSource): readonly Finding[] {
  const definition = rawDefinition(source);
  return written(warningProblems(definition.raw), definition);
}

/**
 * The actions that a definition names, sound or not, so that they can be looked up before it is inspected.
 * @throws DefinitionError as `inspectWorkflow`
 */
export const actionsNamedIn = (source: DefinitionSource): readonly string[] =>
  actionsNamed(readWorkflow(rawDefinition(source).raw));

function problemsOf(definition: RawDefinition, options: InspectionOptions): Record<Category, readonly Problem[]> {
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

/** An input of the wrong shape cannot be read: nothing is known to be missing in it. */
const isUnreadable = ({ path }: Problem, violations: readonly { readonly path: Path }[]): boolean =>
  path[2] === 'input' && violations.some((violation) => isDeepStrictEqual(violation.path, path.slice(0, 3)));

const written = (problems: readonly Problem[], definition: RawDefinition): Finding[] =>
  problems.map((problem) => writtenFinding(problem, definition)).sort(byPaths);

const byPaths = (a: Finding, b: Finding): number =>
  compareTexts(a.schema_path, b.schema_path) || compareTexts(a.spec_path ?? '', b.spec_path ?? '');

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
