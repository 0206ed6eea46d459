import { fault, isFault } from '@switchyard/base';
import type { ActionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

type Actions = Pick<Store['actions'], 'insert' | 'replace' | 'byKey'>;

/** @throws Fault `storage.duplicate` that names the action which already has the reference */
export const insertAction = (actions: Actions, record: ActionRecord): Promise<ActionRecord> =>
  namingConflict(actions, record, () => actions.insert(record));

/** @throws Fault as `insertAction`, and `resource.changed-meanwhile` when the action no longer exists */
export const replaceAction = (actions: Actions, record: ActionRecord): Promise<ActionRecord> =>
  namingConflict(actions, record, async () => {
    if (!(await actions.replace(record))) throw fault('resource.changed-meanwhile', { id: record.ref });
    return record;
  });

/** Replaces an action with another one that has its own id. If that fails, the former action is restored. */
export async function overwriteAction(
  actions: Actions & Pick<Store['actions'], 'remove'>,
  former: ActionRecord,
  record: ActionRecord,
): Promise<ActionRecord> {
  await actions.remove(former._id);
  try {
    return await insertAction(actions, record);
  } catch (error) {
    await actions.insert(former).catch(() => undefined);
    throw error;
  }
}

async function namingConflict<T>(actions: Actions, { ref }: ActionRecord, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
    const taken = await actions.byKey(ref);
    const extra = { 'conflict-id': taken?._id ?? null };
    throw fault('storage.duplicate', { text: `ref: "${ref}"` }, { cause: error, extra });
  }
}
