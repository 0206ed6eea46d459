import { fault } from '@switchyard/base';
import { fieldsOfAttributes } from '@switchyard/executions';
import type { AttributeRules, AttributeSelection, RouteRequest } from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { attributeNames, executionAnswer } from '@switchyard/model/resources';
import type { RecordPath } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import type { PageBudget } from '../lists/page-budget';
import { visibleRecords } from '../permissions/visible-records';
import { LAST, visibleExecutions } from './execution-permissions';

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

/** The attributes of executions that clients can select. Masking needs the others. */
export const executionAttributes: AttributeRules = {
  known: attributeNames(executionAnswer),
  excludable: ['result', 'trigger_instance', 'status'],
  deep: ['result'],
};

/** Reduces a view, which has only the selected attributes, to their selected parts. */
export const selectedParts = (
  { included, apply }: AttributeSelection,
  view: Record<string, unknown>,
): Record<string, unknown> => (included ? apply(view) : view);

/** The stored fields that a selection needs; undefined for all of them. Large fields are read only on request. */
export const selectedFields = ({ included, excluded, wants }: AttributeSelection) =>
  included || excluded.size > 0 ? fieldsOfAttributes(wants) : undefined;

/**
 * Finds the execution that a path names by id, or the newest one that the requester may view by the word `last`.
 * @param fields stored fields to read; all when absent
 * @throws Fault `execution.not-found`, `execution.none`
 */
export async function findExecution(
  deps: Pick<ApiDependencies, 'executions' | 'config' | 'identities'>,
  { params: { id }, requester }: Pick<RouteRequest<unknown, { readonly id: string }>, 'params' | 'requester'>,
  fields?: readonly RecordPath<ExecutionRecord>[],
): Promise<ExecutionRecord> {
  const { records } = deps.executions;
  if (!fields && id !== LAST) return found(await records.get(id), id);
  const parts = fields ? { fields } : {};
  if (id !== LAST) return found((await records.list({ filter: { _id: id }, limit: 1, ...parts }))[0], id);
  const filter = await visibleRecords(deps, requester, visibleExecutions);
  const [newest] = await records.list({ filter, sort: { start_timestamp: -1 }, limit: 1, ...parts });
  if (!newest) throw fault('execution.none');
  return newest;
}

function found(record: ExecutionRecord | undefined, id: string): ExecutionRecord {
  if (!record) throw fault('execution.not-found', { id });
  return record;
}
