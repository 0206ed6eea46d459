import { askHost, type Evaluation } from '../../src/turns/evaluation';
import { ThreadEvaluation } from '../../src/threads/thread-evaluation';

/** What came of an evaluation, in a form that can be compared. */
export type Came = { readonly value: unknown } | { readonly error: unknown };

/** Evaluates in a thread, whatever it takes. */
export async function inThread(evaluation: Evaluation): Promise<Came> {
  const run = new ThreadEvaluation(evaluation);
  for (;;) {
    const step = await run.proceed();
    if (step === 'impossible') throw new Error('It cannot be sent to a thread.');
    if (step !== 'asks') return step.failed ? { error: toldOf(step.outcome) } : { value: step.outcome };
    run.answer((question) => askHost(evaluation, question));
  }
}

/** Evaluates it here. */
export function here(work: () => unknown): Came {
  try {
    return { value: work() };
  } catch (error) {
    return { error: toldOf(error) };
  }
}

/** Errors with all that they say of themselves. */
function toldOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { kind, expression, position } = error as Error & Record<string, unknown>;
  return { type: error.constructor, name: error.name, message: error.message, kind, expression, position };
}
