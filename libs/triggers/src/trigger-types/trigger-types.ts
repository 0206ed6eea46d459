import { fault, isFault, newId } from '@switchyard/base';
import { parseReference, sameJson, type TriggerTypeRecord } from '@switchyard/model';
import type { Announcer } from '../announce';
import { builtInTypes } from '../built-in';
import type { BuiltInType } from '../built-in/built-in-type';
import { insertTrigger } from '../find-triggers';
import type { RuleTriggers } from '../rule-triggers';
import { triggerRecord } from '../trigger-record';
import type { TriggersDependencies } from '../triggers-dependencies';
import { isSimple, triggerTypeRecord, type TriggerTypeDraft } from './trigger-type-draft';

export interface TriggerTypes {
  /**
   * Stores the trigger types of the product, and clears up after processes that were killed. What is as it was costs no
   * write; several processes may do so at once.
   */
  registerBuiltIn(): Promise<void>;
  /** Stores a type under its reference, whether or not there is one. A simple type gets its one trigger. */
  registerType(draft: TriggerTypeDraft): Promise<TriggerTypeRecord>;
  /** Stores a new type. @throws Fault `storage.duplicate` */
  createType(draft: TriggerTypeDraft): Promise<TriggerTypeRecord>;
  /** @throws Fault `storage.duplicate` for a name that another type has, `resource.changed-meanwhile` */
  replaceType(before: TriggerTypeRecord, draft: TriggerTypeDraft): Promise<TriggerTypeRecord>;
  /** Removes a type, and its trigger once no rule listens to it. @returns false when it was gone */
  removeType(type: TriggerTypeRecord): Promise<boolean>;
}

export function createTriggerTypes(
  { store, config }: TriggersDependencies,
  announce: Announcer,
  { release, releaseAbandoned }: Pick<RuleTriggers, 'release' | 'releaseAbandoned'>,
): TriggerTypes {
  const { triggerTypes, triggers } = store;

  /** A simple type has one trigger of its name; one that used to be simple has none, but for rules that listen to it. */
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
