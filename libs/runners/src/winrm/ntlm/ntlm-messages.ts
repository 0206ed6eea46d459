import { randomBytes } from 'node:crypto';
import { readChallenge, SIGNATURE, type Challenge, ATTRIBUTE, type TargetInfo } from './challenge-message';
import { hmacMd5, ntlmProof, utf16, type NtlmAccount } from './ntlm-proof';
import { Rc4 } from './legacy-crypto';

/** Windows 10 with NTLM revision 15: the message must name a version. */
const VERSION = Buffer.from([10, 0, 0, 0, 0, 0, 0, 15]);

/** The first message (MS-NLMP, 2.2.1.1). */
export const negotiateMessage = (): Buffer =>
  Buffer.concat([SIGNATURE, uint32(1), uint32(WANTED), Buffer.alloc(16), VERSION]);

export interface Authentication {
  readonly message: Buffer;
  readonly flags: number;
  /** The base of the session keys. */
  readonly sessionKey: Buffer;
}

export interface AuthenticationInput {
  readonly account: NtlmAccount;
  /** The response to the challenge. */
  readonly challenge: Buffer;
  /** The host's certificate, if the connection is encrypted. */
  readonly channelBinding?: Buffer;
  readonly random?: (bytes: number) => Buffer;
  readonly now?: Date;
}

/** The third message (MS-NLMP, 2.2.1.3). @returns undefined when the challenge is invalid or of an unsupported kind */
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
  // If the server sends its time, a code over all three messages proves that they are unchanged.
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

/** @param fields in the order of their pointers in the header */
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

/** The options that both sides negotiate (MS-NLMP, 2.2.2.5). */
const FLAG = {
  unicode: 0x1,
  requestTarget: 0x4,
  sign: 0x10,
  seal: 0x20,
  ntlm: 0x200,
  alwaysSign: 0x8000,
  extendedSecurity: 0x80000,
  targetInfo: 0x800000,
  version: 0x2000000,
  key128: 0x20000000,
  keyExchange: 0x40000000,
} as const;

/** All requested options. Weak keys are not among them. */
const WANTED = Object.values(FLAG).reduce((all, flag) => (all | flag) >>> 0, 0);

const has = (flags: number, flag: number): boolean => (flags & flag) !== 0;

/** The options a server must accept for encrypted messages. */
export const canSeal = (flags: number): boolean =>
  [FLAG.seal, FLAG.sign, FLAG.extendedSecurity, FLAG.key128, FLAG.keyExchange].every((flag) => has(flags, flag));
