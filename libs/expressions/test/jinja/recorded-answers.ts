import { readFileSync } from 'node:fs';
import { JinjaError, renderText } from '../../src';

/** One line of a file of recorded answers. */
export interface Answer {
  readonly template: string;
  readonly result?: string;
  /** The exception's name. */
  readonly error?: string;
  readonly message?: string;
}

/** Reads `{"context": …}` and the answers after it. */
export function readAnswers(path: string): { context: Record<string, unknown>; answers: Answer[] } {
  const [head, ...answers] = readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as unknown); // oxfmt-ignore
  return { context: (head as { context: Record<string, unknown> }).context, answers: answers as Answer[] };
}

/** The answer of this implementation in the same form. */
export function answerOf(template: string, context: Record<string, unknown>): Answer {
  try {
    return { template, result: renderText(template, context) };
  } catch (error) {
    if (!(error instanceof JinjaError)) throw error;
    return { template, error: error.kind, message: error.message };
  }
}
