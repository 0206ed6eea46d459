import type { ExecutionRecord } from '@switchyard/model';

/** What log lines name of an execution. */
export const pointers = ({ _id, liveaction_id, action_ref }: ExecutionRecord) => ({
  execution_id: _id,
  liveaction_id,
  action: action_ref,
});
