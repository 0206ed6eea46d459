import type { ContextAssignment } from '../spec/model';
import type { Core } from './core';
import { attempt, isProblem } from './definition-values';

/** A new context that merges the ends of all branches in the order in which they started. */
export const terminalContext = (core: Core): number => core.state.contexts.publish(0, publishedValues(core));

export function publishedValues(core: Core): Record<string, unknown> {
  const { contexts, entries, staging } = core.state;
  const ended = entries.all.filter(({ terminal, phase }) => terminal && phase === 'body');
  const notStarted = [...staging.ready].filter(({ isEnd }) => isEnd === true).sort(byKey);
  const values: Record<string, unknown> = {};
  for (const { leaf, context } of ended) contexts.layValues(values, contexts.published(leaf ?? context));
  for (const { context } of notStarted) contexts.layValues(values, contexts.published(context));
  return values;
}

const byKey = (a: { readonly key: string }, b: { readonly key: string }): number => (a.key < b.key ? -1 : 1);

/** Renders the output of an ended run. A value that cannot be rendered is omitted and fails the run. */
export function renderOutput(
  core: Core,
  context: number,
): { output: Record<string, unknown> | null; isSound: boolean } {
  const variables = { ...core.state.contexts.resolve(context) };
  const output: Record<string, unknown> = {};
  const problems = core.spec.output.map((assignment) => renderOne(core, { variables, output }, assignment));
  for (const problem of problems) if (problem !== undefined) core.logError(problem);
  const isSound = problems.every((problem) => problem === undefined);
  return { output: Object.keys(output).length > 0 ? output : null, isSound };
}

interface Rendered {
  readonly variables: Record<string, unknown>;
  readonly output: Record<string, unknown>;
}

function renderOne(
  core: Core,
  { variables, output }: Rendered,
  { name, value }: ContextAssignment,
): string | undefined {
  const outcome = attempt(() => core.evaluator.evaluate(value, { variables: { ...variables } }));
  if (isProblem(outcome)) return outcome.problem;
  output[name] = outcome.value;
  variables[name] = outcome.value;
  return undefined;
}

/** What an unfinished run with a single branch, such as a chain, has published so far. */
export function publishedSoFar({ state: { contexts, entries, staging } }: Core): Record<string, unknown> {
  const [next] = staging.ready;
  const latest = entries.all.at(-1);
  const values: Record<string, unknown> = {};
  const context = next?.context ?? latest?.leaf ?? latest?.context;
  if (context !== undefined) contexts.layValues(values, contexts.published(context));
  return values;
}
