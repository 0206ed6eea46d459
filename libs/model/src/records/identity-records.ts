import type { Id } from '@switchyard/base';

export interface UserRecord {
  _id: Id;
  name: string;
  is_service: boolean;
  nicknames: Record<string, string>;
}

export interface TokenRecord {
  _id: Id;
  user: string;
  /** SHA-256 of the token: the token itself is known to its holder only. */
  token_hash: string;
  /** A date, so that the store's own expiry can remove the record. */
  expiry: Date;
  metadata: Record<string, unknown>;
  service: boolean;
}

export interface ApiKeyRecord {
  _id: Id;
  uid: string;
  user: string;
  key_hash: string;
  metadata: Record<string, unknown>;
  created_at: number;
  enabled: boolean;
}
