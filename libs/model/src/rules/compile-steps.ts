import { isPlainObject, messageOf } from '@switchyard/base';
import type { Criterion, CriterionEnv, CriterionMatcher, CriterionProblem } from '../criteria';
import { compileCriterion, compileEntries } from '../criteria/compile-criterion';
import { keyReader } from '../criteria/look-up';
import type { RuleEvent } from './event';

/** One criterion of a rule. */
export type Step = (event: RuleEvent, env: CriterionEnv) => boolean;

/**
 * The criteria of a rule, as `compileCriteria` tests them, for many rules and one event: what is always the same is worked out
 * once, and values are looked up once for all rules.
 * @param isTemplate tells patterns that have to be rendered
 * @throws fault `criteria.unknown-operator`
 */
export function compileSteps(
  criteria: Readonly<Record<string, unknown>>,
  isTemplate: (text: string) => boolean,
): readonly Step[] {
  const entries = compileEntries(criteria);
  return entries.map(({ key, test }) => {
    const criterion = simpleCriterion(criteria[key]);
    if (!criterion) return ({ document }, env) => test(document, env);
    const matches = compileCriterion(criterion);
    return step(key, criterion, isConstant(criterion, isTemplate) ? () => matches : rendering(criterion, matches));
  });
}

/** A criterion whose pattern is compared as it is written. */
export function constantCriterion(written: unknown, isTemplate: (text: string) => boolean): Criterion | undefined {
  const criterion = simpleCriterion(written);
  return criterion && isConstant(criterion, isTemplate) ? criterion : undefined;
}

/** A `search` is none: there are criteria within it. */
function simpleCriterion(written: unknown): Criterion | undefined {
  const { type, pattern } = isPlainObject(written) ? written : {};
  return typeof type === 'string' && type !== '' && type !== 'search' ? { type, pattern } : undefined;
}

const isConstant = ({ pattern }: Criterion, isTemplate: (text: string) => boolean): boolean =>
  typeof pattern !== 'string' || !(isTemplate(pattern) || pattern.endsWith('\n'));

type MatcherFor = (event: RuleEvent, env: CriterionEnv) => CriterionMatcher;

function step(key: string, { pattern }: Criterion, matcherFor: MatcherFor): Step {
  const read = keyReader(key);
  return (event, env) => {
    const problem = (told: CriterionProblem): false => {
      env.problem?.({ key, pattern, ...told });
      return false;
    };
    const looked = event.lookUp(key, read);
    if ('reason' in looked) return problem({ kind: 'key', reason: looked.reason });
    let matches: CriterionMatcher;
    try {
      matches = matcherFor(event, env);
    } catch (thrown) {
      return problem({ kind: 'render', reason: messageOf(thrown) });
    }
    return matches(looked.found ? looked.value : undefined, { now: env.now, problem });
  };
}

/** What a pattern comes to is often the same as for the event before. */
function rendering(criterion: Criterion, asWritten: CriterionMatcher): MatcherFor {
  let last = { pattern: criterion.pattern, matches: asWritten };
  return ({ document }, { render }) => {
    if (!render) return asWritten;
    const pattern = render(String(criterion.pattern), document);
    if (pattern !== last.pattern) last = { pattern, matches: compileCriterion({ ...criterion, pattern }) };
    return last.matches;
  };
}
