/** The list of attributes that an NTLM server tells of itself (MS-NLMP, 2.2.2.1), by their numbers. */
export type TargetInfo = ReadonlyMap<number, Buffer>;

export const ATTRIBUTE = { end: 0, flags: 6, timestamp: 7, channelBinding: 10 } as const;

/** @returns undefined for bytes that are no such list */
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
