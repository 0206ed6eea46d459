import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient, type ExecutionRow, type ShownExecution } from '../api/client';
import { taskNameOf } from './child-executions';

/** What is known of an execution on the way from a failure to its cause. */
export type FailedExecution = Pick<ExecutionRow, 'id' | 'action' | 'status' | 'context' | 'result' | 'result_size'>;

const ATTRIBUTES = 'id,action.ref,status,context,result,start_timestamp';

/** Workflows that are nested deeper than this are shown as the cause themselves. */
const DEEPEST = 20;
/** Of many failed tasks and items, the newest are enough. */
const MOST_FAILURES = 100;

/**
 * The failed executions below a failed one: each was requested by the previous one, and its failure made that fail. The last one
 * is the cause. It is empty for an execution that failed by itself.
 */
export const failedPath = ({ id, end_timestamp: end, result }: ShownExecution) =>
  queryOptions({
    // A workflow that is run again ends again.
    queryKey: ['failed path', id, end],
    queryFn: async (): Promise<readonly FailedExecution[]> => {
      const path: FailedExecution[] = [];
      let current: Pick<FailedExecution, 'id' | 'result'> | undefined = { id, result };
      while (current && path.length < DEEPEST) {
        current = causeAmong(await failedChildrenOf(current.id), current.result);
        if (current) path.push(current);
      }
      return path;
    },
    staleTime: Infinity,
  });

async function failedChildrenOf(parent: string): Promise<readonly FailedExecution[]> {
  const query = {
    parent,
    status: 'failed,timeout,abandoned',
    include_attributes: ATTRIBUTES,
    limit: MOST_FAILURES,
    sort_desc: '1',
  };
  return answerTo(apiClient.GET('/api/v1/executions', { params: { query: query as never } }));
}

/**
 * The failure that made the workflow fail: that of the first task among its errors. Handled failures are not among them; if
 * nothing else has failed, the workflow ended with `fail` after the newest one.
 * @param failures newest first
 */
function causeAmong(failures: readonly FailedExecution[], result: unknown): FailedExecution | undefined {
  const named = errorsOf(result).map(({ task_id: task }) =>
    failures.find((each) => task !== undefined && taskNameOf(each) === task),
  );
  return named.find((each) => each !== undefined) ?? failures[0];
}

/** An error in the result of a workflow. */
interface WorkflowError {
  readonly message?: string;
  readonly task_id?: string;
}

export function errorsOf(result: unknown): readonly WorkflowError[] {
  const errors = (result as { errors?: unknown } | null | undefined)?.errors;
  return Array.isArray(errors) ? (errors as WorkflowError[]) : [];
}
