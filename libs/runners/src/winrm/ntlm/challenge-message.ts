import { readTargetInfo, type TargetInfo } from './target-info';

/** What an NTLM server answers to the first message (MS-NLMP, 2.2.1.2). */
export interface Challenge {
  readonly flags: number;
  readonly nonce: Buffer;
  readonly targetInfo: TargetInfo;
  /** The whole message. */
  readonly bytes: Buffer;
}

export const SIGNATURE = Buffer.from('NTLMSSP\0', 'latin1');
const FIXED_BYTES = 48;
const CHALLENGE_TYPE = 2;

/** @returns undefined for what is no such message */
export function readChallenge(bytes: Buffer): Challenge | undefined {
  if (bytes.length < FIXED_BYTES || !bytes.subarray(0, 8).equals(SIGNATURE)) return undefined;
  if (bytes.readUInt32LE(8) !== CHALLENGE_TYPE) return undefined;
  const [length, offset] = [bytes.readUInt16LE(40), bytes.readUInt32LE(44)];
  if (offset + length > bytes.length) return undefined;
  const targetInfo = readTargetInfo(bytes.subarray(offset, offset + length));
  if (targetInfo === undefined) return undefined;
  return { flags: bytes.readUInt32LE(20), nonce: bytes.subarray(24, 32), targetInfo, bytes };
}
