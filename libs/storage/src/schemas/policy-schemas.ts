import { anything, flag, integer, packContent, recordSchema, textNeeded, texts } from './mixed';

export const policySchema = recordSchema({
  ...packContent,
  enabled: flag,
  resource_ref: textNeeded,
  policy_type: textNeeded,
  parameters: anything,
});
policySchema.index({ ref: 1 }, { unique: true });
policySchema.index({ pack: 1, name: 1 }, { unique: true });
policySchema.index({ resource_ref: 1, policy_type: 1 }, { unique: true });

/** Who takes up the room of policies. */
export const limitSchema = recordSchema({ revision: integer, holders: texts, starts: anything });
limitSchema.index({ holders: 1 });
