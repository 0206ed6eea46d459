import { retrying } from '@switchyard/host';
import type { ExecutionRecord } from '@switchyard/model';
import { isUnreachable } from '@switchyard/storage';
import type { RunDeps } from './run-execution';

/** Number of attempts while the store is unavailable: about five minutes. */
const TRIES = 35;

/**
 * Retries while the store is unavailable, rather than failing a run that could go on. Any other error is rethrown at
 * once.
 */
export const persistently = <T>(
  { clock, logger }: Pick<RunDeps, 'clock' | 'logger'>,
  execution: ExecutionRecord,
  action: () => Promise<T>,
): Promise<T> =>
  retrying(action, {
    clock,
    again(error, attempt) {
      if (!isUnreachable(error) || attempt >= TRIES) return false;
      logger.warn('The store is unavailable; the run is waiting for it.', { ...pointers(execution), error });
      return true;
    },
  });

/** The fields of an execution that log lines carry. */
export const pointers = ({ _id, liveaction_id, action_ref }: ExecutionRecord) => ({
  execution_id: _id,
  liveaction_id,
  action: action_ref,
});
