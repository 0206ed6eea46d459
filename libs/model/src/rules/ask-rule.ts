import type { CriterionEnv, CriterionProblem } from '../criteria';
import type { CompiledRule } from './compile-rule';
import type { RuleEvent } from './event';

export interface RuleAnswer {
  readonly matched: boolean;
  /** The first thing that was wrong, of a rule that did not match. */
  readonly problem?: CriterionProblem;
}

/** Asks rules about an event, one after the other. */
export function ruleAsker(event: RuleEvent, env: Omit<CriterionEnv, 'problem'>): (rule: CompiledRule) => RuleAnswer {
  let first: CriterionProblem | undefined;
  const telling: CriterionEnv = { ...env, problem: (problem) => void (first ??= problem) };
  return (rule) => {
    first = undefined;
    const matched = rule.test(event, telling);
    // A search may match though some element could not be tested.
    if (matched) return MATCHED;
    return first ? { matched: false, problem: first } : UNMATCHED;
  };
}

const MATCHED: RuleAnswer = { matched: true };
const UNMATCHED: RuleAnswer = { matched: false };

/** What is wrong with a rule, in the interface's words (sheet "events", 2.3). @param ref of the rule */
export function problemText(ref: string, { kind, key, pattern, reason }: CriterionProblem): string {
  return `${WHAT[kind](ref, key ?? '', pattern)}: ${reason}`;
}

const WHAT: Readonly<Record<CriterionProblem['kind'], (ref: string, key: string, pattern: unknown) => string>> = {
  render: (_, key, pattern) => `Failed to render pattern value "${shortened(String(pattern))}" for key "${key}"`,
  key: (_, key) => `Failed transforming criteria key ${key}`,
  operator: (ref) => `There might be a problem with the criteria in rule ${ref}`,
};

const LONGEST_PATTERN = 1000;
const shortened = (text: string): string =>
  text.length > LONGEST_PATTERN ? `${text.slice(0, LONGEST_PATTERN)}…` : text;
