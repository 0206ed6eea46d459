/** The NTLM server's response to the first message (MS-NLMP, 2.2.1.2). */
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

/** @returns undefined if the bytes are not such a message */
export function readChallenge(bytes: Buffer): Challenge | undefined {
  if (bytes.length < FIXED_BYTES || !bytes.subarray(0, 8).equals(SIGNATURE)) return undefined;
  if (bytes.readUInt32LE(8) !== CHALLENGE_TYPE) return undefined;
  const [length, offset] = [bytes.readUInt16LE(40), bytes.readUInt32LE(44)];
  if (offset + length > bytes.length) return undefined;
  const targetInfo = readTargetInfo(bytes.subarray(offset, offset + length));
  if (targetInfo === undefined) return undefined;
  return { flags: bytes.readUInt32LE(20), nonce: bytes.subarray(24, 32), targetInfo, bytes };
}

/** The server's attributes by number (MS-NLMP, 2.2.2.1). */
export type TargetInfo = ReadonlyMap<number, Buffer>;

export const ATTRIBUTE = { end: 0, flags: 6, timestamp: 7, channelBinding: 10 } as const;

/** @returns undefined if the bytes are not such a list */
export function readTargetInfo(bytes: Buffer): TargetInfo | undefined {
  const attributes = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length;) {
    const [id, length] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)];
    if (id === ATTRIBUTE.end) return attributes;
    if (at + 4 + length > bytes.length) return undefined;
    attributes.set(id, bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return bytes.length === 0 ? attributes : undefined;
}

export function targetInfoBytes(attributes: TargetInfo): Buffer {
  const parts = [...attributes].flatMap(([id, value]) => [head(id, value.length), value]);
  return Buffer.concat([...parts, head(ATTRIBUTE.end, 0)]);
}

function head(id: number, length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(id, 0);
  bytes.writeUInt16LE(length, 2);
  return bytes;
}
