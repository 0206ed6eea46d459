import { fault, isFault, newId } from '@switchyard/base';
import { parseReference, sameJson, type TriggerTypeRecord } from '@switchyard/model';
import type { TriggerAnnouncer } from '../dispatch';
import type { TriggersDependencies } from '../triggers';
import { builtInTypes, type BuiltInType } from '../built-in-types';
import { insertTrigger, triggerRecord } from '../trigger-record';
import type { RuleTriggers } from '../rule-triggers';
import { isSimple, triggerTypeRecord, type TriggerTypeDraft } from './trigger-type-draft';

export interface TriggerTypes {
  /**
   * Stores the built-in trigger types and removes abandoned triggers. Unchanged types are not written. Safe to run in
   * several processes at once.
   */
  registerBuiltIn(): Promise<void>;
  /** Creates or replaces a type. A simple type gets its trigger. */
  registerType(draft: TriggerTypeDraft): Promise<TriggerTypeRecord>;
  /** @throws Fault `storage.duplicate` */
  createType(draft: TriggerTypeDraft): Promise<TriggerTypeRecord>;
  /** @throws Fault `storage.duplicate` when another type has the name, `resource.changed-meanwhile` */
  replaceType(before: TriggerTypeRecord, draft: TriggerTypeDraft): Promise<TriggerTypeRecord>;
  /** Removes a type, and its trigger unless a rule uses it. @returns false when the type did not exist */
  removeType(type: TriggerTypeRecord): Promise<boolean>;
}

export function createTriggerTypes(
  { store, config }: TriggersDependencies,
  announce: TriggerAnnouncer,
  { release, releaseAbandoned }: Pick<RuleTriggers, 'release' | 'releaseAbandoned'>,
): TriggerTypes {
  const { triggerTypes, triggers } = store;

  /** Creates the trigger of a simple type. Removes that of a type that is no longer simple, unless a rule uses it. */
  async function settle(type: TriggerTypeRecord): Promise<TriggerTypeRecord> {
    const { ref, name, pack } = type;
    if (!isSimple(type)) await release(ref);
    else if (!(await triggers.byKey(ref))) {
      const { trigger, created } = await insertTrigger(
        triggers,
        triggerRecord({ name, pack, type: ref, parameters: {} }),
      );
      if (created) announce.changed('create', trigger);
    }
    return type;
  }

  const createType: TriggerTypes['createType'] = async (draft) =>
    settle(await triggerTypes.insert({ ...triggerTypeRecord(draft), _id: newId() }));

  const replaceType: TriggerTypes['replaceType'] = async (before, draft) => {
    const record = { ...triggerTypeRecord(draft), _id: before._id };
    if (!sameJson(record, before) && !(await triggerTypes.replace(record)))
      throw fault('resource.changed-meanwhile', { id: before.ref });
    if (record.ref !== before.ref) await release(before.ref);
    return settle(record);
  };

  const registerType: TriggerTypes['registerType'] = async (draft) => {
    const { ref } = triggerTypeRecord(draft);
    const known = await triggerTypes.byKey(ref);
    if (known) return replaceType(known, draft);
    try {
      return await createType(draft);
    } catch (error) {
      const other = isFault(error) && error.code === 'storage.duplicate' ? await triggerTypes.byKey(ref) : undefined;
      if (!other) throw error;
      return replaceType(other, draft);
    }
  };

  return {
    registerType,
    createType,
    replaceType,
    async registerBuiltIn() {
      for (const type of builtInTypes(config.action_sensor.enable)) await registerType(draftOf(type));
      await releaseAbandoned();
    },
    async removeType({ _id, ref }) {
      const removed = await triggerTypes.remove(_id);
      await release(ref);
      return removed;
    },
  };
}

function draftOf({ ref, ...schemas }: BuiltInType): TriggerTypeDraft {
  const { pack, name } = parseReference(ref) ?? { pack: '', name: ref };
  return { pack, name, ...schemas };
}
