import type { ActionRecord } from '@switchyard/model';
import { inspectAction } from '../actions/inspect-action';
import { writeRecord } from '../registrar/write-record';
import type { Loader } from './loader';

export const actionLoader: Loader<ActionRecord> = {
  type: 'action',
  plural: 'actions',
  folder: 'actions',
  otherFiles: ['config.yaml', 'config.yml'],
  implies: ['runners'],
  remembers: true,
  inspect: inspectAction,
  stored: (store, pack) => store.actions.list({ filter: { pack } }),
  write: (draft, stored, { store }) => writeRecord(store.actions, draft.ref, draft, stored as ActionRecord | undefined),
};
