import { checkParameterDefinitions, type Definitions } from '@switchyard/model';
import { issuesOf, type Issue } from '../check/issue';
import type { RunnerType } from './runner-lookup';

/**
 * Every parameter definition that is wrong by itself, or, when none is, what is wrong with them together.
 * @param runner undefined when the action names none that exists: its definitions are then not looked at
 * @param plainNested see `DefinitionContext`
 */
export function checkParameters(
  ref: string,
  parameters: Definitions,
  runner: RunnerType | undefined,
  plainNested: boolean,
): Issue[] {
  const context = { actionRef: ref, runnerParameters: runner?.runner_parameters ?? {}, plainNested };
  const check = (some: unknown) => () => checkParameterDefinitions(some, context);
  const together = issuesOf(['parameters'], check(parameters));
  if (together.length === 0) return together;
  const alone = Object.entries(parameters).flatMap(([name, definition]) =>
    issuesOf(['parameters', name], check({ [name]: definition })),
  );
  return alone.length > 0 ? alone : together;
}
