import { t } from '@lingui/core/macro';
import { textOfValue } from '../actions/parameter-values';
import { errorsOf, type FailedExecution } from './failed-path';

/** The end of a long output usually says what went wrong. */
const MOST_LINES = 12;
const MOST_CHARACTERS = 2000;

/** What an action said about its failure: its error, and the end of what it printed. */
export function failureText({ result, status, result_size: size }: Partial<FailedExecution>): string {
  if (result === undefined && size !== undefined && size > 0) return t`The result is too large to be shown here.`;
  const texts = [...(status === 'timeout' ? [t`It did not end in time.`] : []), ...textsIn(result)];
  return texts.length > 0 ? ending(texts.join('\n')) : t`It gave no reason.`;
}

interface FailedResult {
  readonly error?: unknown;
  readonly traceback?: unknown;
  readonly stderr?: unknown;
  readonly stdout?: unknown;
  readonly return_code?: unknown;
  readonly exit_code?: unknown;
}

function textsIn(result: unknown): string[] {
  if (typeof result !== 'object' || result === null) return typeof result === 'string' ? [result] : [];
  const errors = errorsOf(result).flatMap(({ message }) => (message ? [message] : []));
  if (errors.length > 0) return errors;
  const { error, traceback, stderr, stdout, return_code: returned, exit_code: exited } = result as FailedResult;
  const code = returned ?? exited;
  const said = [traceback, stderr].filter(isText);
  const texts = [
    ...(code === undefined || code === 0 ? [] : [t`It ended with exit code ${textOfValue(code)}.`]),
    ...(isText(error) ? [error] : []),
    ...(said.length > 0 || isText(error) ? said : [stdout].filter(isText)),
  ];
  // Runners for several hosts, and those that others have added, have results of their own.
  return texts.length > 0 ? texts : [JSON.stringify(result, null, 2)];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

function ending(text: string): string {
  const lines = text.trimEnd().split('\n').slice(-MOST_LINES).join('\n');
  return lines.length > MOST_CHARACTERS ? `…${lines.slice(-MOST_CHARACTERS)}` : lines;
}
