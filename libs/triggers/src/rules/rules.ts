import { fault, isFault, newId } from '@switchyard/base';
import { sameJson, toReference, toUid, type RuleRecord } from '@switchyard/model';
import type { TriggerAnnouncer } from '../dispatch';
import type { TriggersDependencies } from '../triggers';
import type { RuleTriggers } from '../rule-triggers';
import type { RuleDraft } from './check-rule';

/** Changes rules in the store together with their triggers. */
export interface Rules {
  /** @throws Fault `storage.duplicate`, and those of an invalid trigger */
  createRule(draft: RuleDraft): Promise<RuleRecord>;
  /** Replaces a rule, keeping its id. @throws Fault as `createRule`, `resource.changed-meanwhile` */
  replaceRule(before: RuleRecord, draft: RuleDraft): Promise<RuleRecord>;
  /** Creates or replaces a rule of a pack, and removes a rule of the same name from the pack `default`. */
  registerRule(draft: RuleDraft): Promise<RuleRecord>;
  /** @returns false when it did not exist */
  removeRule(rule: RuleRecord): Promise<boolean>;
}

const DEFAULT_PACK = 'default';

export function createRules(
  { store }: TriggersDependencies,
  triggers: RuleTriggers,
  announce: TriggerAnnouncer,
): Rules {
  const { rules } = store;

  const createRule: Rules['createRule'] = async (draft) => {
    const { type, parameters } = draft.trigger;
    const record = await triggers.withTrigger(type, parameters, ({ ref }) =>
      rules.insert(ruleRecord(draft, ref, newId())),
    );
    announce.ruleChanged('create', record);
    return record;
  };

  const replaceRule: Rules['replaceRule'] = async (before, draft) => {
    const { type, parameters } = draft.trigger;
    const record = await triggers.withTrigger(type, parameters, async ({ ref }) => {
      const next = ruleRecord(draft, ref, before._id);
      if (sameJson(next, before)) return next;
      if (!(await rules.replace(next))) throw fault('resource.changed-meanwhile', { id: before.ref });
      announce.ruleChanged('update', next);
      return next;
    });
    if (record.trigger !== before.trigger) await triggers.release(before.trigger);
    return record;
  };

  const removeRule: Rules['removeRule'] = async ({ _id, ref, trigger }) => {
    const removed = await rules.remove(_id);
    announce.ruleChanged('delete', { _id, ref });
    await triggers.release(trigger);
    return removed;
  };

  async function upsert(draft: RuleDraft): Promise<RuleRecord> {
    const ref = toReference(draft.pack, draft.name);
    const known = await rules.byKey(ref);
    if (known) return replaceRule(known, draft);
    try {
      return await createRule(draft);
    } catch (error) {
      const other = isFault(error) && error.code === 'storage.duplicate' ? await rules.byKey(ref) : undefined;
      if (!other) throw error;
      return replaceRule(other, draft);
    }
  }

  const registerRule: Rules['registerRule'] = async (draft) => {
    const record = await upsert({ ...draft, context: {} });
    const double = draft.pack === DEFAULT_PACK ? undefined : await rules.byKey(toReference(DEFAULT_PACK, draft.name));
    if (double) await removeRule(double);
    return record;
  };

  return { createRule, replaceRule, registerRule, removeRule };
}

const ruleRecord = (draft: RuleDraft, trigger: string, id: string): RuleRecord => ({
  ...draft,
  _id: id,
  ref: toReference(draft.pack, draft.name),
  uid: toUid('rule', draft.pack, draft.name),
  trigger,
});
