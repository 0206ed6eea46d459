import { anything, flag, integer, recordSchema, text, textNeeded, texts } from './mixed';

export const policySchema = recordSchema({
  ref: textNeeded,
  uid: textNeeded,
  name: textNeeded,
  pack: textNeeded,
  description: text,
  enabled: flag,
  resource_ref: textNeeded,
  policy_type: textNeeded,
  parameters: anything,
  metadata_file: text,
});
policySchema.index({ ref: 1 }, { unique: true });
policySchema.index({ pack: 1, name: 1 }, { unique: true });
policySchema.index({ resource_ref: 1, policy_type: 1 }, { unique: true });

/** Who takes up the room of policies. */
export const limitSchema = recordSchema({ revision: integer, holders: texts, starts: anything });
limitSchema.index({ holders: 1 });
