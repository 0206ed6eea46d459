import type { ActionRecord } from '@switchyard/model';
import { inspectAction } from '../actions/inspect-action';
import type { Loader } from './loader';

export const actionLoader: Loader<ActionRecord> = {
  type: 'action',
  plural: 'actions',
  folder: 'actions',
  otherFiles: ['config.yaml', 'config.yml'],
  implies: ['runners'],
  inspect: inspectAction,
  repository: (store) => store.actions,
};
