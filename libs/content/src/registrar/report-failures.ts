import { type Fault, fault } from '@switchyard/base';
import { describeContentFailure, type ContentFailure } from '../loaders/read-content-file';
import type { ContentLogger } from './register-content';

/** How many problems a log or a response lists; the rest is counted. */
const MOST_LISTED = 100;
/** In characters; a problem may quote a value of any length. */
const LONGEST_TEXT = 1_000;

/** The first failures, each of bounded length. */
export const listedFailures = (failures: readonly ContentFailure[]): ContentFailure[] =>
  failures.slice(0, MOST_LISTED).map((failure) => ({ ...failure, text: shortened(failure.text) }));

/** Logs failures as errors, and suspicious parts as warnings. */
export function logFailures(
  logger: ContentLogger,
  failures: readonly ContentFailure[],
  warnings: readonly ContentFailure[],
): void {
  for (const failure of listedFailures(failures)) {
    logger.error(describeContentFailure(failure), { pack: failure.pack });
  }
  if (failures.length > MOST_LISTED) logger.error(rest(failures));
  for (const { pack, file, line, text } of listedFailures(warnings)) {
    logger.warn(`${file}: line ${line ?? 1}: ${text}`, { pack });
  }
  if (warnings.length > MOST_LISTED) logger.warn(rest(warnings));
}

/** Throws the fault that reports the failures of a registration. */
export function registrationFault(failures: readonly ContentFailure[]): Fault {
  const listed = listedFailures(failures);
  const lines = listed.map(describeContentFailure);
  if (failures.length > listed.length) lines.push(rest(failures));
  return fault('content.registration', { text: lines.join('\n') }, { extra: { failures: listed } });
}

const rest = ({ length }: readonly ContentFailure[]): string => `${length - MOST_LISTED} more problems are not listed.`;

const shortened = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);
