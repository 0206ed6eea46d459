import { createHmac } from 'node:crypto';
import { md4 } from './legacy-crypto';
import { ATTRIBUTE, targetInfoBytes, type TargetInfo } from './challenge-message';

/** The user. `DOMAIN\user` has a domain; `user@domain` is a user name as a whole. */
export interface NtlmAccount {
  readonly domain: string;
  readonly user: string;
  readonly password: string;
}

export function ntlmAccount(username: string, password: string): NtlmAccount {
  const at = username.indexOf('\\');
  return at === -1
    ? { domain: '', user: username, password }
    : { domain: username.slice(0, at), user: username.slice(at + 1), password };
}

/** Proof of knowing the password (NTLMv2: MS-NLMP, 3.3.2). */
export interface NtlmProof {
  readonly ntResponse: Buffer;
  readonly lmResponse: Buffer;
  readonly sessionBaseKey: Buffer;
}

export interface ProofInput {
  readonly account: NtlmAccount;
  readonly serverNonce: Buffer;
  readonly clientNonce: Buffer;
  /** The server's attributes sent back to it, with those of the client. */
  readonly targetInfo: TargetInfo;
  /** Used when the server sends no time. */
  readonly now: Date;
}

export function ntlmProof({ account, serverNonce, clientNonce, targetInfo, now }: ProofInput): NtlmProof {
  const key = passwordKey(account);
  const serverTime = targetInfo.get(ATTRIBUTE.timestamp);
  const facts = Buffer.concat([
    Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]),
    serverTime ?? fileTime(now),
    clientNonce,
    Buffer.alloc(4),
    targetInfoBytes(targetInfo),
    Buffer.alloc(4),
  ]);
  const proof = hmacMd5(key, serverNonce, facts);
  const lmResponse = Buffer.concat([hmacMd5(key, serverNonce, clientNonce), clientNonce]);
  return {
    ntResponse: Buffer.concat([proof, facts]),
    // A server that sends its time does not accept the older response.
    lmResponse: serverTime === undefined ? lmResponse : Buffer.alloc(24),
    sessionBaseKey: hmacMd5(key, proof),
  };
}

export const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

export const hmacMd5 = (key: Buffer, ...parts: readonly Buffer[]): Buffer =>
  createHmac('md5', key).update(Buffer.concat(parts)).digest();

const passwordKey = ({ domain, user, password }: NtlmAccount): Buffer =>
  hmacMd5(md4(utf16(password)), utf16(user.toUpperCase() + domain));

const SECONDS_FROM_1601_TO_1970 = 11_644_473_600n;

/** Time in steps of 100 nanoseconds since 1601. */
function fileTime(time: Date): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE((BigInt(time.getTime()) + SECONDS_FROM_1601_TO_1970 * 1000n) * 10_000n);
  return bytes;
}
