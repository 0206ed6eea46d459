import { fault, isFault, isPlainObject, messageOf } from '@switchyard/base';
import {
  NotApplicable,
  type Criterion,
  type CriterionEnv,
  type CriterionMatcher,
  type CriterionProblem,
  type CriteriaDocument,
  type Operator,
} from './criterion';
import { keyReader } from './look-up';
import { simpleOperators, type OperatorEntry } from './operators';
import { searchOperator, type CompiledEntry } from './search';

/** The names of all operators, in the order of the interface's messages. */
export const CRITERIA_OPERATORS: readonly string[] = [...Object.keys(simpleOperators), 'search'];

/**
 * Makes the test of a criterion. A pattern that the operator cannot use gives a test that tells a problem and fails.
 * @throws fault `criteria.unknown-operator`, for the entries of a `search` too
 */
export const compileCriterion = (criterion: Criterion): CriterionMatcher =>
  criteriaOperator(criterion.type)(criterion.pattern, criterion.condition);

/**
 * How the operator of a name makes its test from a pattern (and, for `search`, a condition).
 * @throws fault `criteria.unknown-operator`
 */
export function criteriaOperator(name: string): (pattern?: unknown, condition?: unknown) => CriterionMatcher {
  if (name === 'search') {
    return (pattern, condition) => {
      const entries = isPlainObject(pattern) ? compileEntries(pattern) : undefined;
      return matcher({ compile: () => search(entries, condition) }, pattern);
    };
  }
  const entry = Object.hasOwn(simpleOperators, name) ? simpleOperators[name] : undefined;
  if (!entry) {
    throw fault('criteria.unknown-operator', { operator: String(name), known: CRITERIA_OPERATORS.join(', ') });
  }
  return (pattern) => matcher(entry, pattern);
}

function search(entries: readonly CompiledEntry[] | undefined, condition: unknown): Operator {
  if (!entries) throw new NotApplicable('the pattern of a search has to be an object of criteria');
  return searchOperator(entries, condition);
}

function matcher(entry: OperatorEntry, pattern: unknown = null): CriterionMatcher {
  if (pattern === null && entry.nullPattern !== true) return () => false;
  const operator = operatorOf(entry, pattern);
  return (value, env) => {
    try {
      return operator(value ?? null, env);
    } catch (thrown) {
      // A missing value is no mistake of the rule's author: it answers for the operator, and nobody is told.
      if (value === undefined && thrown instanceof NotApplicable) return entry.negated === true;
      env.problem?.({ kind: 'operator', reason: reasonOf(thrown), pattern });
      return false;
    }
  };
}

/** A pattern that cannot be used shows when the operator is. */
function operatorOf(entry: OperatorEntry, pattern: unknown): Operator {
  try {
    return entry.compile(pattern);
  } catch (thrown) {
    const reason = reasonOf(thrown);
    return () => {
      throw new NotApplicable(reason);
    };
  }
}

/** The entries of criteria. One that names no operator never holds. @throws fault `criteria.unknown-operator` */
export function compileEntries(criteria: Readonly<Record<string, unknown>>): CompiledEntry[] {
  return Object.entries(criteria).map(([key, written]) => {
    const criterion = isPlainObject(written) ? (written as Partial<Criterion>) : {};
    if (!criterion.type) return { key, test: () => false };
    return { key, test: entryTest(key, { ...criterion, type: criterion.type }) };
  });
}

function entryTest(key: string, criterion: Criterion): CompiledEntry['test'] {
  const asWritten = compileCriterion(criterion);
  const read = keyReader(key);
  const matcherFor = (document: CriteriaDocument, env: CriterionEnv): CriterionMatcher => {
    if (typeof criterion.pattern !== 'string' || !env.render) return asWritten;
    const pattern = env.render(criterion.pattern, document);
    return pattern === criterion.pattern ? asWritten : compileCriterion({ ...criterion, pattern });
  };
  return (document, env) => {
    const problem = (told: CriterionProblem): void => env.problem?.({ key, pattern: criterion.pattern, ...told });
    const found = attempt(() => read(document), 'key', problem);
    const test = found && attempt(() => matcherFor(document, env), 'render', problem);
    return test !== undefined && test(found?.found ? found.value : undefined, { ...env, problem });
  };
}

/** The answer of `make`; where it fails, a problem is told instead. */
function attempt<T>(make: () => T, kind: CriterionProblem['kind'], problem: (told: CriterionProblem) => void) {
  try {
    return make();
  } catch (thrown) {
    problem({ kind, reason: messageOf(thrown) });
    return undefined;
  }
}

/** Our own words for why there is no answer; anything else is a mistake of this program and goes on. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof NotApplicable || isFault(thrown)) return thrown.message;
  throw thrown;
}
