import type { ExecutionRecord } from '@switchyard/model';
import { pointers } from './pointers';
import { retrying } from './retry';
import type { RunDeps } from './run-execution';

/** Waits for a store that is away rather than failing a run that could go on. */
export const persistently = <T>(
  { clock, logger }: Pick<RunDeps, 'clock' | 'logger'>,
  execution: ExecutionRecord,
  action: () => Promise<T>,
): Promise<T> =>
  retrying(action, {
    clock,
    onFailure: (error) =>
      logger.warn('The store does not answer; the run waits for it.', { ...pointers(execution), error }),
  });
