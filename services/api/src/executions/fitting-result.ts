import type { ExecutionRecord } from '@switchyard/model';
import type { PageBudget } from '../lists/page-budget';

type View = Readonly<Record<string, unknown>>;

/**
 * The view of an execution in a list. A result that is too large for the list is not read.
 * @param wanted whether the result was requested
 */
export async function withFittingResult(
  { result, result_blob: blob }: Pick<ExecutionRecord, 'result' | 'result_blob'>,
  { wanted, budget }: { readonly wanted: boolean; readonly budget: PageBudget },
  viewWith: (options: { result: boolean }) => Promise<View>,
): Promise<View> {
  const size = blob?.bytes ?? (result === undefined ? 0 : Buffer.byteLength(result));
  const fits = !wanted || budget.take(size);
  const view = await viewWith({ result: fits });
  if (!fits) return budget.without(view, { attribute: 'result', size });
  budget.taken(view['result']);
  return view;
}
