import { randomBytes } from 'node:crypto';
import { readChallenge, SIGNATURE, type Challenge } from './challenge-message';
import { FLAG, has, WANTED } from './ntlm-flags';
import { hmacMd5, ntlmProof, utf16, type NtlmAccount } from './ntlm-proof';
import { Rc4 } from './rc4';
import { ATTRIBUTE, type TargetInfo } from './target-info';

/** Windows 10, the NTLM of 2003: a version has to be told. */
const VERSION = Buffer.from([10, 0, 0, 0, 0, 0, 0, 15]);

/** The first message (MS-NLMP, 2.2.1.1). */
export const negotiateMessage = (): Buffer =>
  Buffer.concat([SIGNATURE, uint32(1), uint32(WANTED), Buffer.alloc(16), VERSION]);

export interface Authentication {
  readonly message: Buffer;
  readonly flags: number;
  /** From which the keys of the messages that follow are made. */
  readonly sessionKey: Buffer;
}

export interface AuthenticationInput {
  readonly account: NtlmAccount;
  /** The answer to the first message. */
  readonly challenge: Buffer;
  /** Of the encrypted connection, if it is one. */
  readonly channelBinding?: Buffer;
  readonly random?: (bytes: number) => Buffer;
  readonly now?: Date;
}

/** The third message (MS-NLMP, 2.2.1.3). @returns undefined when the challenge is none, or one of a kind that is not spoken */
export function authenticate({ random = randomBytes, now = new Date(), ...input }: AuthenticationInput) {
  const challenge = readChallenge(input.challenge);
  if (challenge === undefined || !has(challenge.flags, FLAG.unicode)) return undefined;
  const flags = (challenge.flags & WANTED) >>> 0;
  const targetInfo = answeredInfo(challenge, input.channelBinding);
  const { account } = input;
  const proof = ntlmProof({ account, serverNonce: challenge.nonce, clientNonce: random(8), targetInfo, now });
  const isExchanged = has(flags, FLAG.keyExchange);
  const sessionKey = isExchanged ? random(16) : proof.sessionBaseKey;
  const message = authenticateMessage(flags, [
    proof.lmResponse,
    proof.ntResponse,
    utf16(account.domain),
    utf16(account.user),
    Buffer.alloc(0),
    isExchanged ? new Rc4(proof.sessionBaseKey).apply(sessionKey) : Buffer.alloc(0),
  ]);
  // Where the server tells the time, a code over all three messages shows that nobody has changed one.
  if (targetInfo.has(ATTRIBUTE.timestamp)) {
    hmacMd5(sessionKey, negotiateMessage(), challenge.bytes, message).copy(message, MIC_OFFSET);
  }
  return { message, flags, sessionKey } satisfies Authentication;
}

const MIC_FOLLOWS = 2;

function answeredInfo({ targetInfo }: Challenge, channelBinding: Buffer | undefined): TargetInfo {
  const answered = new Map(targetInfo);
  if (answered.has(ATTRIBUTE.timestamp)) {
    answered.set(ATTRIBUTE.flags, uint32((answered.get(ATTRIBUTE.flags)?.readUInt32LE() ?? 0) | MIC_FOLLOWS));
  }
  if (channelBinding !== undefined) answered.set(ATTRIBUTE.channelBinding, channelBinding);
  return answered;
}

const MIC_OFFSET = 72;
const PAYLOAD_OFFSET = 88;

/** @param fields in the order in which the head points to them */
function authenticateMessage(flags: number, fields: readonly Buffer[]): Buffer {
  let offset = PAYLOAD_OFFSET;
  const pointers = fields.map(({ length }) => {
    const pointer = Buffer.alloc(8);
    pointer.writeUInt16LE(length, 0);
    pointer.writeUInt16LE(length, 2);
    pointer.writeUInt32LE(offset, 4);
    offset += length;
    return pointer;
  });
  return Buffer.concat([SIGNATURE, uint32(3), ...pointers, uint32(flags), VERSION, Buffer.alloc(16), ...fields]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
