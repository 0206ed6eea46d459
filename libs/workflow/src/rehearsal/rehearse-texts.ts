import { ConductorError } from '../conductor';
import { DefinitionError } from '../spec/definition-error';
import type { DefinitionSource } from '../spec/source';
import { parseRehearsalWithoutFiles } from './parse-rehearsal';
import { rehearseWithOutcome } from './rehearse';

/** A rehearsal that cannot be read or followed, whatever its definition is like. */
export class RehearsalError extends DefinitionError {}

export interface RehearsalRequest {
  /** The text of a workflow. */
  readonly definition: string;
  readonly rehearsal: DefinitionSource;
  /** Context besides the inputs, such as `st2`. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** In characters. Values that a workflow copies again and again are far longer as JSON than in memory. */
const LONGEST_REPORT = 1024 * 1024;

/**
 * Rehearses a definition for somebody else.
 * @returns a `RehearsalReportWithOutcome` as JSON
 * @throws RehearsalError with the place in the rehearsal, DefinitionError with the place in the definition
 */
export function rehearseTexts({ definition, rehearsal, context }: RehearsalRequest): string {
  try {
    const parsed = readRehearsal(rehearsal);
    const report = JSON.stringify(rehearseWithOutcome(definition, parsed, { context }));
    if (report.length <= LONGEST_REPORT) return report;
    throw tooLarge();
  } catch (error) {
    if (error instanceof ConductorError) throw new RehearsalError(error.message, undefined, { cause: error });
    // A text that is longer than any text can be, or a value that is nested too deeply to be compared or written.
    if (error instanceof RangeError) throw tooLarge({ cause: error });
    throw error;
  }
}

function readRehearsal(source: DefinitionSource): ReturnType<typeof parseRehearsalWithoutFiles> {
  try {
    return parseRehearsalWithoutFiles(source);
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    throw new RehearsalError(error.message, error.position, { cause: error });
  }
}

const tooLarge = (options?: ErrorOptions): DefinitionError =>
  new DefinitionError(
    `The outcome of the rehearsal is too large: expected at most ${LONGEST_REPORT} characters as JSON.`,
    undefined,
    options,
  );
