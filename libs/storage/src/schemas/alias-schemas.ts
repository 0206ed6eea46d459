import { anything, flag, packContent, recordSchema, textNeeded } from './mixed';

export const actionAliasSchema = recordSchema({
  ...packContent,
  enabled: flag,
  action_ref: textNeeded,
  formats: anything,
  ack: anything,
  result: anything,
  extra: anything,
  immutable_parameters: anything,
});
actionAliasSchema.index({ ref: 1 }, { unique: true });
actionAliasSchema.index({ pack: 1, name: 1 }, { unique: true });
actionAliasSchema.index({ name: 1 });
