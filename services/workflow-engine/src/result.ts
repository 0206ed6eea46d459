import { chainResult } from './chain-result';
import type { Engine } from './engine';
import { call, type Run } from './run';

/** What the execution of a run shows when it has ended. */
export async function resultOf(engine: Engine, run: Run): Promise<Record<string, unknown>> {
  const output = await outputOf(engine, run);
  if (run.definition.chain) return chainResult(engine, run);
  const { errors, status } = run.conductor;
  // Clients take a result with errors for that of a failure; what was taken care of, or tried again, is none.
  const areShown = ABENDED.includes(status) || undoes(run);
  return { output, ...(errors.length > 0 && areShown ? { errors } : {}) };
}

const ABENDED: readonly string[] = ['failed', 'timeout', 'abandoned'];

/** What could not be undone has to be known, whatever the outcome was. */
const undoes = ({ definition: { spec } }: Run): boolean =>
  [...spec.tasks.values()].some(({ rollback }) => rollback !== undefined);

/** Of a run that has ended. One whose inputs or variables could not be rendered has none, and nothing that could be in it. */
export const outputOf = async (engine: Engine, run: Run): Promise<unknown> =>
  run.isStillborn ? null : call(engine, run, (options) => run.conductor.output(options));
