import type { Assignment } from '../spec/model';
import type { Core } from './core';
import { attempt, isProblem } from './problem';

/** What the ends of all branches hand on, merged in the order in which they started; a context of its own. */
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

/** Renders the output of a run that has ended. What cannot be rendered is left out and makes the run a failure. */
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

function renderOne(core: Core, { variables, output }: Rendered, { name, value }: Assignment): string | undefined {
  const outcome = attempt(() => core.evaluator.evaluate(value, { variables: { ...variables } }));
  if (isProblem(outcome)) return outcome.problem;
  output[name] = outcome.value;
  variables[name] = outcome.value;
  return undefined;
}

/** What was published on the way to where a run is that has one branch, as chains have, and has not ended. */
export function publishedSoFar({ state: { contexts, entries, staging } }: Core): Record<string, unknown> {
  const [next] = staging.ready;
  const latest = entries.all.at(-1);
  const values: Record<string, unknown> = {};
  const context = next?.context ?? latest?.leaf ?? latest?.context;
  if (context !== undefined) contexts.layValues(values, contexts.published(context));
  return values;
}
