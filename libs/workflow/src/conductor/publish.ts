import type { Assignment } from '../spec/model';
import type { Core } from './core';
import { attempt, isProblem } from './problem';
import type { Basis } from './transitions';

/**
 * Renders what a transition publishes; each value sees those before it.
 * @returns the index of the context to hand on, or all that was wrong
 */
export function publish(
  core: Core,
  assignments: readonly Assignment[],
  { around, context }: Basis,
): { index: number } | { problems: string[] } {
  if (assignments.length === 0) return { index: context };
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const { name, value } of assignments) {
    const variables = { ...around.variables, ...values };
    const outcome = attempt(() => core.renderer.value(value, { ...around, variables }, core.evaluator));
    if (isProblem(outcome)) problems.push(outcome.problem);
    else values[name] = outcome.value;
  }
  problems.push(...tooMuch(core, values));
  return problems.length > 0 ? { problems } : { index: core.state.contexts.publish(context, values) };
}

function tooMuch(core: Core, values: Readonly<Record<string, unknown>>): string[] {
  const most = core.limits.publishedBytes;
  const size = JSON.stringify(values).length;
  core.state.count('publishedBytes', size);
  if (core.state.head.made.publishedBytes <= most) return [];
  return [`LimitExceeded: The workflow has published more than ${most} bytes.`];
}
