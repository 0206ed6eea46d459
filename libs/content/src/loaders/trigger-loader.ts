import { toReference } from '@switchyard/model';
import { checkTriggerType, type TriggerTypeDraft } from '@switchyard/triggers';
import { issuesOf, type Checked, type Issue, checkPackField } from '../check/issue';
import type { ContentRecord, Draft, FilePlace, Loader } from './loader';

/** A trigger type from a file; the rest of the record is derived from it. */
type TriggerFile = ContentRecord & TriggerTypeDraft;

export const triggerLoader: Loader<TriggerFile> = {
  type: 'trigger',
  plural: 'triggers',
  folder: 'triggers',
  otherFiles: [],
  implies: [],
  remembers: false,
  inspect,
  stored: (store, pack) => store.triggerTypes.list({ filter: { pack } }),
  write: async (draft, _stored, { triggers }) => {
    await triggers.registerType(draft);
  },
  provides: (draft) => [draft],
};

function inspect(content: Record<string, unknown>, { pack, metadataFile }: FilePlace): Checked<Draft<TriggerFile>> {
  let type: TriggerTypeDraft | undefined;
  const issues = [
    ...checkPackField(content, pack),
    ...issuesOf([], () => {
      type = checkTriggerType({ ...content, pack });
    }).map(located),
  ];
  if (!type || issues.length > 0) return { issues };
  return { value: { ...type, ref: toReference(pack, type.name), metadata_file: metadataFile }, issues: [] };
}

/** Schema violations name their field; the error for a missing name is clear without one. */
function located(found: Issue): Issue {
  const field = found.fault?.extra['field'];
  return typeof field === 'string' ? { ...found, path: field.split('.') } : found;
}
