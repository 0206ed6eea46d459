import type { CriterionEnv, CriterionProblem } from '../criteria';
import type { CompiledRule } from './compile-rule';

export interface RuleAnswer {
  readonly matched: boolean;
  /** The first thing that was wrong, of a rule that did not match. */
  readonly problem?: CriterionProblem;
}

/** Asks one rule about a payload. */
export function askRule(rule: CompiledRule, payload: unknown, env: Omit<CriterionEnv, 'problem'>): RuleAnswer {
  const problems: CriterionProblem[] = [];
  const matched = rule.test(payload, { ...env, problem: (problem) => problems.push(problem) });
  // A search may match though some element could not be tested.
  const [first] = problems;
  return matched || first === undefined ? { matched } : { matched, problem: first };
}

/** What is wrong with a rule, in the interface's words (sheet "events", 2.3). @param ref of the rule */
export function problemText(ref: string, { kind, key, pattern, reason }: CriterionProblem): string {
  return `${WHAT[kind](ref, key ?? '', pattern)}: ${reason}`;
}

const WHAT: Readonly<Record<CriterionProblem['kind'], (ref: string, key: string, pattern: unknown) => string>> = {
  render: (_, key, pattern) => `Failed to render pattern value "${String(pattern)}" for key "${key}"`,
  key: (_, key) => `Failed transforming criteria key ${key}`,
  operator: (ref) => `There might be a problem with the criteria in rule ${ref}`,
};
