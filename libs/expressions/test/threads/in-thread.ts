import { askHost, type Evaluation } from '../../src/turns/evaluation';
import type { ThreadPool } from '../../src/threads/thread-pool';
import { ThreadEvaluation } from '../../src/threads/thread-evaluation';

/** The outcome of an evaluation, in a comparable form. */
export type Came = { readonly value: unknown } | { readonly error: unknown };

/** Evaluates in a thread. */
export async function inThread(evaluation: Evaluation, pool?: ThreadPool): Promise<Came> {
  const run = new ThreadEvaluation(evaluation, pool);
  for (;;) {
    const step = await run.proceed();
    if (step === 'impossible') throw new Error('It cannot be sent to a thread.');
    if (step !== 'asks') return step.failed ? { error: toldOf(step.outcome) } : { value: step.outcome };
    run.answer((question) => askHost(evaluation, question));
  }
}

/** Evaluates on the main thread. */
export function here(work: () => unknown): Came {
  try {
    return { value: work() };
  } catch (error) {
    return { error: toldOf(error) };
  }
}

/** An error with all its details. */
function toldOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { kind, expression, position } = error as Error & Record<string, unknown>;
  return { type: error.constructor, name: error.name, message: error.message, kind, expression, position };
}
