import { sameJson } from '@switchyard/model';
import { inspectWorkflow } from '../inspect/inspect-workflow';
import { parseWorkflow } from '../spec/parse-workflow';
import type { DefinitionSource } from '../spec/source';
import { difference, isWithin, type Difference } from './difference';
import { perform, type Performed } from './perform';
import type { ReadResult } from './mock-actions';
import type { Expectations, Rehearsal } from './spec/model';

export interface RehearsalReport {
  readonly passed: boolean;
  /** What is not as it was expected; empty when passed. */
  readonly differences: readonly Difference[];
}

export interface RehearsalOptions {
  /** What the run knows besides its inputs, such as `st2`. Default: nothing. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Gives what a mock's `result_path` points to. */
  readonly readResult?: ReadResult;
}

/**
 * Runs a definition on the answers of a rehearsal and compares what came of it. A definition that inspection finds unsound is
 * not run. Expected findings and errors name what has to be in them; more may be.
 * @throws DefinitionError for a definition that cannot be read, ConductorError for a mock status that cannot be
 */
export function rehearse(
  definition: DefinitionSource,
  rehearsal: Rehearsal,
  { context = {}, readResult }: RehearsalOptions = {},
): RehearsalReport {
  const inspection = inspectWorkflow(definition, { context: Object.keys(context) });
  const { inspectionErrors } = rehearsal.expected;
  const isSound = Object.keys(inspection).length === 0;
  const found = difference('inspection errors', inspectionErrors, inspection, isWithin);
  if (!isSound || found.length > 0) return report(found);
  const performed = perform(parseWorkflow(definition), rehearsal, { context, ...(readResult && { readResult }) });
  return report(compare(rehearsal.expected, performed));
}

const report = (differences: readonly Difference[]): RehearsalReport => ({
  passed: differences.length === 0,
  differences,
});

function compare(expected: Expectations, { conductor, performance, ended }: Performed): Difference[] {
  const output = conductor.output();
  return [
    ...(ended ? [] : difference('end', 'within 10,000 rounds', 'none')),
    ...difference('task sequence', expected.taskSequence.map(plainName), performance.taskSequence),
    ...difference('routes', expected.routes, performance.routes),
    ...difference('workflow status', expected.workflowStatus, conductor.status),
    ...ifGiven('terminal tasks', expected.termTasks?.map(plainName).sort(), performance.termTasks),
    ...ifGiven('errors', expected.errors, conductor.errors, isWithin),
    ...ifGiven('output', expected.output, output),
  ];
}

const plainName = (name: string): string => name.replace(/__r0$/, '');

const ifGiven = (what: string, expected: unknown, actual: unknown, isAsExpected = sameJson): Difference[] =>
  expected === undefined ? [] : difference(what, expected, actual, isAsExpected);
