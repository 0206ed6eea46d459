import { createHash } from 'node:crypto';

/** Where a connection goes to, as whom, and by which proof. */
export interface SshTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** In the order in which they are offered. */
  readonly proofs: readonly Proof[];
  /** The host through which this one is reached. */
  readonly via?: SshTarget;
}

/** A secret that shows who one is. */
export type Proof =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'key'; readonly text: string; readonly source: string; readonly passphrase?: string };

/** What connections may be shared by: one value for one target, from which no secret can be read. */
export const targetKey = (target: SshTarget): string =>
  createHash('sha256').update(JSON.stringify(target)).digest('base64');
