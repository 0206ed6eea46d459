import type { Guarded } from '@switchyard/http';
import { executionsOfActions, OPEN_INQUIRIES, parentsOfExecution } from '@switchyard/executions';
import { toUid, type ExecutionRecord } from '@switchyard/model';
import { allFilters, anyFilter, isOneOf } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { among, type Visibility } from '../permissions/visible-records';

type Deps = Pick<ApiDependencies, 'executions'>;

/** Grants on this uid apply to all inquiries. */
const ALL_INQUIRIES = toUid('inquiry', '');

/** Users who may run a workflow may answer its questions. */
export const visibleInquiries = ({ executions: { records } }: Deps): Visibility<ExecutionRecord> => ({
  permission: 'inquiry_view',
  async matching(granted) {
    if (granted.uids.includes(ALL_INQUIRIES)) return [{}];
    const own = among<ExecutionRecord>('_id', granted.names('inquiry'));
    const actions = executionsOfActions(granted);
    if (actions.length === 0) return own;
    const open = await records.list({ filter: OPEN_INQUIRIES, fields: ['parent'] });
    const parents = new Set(open.flatMap(({ parent }) => (parent === undefined ? [] : [parent])));
    const filter = allFilters<ExecutionRecord>([{ _id: isOneOf(parents) }, anyFilter(actions)]);
    const granting = await records.list({ filter, fields: ['_id'] });
    const alone = actions.map((action) => allFilters<ExecutionRecord>([{ parent: null }, action]));
    return [
      ...own,
      ...among<ExecutionRecord>(
        'parent',
        granting.map(({ _id }) => _id),
      ),
      ...alone,
    ];
  },
});

const FIELDS = ['action_ref', 'parent'] as const;

/** The inquiry that a path names. If it is not part of a workflow, its own action determines the permission. */
export async function guardedInquiry({ executions: { records } }: Deps, id: string): Promise<Guarded> {
  const [inquiry] = await records.list({ filter: { _id: id }, limit: 1, fields: FIELDS });
  const [parent] = inquiry?.parent
    ? await records.list({ filter: { _id: inquiry.parent }, limit: 1, fields: FIELDS })
    : [inquiry];
  return {
    uid: toUid('inquiry', id),
    parents: [ALL_INQUIRIES, ...(parent ? parentsOfExecution(parent) : [])],
  };
}
