import { createHash } from 'node:crypto';

/**
 * Binds a login to the certificate of the connection (RFC 5929, `tls-server-end-point`), so that a man in the middle cannot
 * relay it.
 * @param certificate DER @returns undefined if the certificate's signature algorithm has no known hash
 */
export function channelBinding(certificate: Buffer): Buffer | undefined {
  const hash = HASHES[signatureAlgorithm(certificate) ?? ''];
  if (hash === undefined) return undefined;
  const digest = createHash(hash).update(certificate).digest();
  const data = Buffer.concat([Buffer.from('tls-server-end-point:', 'latin1'), digest]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  // Four zero numbers: neither side's address is included.
  return createHash('md5').update(Buffer.alloc(16)).update(length).update(data).digest();
}

/** Hashes by object identifier in hexadecimal. SHA-256 replaces weaker hashes. */
const HASHES: Readonly<Record<string, string>> = {
  '2a864886f70d010104': 'sha256',
  '2a864886f70d010105': 'sha256',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d0401': 'sha256',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};

/** The object identifier of the signature algorithm: the first field of the certificate's second element (RFC 5280, 4.1). */
function signatureAlgorithm(certificate: Buffer): string | undefined {
  const whole = element(certificate, 0);
  const toBeSigned = whole && element(certificate, whole.start);
  const algorithm = toBeSigned && element(certificate, toBeSigned.end);
  const identifier = algorithm && element(certificate, algorithm.start);
  return identifier && certificate.subarray(identifier.start, identifier.end).toString('hex');
}

/** The start and end of the contents of a DER element. */
function element(bytes: Buffer, at: number): { readonly start: number; readonly end: number } | undefined {
  const first = bytes[at + 1];
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const size = first & 0x7f;
  if (size === 0 || size > 4 || at + 2 + size > bytes.length) return undefined;
  const start = at + 2 + size;
  return { start, end: start + bytes.readUIntBE(at + 2, size) };
}
