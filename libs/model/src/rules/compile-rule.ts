import { isPlainObject, messageOf } from '@switchyard/base';
import type { Criterion, CriterionEnv, CriterionMatcher, CriterionProblem } from '../criteria';
import { compileCriterion, compileEntries } from '../criteria/compile-criteria';
import { keyReader, lookUp } from '../criteria/look-up';
import type { RuleRecord } from '../resources/rule';
import { parseCorrelation, type Correlation } from './correlation';
import type { RuleEvent } from './rule-set';

/** A rule that can be tested on payloads. */
export interface CompiledRule {
  readonly record: RuleRecord;
  /** Tested only if no other rule of the trigger matches. */
  readonly backstop: boolean;
  readonly correlation?: Correlation;
  readonly equalities: readonly Equality[];
  /** Whether the criteria hold. Never throws, whatever the rule or the payload contains. */
  readonly test: (event: RuleEvent, env: CriterionEnv) => boolean;
}

/** @param isTemplate whether a text must be rendered */
export function compileRule(record: RuleRecord, isTemplate: (text: string) => boolean): CompiledRule {
  const backstop = record.type?.ref === 'backstop';
  try {
    const steps = compileSteps(record.criteria ?? {}, isTemplate);
    const test = (event: RuleEvent, env: CriterionEnv): boolean =>
      steps.length === 0 || (!event.isEmpty && steps.every((step) => step(event, env)));
    const correlation = parseCorrelation(record.correlation);
    const equalities = leadingEqualities(record.criteria ?? {}, isTemplate);
    return { record, backstop, test, equalities, ...(correlation ? { correlation } : {}) };
  } catch (error) {
    return { record, backstop, equalities: [], test: telling({ kind: 'operator', reason: messageOf(error) }) };
  }
}

/** An invalid rule matches nothing, and reports it each time. */
const telling =
  (problem: CriterionProblem): CompiledRule['test'] =>
  (_event, env) => {
    env.problem?.(problem);
    return false;
  };

/** One criterion of a rule. */
type RuleStep = (event: RuleEvent, env: CriterionEnv) => boolean;

/**
 * The criteria of a rule, as tested by `compileCriteria`, optimized for many rules and one event: constant parts are computed
 * once, and values are looked up once for all rules.
 * @param isTemplate whether a pattern must be rendered @throws fault `criteria.unknown-operator`
 */
function compileSteps(
  criteria: Readonly<Record<string, unknown>>,
  isTemplate: (text: string) => boolean,
): readonly RuleStep[] {
  const entries = compileEntries(criteria);
  return entries.map(({ key, test }) => {
    const criterion = simpleCriterion(criteria[key]);
    if (!criterion) return ({ document }, env) => test(document, env);
    const matches = compileCriterion(criterion);
    return step(key, criterion, isConstant(criterion, isTemplate) ? () => matches : rendering(criterion, matches));
  });
}

/** A criterion whose pattern needs no rendering. */
function constantCriterion(written: unknown, isTemplate: (text: string) => boolean): Criterion | undefined {
  const criterion = simpleCriterion(written);
  return criterion && isConstant(criterion, isTemplate) ? criterion : undefined;
}

/** Not for `search`, which contains criteria. */
function simpleCriterion(written: unknown): Criterion | undefined {
  const { type, pattern } = isPlainObject(written) ? written : {};
  return typeof type === 'string' && type !== '' && type !== 'search' ? { type, pattern } : undefined;
}

const isConstant = ({ pattern }: Criterion, isTemplate: (text: string) => boolean): boolean =>
  typeof pattern !== 'string' || !(isTemplate(pattern) || pattern.endsWith('\n'));

type MatcherFor = (event: RuleEvent, env: CriterionEnv) => CriterionMatcher;

function step(key: string, { pattern }: Criterion, matcherFor: MatcherFor): RuleStep {
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

/** A rendered pattern is often the same as for the previous event. */
function rendering(criterion: Criterion, asWritten: CriterionMatcher): MatcherFor {
  let last = { pattern: criterion.pattern, matches: asWritten };
  return ({ document }, { render }) => {
    if (!render) return asWritten;
    const pattern = render(String(criterion.pattern), document);
    if (pattern !== last.pattern) last = { pattern, matches: compileCriterion({ ...criterion, pattern }) };
    return last.matches;
  };
}

/** A criterion that requires a specific value in the payload. */
export interface Equality {
  /** As written in the rule, `trigger.body.name#1`. */
  readonly key: string;
  readonly value: string;
}

const OPERATORS: readonly string[] = ['eq', 'equals'];

/**
 * The leading criteria of a rule that compare with a constant. If one of them does not hold, the rule does not match, and the
 * rest need not be tested, because nothing before it can have a problem to report.
 * @param isTemplate whether a pattern must be rendered
 */
function leadingEqualities(
  criteria: Readonly<Record<string, unknown>>,
  isTemplate: (text: string) => boolean,
): Equality[] {
  const found: Equality[] = [];
  for (const [key, entry] of Object.entries(criteria)) {
    const criterion = constantCriterion(entry, isTemplate);
    const value = criterion && OPERATORS.includes(criterion.type) ? indexed(criterion.pattern) : undefined;
    if (value === undefined || !isPath(key)) break;
    found.push({ key, value });
  }
  return found;
}

/** The same for values that the operator considers equal. @returns undefined for values that are compared deeply, or equal nothing */
export function indexed(value: unknown): string | undefined {
  if (typeof value === 'string') return `s${value}`;
  return typeof value === 'number' || typeof value === 'boolean' ? `n${Number(value)}` : undefined;
}

function isPath(key: string): boolean {
  try {
    lookUp({}, key);
    return true;
  } catch {
    return false;
  }
}
