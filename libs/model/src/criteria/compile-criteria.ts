import { isPlainObject, fault, isFault, messageOf, checkPatternLength } from '@switchyard/base';
import { pythonRepr, pythonTypeName } from '../schema/python-repr';
import {
  type CriterionEnv,
  NotApplicable,
  type Criterion,
  type CriterionMatcher,
  type CriterionProblem,
  type CriteriaDocument,
  type Operator,
} from './criterion';
import { keyReader } from './look-up';
import { simpleOperators, type OperatorEntry } from './operators';
import { searchOperator, type CompiledEntry } from './search';

/**
 * Compiles the criteria of a rule to a test of trigger payloads. All entries must hold; they are tested in order until one does
 * not. Without entries, everything matches; with entries, an empty payload never does.
 * @throws fault `criteria.unknown-operator`
 */
export function compileCriteria(criteria: Readonly<Record<string, unknown>> | null | undefined) {
  const entries = compileEntries(criteria ?? {});
  return (payload: unknown, env: CriterionEnv): boolean =>
    entries.length === 0 ||
    (!isEmptyPayload(payload) && entries.every((entry) => entry.test({ trigger: payload }, env)));
}

/** Criteria never match such a payload. */
export const isEmptyPayload = (payload: unknown): boolean =>
  payload === null ||
  payload === undefined ||
  payload === '' ||
  (Array.isArray(payload) && payload.length === 0) ||
  (isPlainObject(payload) && Object.keys(payload).length === 0);

/** The names of all operators, in their order in messages. */
export const CRITERIA_OPERATORS: readonly string[] = [...Object.keys(simpleOperators), 'search'];

/**
 * Compiles a criterion to a test. If the operator does not support the pattern, the test reports a problem and fails.
 * @throws fault `criteria.unknown-operator`, also for the entries of a `search`
 */
export const compileCriterion = (criterion: Criterion): CriterionMatcher =>
  criteriaOperator(criterion.type)(criterion.pattern, criterion.condition);

/** How an operator compiles a pattern (and, for `search`, a condition) to a test. @throws fault `criteria.unknown-operator` */
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
      // A missing value is not a mistake of the rule's author, so the operator's default applies without a problem.
      if (value === undefined && thrown instanceof NotApplicable) return entry.negated === true;
      env.problem?.({ kind: 'operator', reason: reasonOf(thrown), pattern });
      return false;
    }
  };
}

/** An invalid pattern is reported when the operator is used. */
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

/** The entries of criteria. An entry without an operator never matches. @throws fault `criteria.unknown-operator` */
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

/** The result of `make`; if it fails, reports a problem instead. */
function attempt<T>(make: () => T, kind: CriterionProblem['kind'], problem: (told: CriterionProblem) => void) {
  try {
    return make();
  } catch (thrown) {
    problem({ kind, reason: messageOf(thrown) });
    return undefined;
  }
}

/** Expected reasons for a missing result; any other error is a bug and is rethrown. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof NotApplicable || isFault(thrown)) return thrown.message;
  throw thrown;
}

/**
 * Checks criteria before they are saved with a rule, including those of searches: each entry must be an object with a known
 * operator and a pattern that is not null.
 * @throws fault `criteria.…`, `request.pattern-too-long` for the first invalid entry
 */
export function checkCriteria(
  criteria: unknown,
  maxPatternLength?: number,
): asserts criteria is Readonly<Record<string, unknown>> {
  if (!isPlainObject(criteria)) throw fault('criteria.not-an-object', { type: pythonTypeName(criteria) });
  for (const [field, entry] of Object.entries(criteria)) checkEntry(field, entry, maxPatternLength);
}

function checkEntry(field: string, entry: unknown, maxPatternLength: number | undefined): void {
  if (!isPlainObject(entry)) throw fault('criteria.entry', { field, type: pythonTypeName(entry) });
  const { type, pattern } = entry;
  if (type === undefined || type === null || type === '') throw fault('criteria.no-operator', { field });
  if (typeof type !== 'string' || !CRITERIA_OPERATORS.includes(type)) {
    const operator = typeof type === 'string' ? type : pythonRepr(type);
    throw fault('criteria.operator-not-allowed', { field, operator, allowed: pythonRepr(CRITERIA_OPERATORS) });
  }
  if (pattern === undefined || pattern === null) throw fault('criteria.no-pattern', { field, operator: type });
  if (typeof pattern === 'string') checkPatternLength(pattern, `pattern of "${field}"`, maxPatternLength);
  if (type === 'search' && isPlainObject(pattern)) checkCriteria(pattern, maxPatternLength);
}
