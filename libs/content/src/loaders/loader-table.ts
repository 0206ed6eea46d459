import { newId } from '@switchyard/base';
import {
  type ActionRecord,
  type SensorTypeRecord,
  checkPolicy,
  type PolicyDraft,
  type PolicyRecord,
} from '@switchyard/model';
import type { TriggerTypeDraft } from '@switchyard/triggers';
import { inspectAction } from '../actions/inspect-action';
import { issuesOf, type Checked, checkPackField } from '../check/issue';
import { writeRecord } from '../registrar/write-record';
import { inspectSensor, type SensorFile } from '../sensors/inspect-sensor';
import { writeSensor } from '../sensors/write-sensor';
import { aliasLoader } from './alias-loader';
import type { Loader, FilePlace } from './loader';
import { ruleLoader } from './rule-loader';
import { triggerLoader } from './trigger-loader';

const actionLoader: Loader<ActionRecord> = {
  type: 'action',
  plural: 'actions',
  folder: 'actions',
  otherFiles: ['config.yaml', 'config.yml'],
  implies: ['runners'],
  remembers: true,
  inspect: inspectAction,
  stored: (store, pack) => store.actions.origins(pack),
  write: async (draft, stored, { store: { actions } }) =>
    writeRecord(actions, draft.ref, draft, stored && (await actions.byKey(draft.ref))),
  // The drafts themselves become the records: copies of thousands would stay in memory until a full collection.
  insertAll: (drafts, { store }) =>
    store.actions.insertAll(drafts.map((draft) => Object.assign(draft, { _id: newId() }))),
};

const sensorLoader: Loader<SensorFile> = {
  type: 'sensor',
  plural: 'sensors',
  folder: 'sensors',
  otherFiles: [],
  implies: [],
  remembers: false,
  inspect: inspectSensor,
  stored: (store, pack) => store.sensorTypes.list({ filter: { pack } }),
  async write({ provided, ...draft }, stored, target) {
    for (const type of provided) await target.triggers.registerType(type);
    await writeSensor(draft, stored as SensorTypeRecord | undefined, target);
  },
  provides: ({ provided }): readonly TriggerTypeDraft[] => provided,
};

export const policyLoader: Loader<PolicyRecord> = {
  type: 'policy',
  plural: 'policies',
  folder: 'policies',
  otherFiles: [],
  implies: ['policy_types'],
  remembers: false,
  inspect,
  stored: (store, pack) => store.policies.list({ filter: { pack } }),
  write: (draft, stored, { store }) =>
    writeRecord(store.policies, draft.ref, draft, stored as PolicyRecord | undefined),
};

function inspect(content: Record<string, unknown>, { pack, metadataFile }: FilePlace): Checked<PolicyDraft> {
  let policy: PolicyDraft | undefined;
  const issues = [
    ...checkPackField(content, pack),
    ...issuesOf([], () => {
      policy = checkPolicy({ ...content, pack, metadata_file: metadataFile });
    }),
  ];
  return policy && issues.length === 0 ? { value: policy, issues: [] } : { issues };
}

/** Every kind of content, in order of registration. To add a kind, add a row. */
export const loaders: readonly Loader[] = [
  triggerLoader,
  sensorLoader,
  actionLoader,
  ruleLoader,
  aliasLoader,
  policyLoader,
];
