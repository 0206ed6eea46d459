import { sameJson } from '@switchyard/model';
import { isPlainObject } from '@switchyard/base';
import { inspectWorkflow } from '../inspect/inspect-workflow';
import { parseWorkflow } from '../spec/read-workflow';
import type { DefinitionSource } from '../spec/source';
import type { WorkflowError, WorkflowStatus } from '../conductor';
import { perform, type Performed, type RehearsedTask } from './perform';
import type { ReadResult } from './mock-actions';
import type { Expectations, Rehearsal } from './rehearsal';

export interface RehearsalReport {
  readonly passed: boolean;
  /** Differences from the expectations; empty when passed. */
  readonly differences: readonly Difference[];
}

/** How a rehearsed run went. */
export interface RehearsalOutcome {
  readonly status: WorkflowStatus | 'unset';
  /** The runs of tasks, and the engine commands that were reached, in the order in which they started. */
  readonly tasks: readonly RehearsedTask[];
  /** The names of `tasks`, as rehearsals write them. */
  readonly task_sequence: readonly string[];
  readonly routes: readonly (readonly string[])[];
  readonly term_tasks: readonly string[];
  readonly output: unknown;
  readonly errors: readonly WorkflowError[];
}

export interface RehearsalReportWithOutcome extends RehearsalReport {
  /** Null for a definition with findings, which does not run. */
  readonly outcome: RehearsalOutcome | null;
}

export interface RehearsalOptions {
  /** Context besides the inputs, such as `st2`. Default: empty. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Reads what a mock's `result_path` points to. */
  readonly readResult?: ReadResult;
}

/**
 * Runs a definition with the answers of a rehearsal and compares the outcome. A definition with findings is not run.
 * Expected findings and errors list what must be present; there may be more.
 * @throws DefinitionError for an unreadable definition, ConductorError for an invalid mock status
 */
export function rehearse(
  definition: DefinitionSource,
  rehearsal: Rehearsal,
  options: RehearsalOptions = {},
): RehearsalReport {
  const { passed, differences } = rehearseWithOutcome(definition, rehearsal, options);
  return { passed, differences };
}

/**
 * The same, and how the run went.
 * @throws as `rehearse`
 */
export function rehearseWithOutcome(
  definition: DefinitionSource,
  rehearsal: Rehearsal,
  { context = {}, readResult }: RehearsalOptions = {},
): RehearsalReportWithOutcome {
  const inspection = inspectWorkflow(definition, { context: Object.keys(context) });
  const { inspectionErrors } = rehearsal.expected;
  const isSound = Object.keys(inspection).length === 0;
  const found = difference('inspection errors', inspectionErrors, inspection, isWithin);
  if (!isSound || found.length > 0) return report(found, null);
  const performed = perform(parseWorkflow(definition), rehearsal, { context, ...(readResult && { readResult }) });
  return report(compare(rehearsal.expected, performed), outcomeOf(performed));
}

const report = (differences: readonly Difference[], outcome: RehearsalOutcome | null): RehearsalReportWithOutcome => ({
  passed: differences.length === 0,
  differences,
  outcome,
});

const outcomeOf = ({ conductor, performance }: Performed): RehearsalOutcome => ({
  status: conductor.status,
  tasks: performance.tasks,
  task_sequence: performance.taskSequence,
  routes: performance.routes,
  term_tasks: performance.termTasks,
  output: conductor.output(),
  errors: conductor.errors,
});

function compare(expected: Expectations, { conductor, performance, ended }: Performed): Difference[] {
  const output = conductor.output();
  return [
    ...(ended ? [] : difference('end', 'within 10,000 rounds', 'none')),
    ...ifGiven('task sequence', expected.taskSequence?.map(plainName), performance.taskSequence),
    ...ifGiven('routes', expected.routes, performance.routes),
    ...difference('workflow status', expected.workflowStatus, conductor.status),
    ...ifGiven('terminal tasks', expected.termTasks?.map(plainName).sort(), performance.termTasks),
    ...ifGiven('errors', expected.errors, conductor.errors, isWithin),
    ...ifGiven('output', expected.output, output),
  ];
}

const plainName = (name: string): string => name.replace(/__r0$/, '');

const ifGiven = (what: string, expected: unknown, actual: unknown, isAsExpected = sameJson): Difference[] =>
  expected === undefined ? [] : difference(what, expected, actual, isAsExpected);

export interface Difference {
  readonly what: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

const difference = (
  what: string,
  expected: unknown,
  actual: unknown,
  isAsExpected: (expected: unknown, actual: unknown) => boolean = sameJson,
): Difference[] => (isAsExpected(expected, actual) ? [] : [{ what, expected, actual }]);

/** Whether `actual` contains `expected`: lists of the same length item by item; a map may have more keys. */
function isWithin(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      expected.length === actual.length &&
      expected.every((item, index) => isPart(item, actual[index]))
    );
  }
  if (!isPlainObject(expected) || !isPlainObject(actual)) return sameJson(expected, actual);
  const keys = Object.keys(expected);
  return keys.length === Object.keys(actual).length && keys.every((key) => isWithin(expected[key], actual[key]));
}

const isPart = (expected: unknown, actual: unknown): boolean =>
  isPlainObject(expected) && isPlainObject(actual)
    ? Object.keys(expected).every((key) => sameJson(expected[key], actual[key]))
    : sameJson(expected, actual);
