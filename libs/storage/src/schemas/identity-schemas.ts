import { anything, date, flag, integer, recordSchema, textNeeded } from './mixed';

export const userSchema = recordSchema({ name: textNeeded, is_service: flag, nicknames: anything });
userSchema.index({ name: 1 }, { unique: true });

export const tokenSchema = recordSchema({
  user: textNeeded,
  token_hash: textNeeded,
  expiry: date,
  metadata: anything,
  service: flag,
});
tokenSchema.index({ token_hash: 1 }, { unique: true });
// An expired token stays for a day, so that its holder is told that it has expired.
tokenSchema.index({ expiry: 1 }, { expireAfterSeconds: 24 * 60 * 60 });

export const apiKeySchema = recordSchema({
  uid: textNeeded,
  user: textNeeded,
  key_hash: textNeeded,
  metadata: anything,
  created_at: integer,
  enabled: flag,
});
apiKeySchema.index({ key_hash: 1 }, { unique: true });
