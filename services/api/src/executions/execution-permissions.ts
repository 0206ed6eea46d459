import { fault } from '@switchyard/base';
import { INQUIRER, parentsOfExecution, permittedExecutions } from '@switchyard/executions';
import type { Guarded, Requester, RouteRequest } from '@switchyard/http';
import { toUid, type ExecutionRecord, type Status } from '@switchyard/model';
import { anyFilter, type Filter } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { isIsolated, visibleRecords, type Visibility } from '../permissions/visible-records';

type Deps = Pick<ApiDependencies, 'executions' | 'config' | 'identities'>;
export type ExecutionNamed = Pick<RouteRequest<unknown, { readonly id: string }>, 'params' | 'requester'>;
type Permitting = Pick<ExecutionRecord, '_id' | 'action_ref' | 'context' | 'runner_name'>;

/** Stands for the id of the newest execution that the requester may view. */
export const LAST = 'last';

const FIELDS = ['action_ref', 'context', 'runner_name'] as const;

export const visibleExecutions: Visibility<ExecutionRecord> = {
  permission: 'execution_view',
  owner: 'context.user',
  matching: permittedExecutions,
};

/**
 * The executions below one that somebody may view: their own, and those that they may view anyway. Whoever runs a workflow sees
 * its parts without a permission on the action of each.
 */
export async function visibleBelow(deps: Deps, viewer: Requester): Promise<Filter<ExecutionRecord>> {
  const everything: Filter<ExecutionRecord> = {};
  const visible = await visibleRecords(deps, viewer, visibleExecutions, everything);
  return visible === everything ? everything : anyFilter([{ 'context.user': viewer.user }, visible]);
}

/**
 * The execution that a path names. For the word `last`, the newest visible one is taken, which needs no check.
 * @param read reads the record of a request; by default, only what permissions need
 */
export const guardedExecution =
  <R extends ExecutionNamed>(
    deps: Deps,
    read: (request: R) => Promise<Permitting | undefined> = (request) => partOfExecution(deps, request),
  ) =>
  async (request: R): Promise<Guarded | undefined> => {
    const { params, requester } = request;
    if (params.id === LAST) return undefined;
    return guarded(deps, requester, params.id, await read(request));
  };

/** What permissions need of the execution that a path names. */
export async function partOfExecution(
  { executions }: Pick<Deps, 'executions'>,
  { params: { id } }: Pick<ExecutionNamed, 'params'>,
): Promise<Permitting | undefined> {
  return (await executions.records.list({ filter: { _id: id }, limit: 1, fields: FIELDS }))[0];
}

/** The execution of a live action. */
export const guardedLiveaction =
  (deps: Deps) =>
  async ({ params: { id }, requester }: ExecutionNamed): Promise<Guarded> =>
    guarded(deps, requester, id, await deps.executions.records.getByLiveaction(id));

/**
 * Users who may stop an inquiry may cancel it, but only those whom it asks may answer it.
 * @throws Fault `inquiry.answered-elsewhere` unless an administrator asks
 */
export async function refuseAnswer(
  deps: Pick<Deps, 'executions'>,
  { params, requester }: ExecutionNamed,
  status: Status,
): Promise<void> {
  if (requester.isAdmin || CANCELING.includes(status)) return;
  const record = await partOfExecution(deps, { params });
  if (record?.runner_name === INQUIRER) throw fault('inquiry.answered-elsewhere', { id: params.id });
}

const CANCELING: readonly Status[] = ['canceling', 'canceled'];

function guarded(
  deps: Deps,
  requester: RouteRequest['requester'],
  id: string,
  record: Permitting | undefined,
): Guarded {
  const uid = toUid('execution', id);
  if (!record) return { uid };
  const owner = isIsolated(deps, requester) ? { owner: String(record.context['user']) } : {};
  return { uid, parents: [toUid('execution', record._id), ...parentsOfExecution(record)], ...owner };
}
