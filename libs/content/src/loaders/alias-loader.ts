import { recordChange } from '@switchyard/messaging';
import { checkAlias, type ActionAliasDraft, type ActionAliasRecord } from '@switchyard/model';
import { issuesOf, type Checked, type Issue, checkPackField } from '../check/issue';
import { isSameRecord, writeRecord } from '../registrar/write-record';
import type { ContentTarget, FilePlace, Loader } from './loader';

export const aliasLoader: Loader<ActionAliasRecord> = {
  type: 'alias',
  plural: 'aliases',
  folder: 'aliases',
  otherFiles: [],
  implies: [],
  remembers: false,
  inspect,
  stored: (store, pack) => store.actionAliases.list({ filter: { pack } }),
  write: (draft, stored, target) => write(draft, stored as ActionAliasRecord | undefined, target),
};

function inspect(
  content: Record<string, unknown>,
  { pack, metadataFile, maxPatternLength }: FilePlace,
): Checked<ActionAliasDraft> {
  let alias: ActionAliasDraft | undefined;
  const issues = [
    ...checkPackField(content, pack),
    ...issuesOf([], () => {
      alias = checkAlias({ ...content, pack, metadata_file: metadataFile }, maxPatternLength);
    }).map(located),
  ];
  return alias && issues.length === 0 ? { value: alias, issues: [] } : { issues };
}

const AT_FORMATS: ReadonlySet<string> = new Set(['alias.invalid-format', 'request.pattern-too-long']);

function located(found: Issue): Issue {
  if (AT_FORMATS.has(found.fault?.code ?? '')) return { ...found, path: ['formats'] };
  const { field } = found.fault?.extra ?? {};
  return typeof field === 'string' ? { ...found, path: field.split('.') } : found;
}

/** Announces the change, because chat bots then reload the aliases. */
async function write(
  draft: ActionAliasDraft,
  stored: ActionAliasRecord | undefined,
  { store, publisher }: ContentTarget,
): Promise<void> {
  if (stored && isSameRecord({ ...draft, _id: stored._id }, stored)) return;
  await writeRecord(store.actionAliases, draft.ref, draft, stored);
  const now = await store.actionAliases.byKey(draft.ref);
  if (!now) return;
  await publisher
    ?.publish(recordChange({ record: 'actionalias', change: stored ? 'update' : 'create', id: now._id, ref: now.ref }))
    .catch(() => undefined);
}
