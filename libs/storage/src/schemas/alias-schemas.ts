import { anything, flag, recordSchema, text, textNeeded } from './mixed';

export const actionAliasSchema = recordSchema({
  ref: textNeeded,
  uid: textNeeded,
  name: textNeeded,
  pack: textNeeded,
  description: text,
  enabled: flag,
  action_ref: textNeeded,
  formats: anything,
  ack: anything,
  result: anything,
  extra: anything,
  immutable_parameters: anything,
  metadata_file: text,
});
actionAliasSchema.index({ ref: 1 }, { unique: true });
actionAliasSchema.index({ pack: 1, name: 1 }, { unique: true });
actionAliasSchema.index({ name: 1 });
