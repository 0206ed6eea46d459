import { checkPolicy, type PolicyDraft, type PolicyRecord } from '@switchyard/model';
import { issuesOf, type Checked } from '../check/issue';
import { checkPackField } from '../check/pack-field';
import { writeRecord } from '../registrar/write-record';
import type { FilePlace, Loader } from './loader';

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
