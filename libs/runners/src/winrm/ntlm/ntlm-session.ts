import { createHash, timingSafeEqual } from 'node:crypto';
import { Rc4 } from './legacy-crypto';
import { hmacMd5 } from './ntlm-proof';

export interface Sealed {
  readonly signature: Buffer;
  readonly bytes: Buffer;
}

/**
 * Encrypts and signs messages with the negotiated key (MS-NLMP, 3.4). Messages are numbered and the cipher state continues, so
 * each message must arrive once and in order.
 */
export class NtlmSession {
  readonly #mine: Direction;
  readonly #theirs: Direction;

  constructor(sessionKey: Buffer, side: 'client' | 'server' = 'client') {
    const [toServer, toClient] = [
      new Direction(sessionKey, 'client-to-server'),
      new Direction(sessionKey, 'server-to-client'),
    ];
    [this.#mine, this.#theirs] = side === 'client' ? [toServer, toClient] : [toClient, toServer];
  }

  seal(message: Buffer): Sealed {
    const bytes = this.#mine.cipher.apply(message);
    return { bytes, signature: this.#mine.sign(message) };
  }

  /** @returns undefined if the other side did not seal the message, or it is not the next one */
  unseal({ signature, bytes }: Sealed): Buffer | undefined {
    const message = this.#theirs.cipher.apply(bytes);
    const expected = this.#theirs.sign(message);
    return signature.length === expected.length && timingSafeEqual(signature, expected) ? message : undefined;
  }
}

class Direction {
  readonly cipher: Rc4;
  readonly #signingKey: Buffer;
  #number = 0;

  constructor(sessionKey: Buffer, name: string) {
    this.cipher = new Rc4(derived(sessionKey, name, 'sealing'));
    this.#signingKey = derived(sessionKey, name, 'signing');
  }

  /** Encrypt the message first: the signature continues the cipher state. */
  sign(message: Buffer): Buffer {
    const number = Buffer.alloc(4);
    number.writeUInt32LE(this.#number++);
    const checksum = this.cipher.apply(hmacMd5(this.#signingKey, number, message).subarray(0, 8));
    return Buffer.concat([Buffer.from([1, 0, 0, 0]), checksum, number]);
  }
}

const derived = (sessionKey: Buffer, direction: string, purpose: string): Buffer =>
  createHash('md5')
    .update(sessionKey)
    .update(`session key to ${direction} ${purpose} key magic constant\0`, 'latin1')
    .digest();

/** The content type of an encrypted message (MS-WSMV, 2.2.9.1). */
export const SEALED_TYPE =
  'multipart/encrypted;protocol="application/HTTP-SPNEGO-session-encrypted";boundary="Encrypted Boundary"';

const BOUNDARY = '--Encrypted Boundary';
const DATA_HEAD = 'Content-Type: application/octet-stream\r\n';

/** Builds the request body of an encrypted message. */
export function sealedBody(session: NtlmSession, message: Buffer): Buffer {
  const { signature, bytes } = session.seal(message);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(signature.length);
  const head = [
    BOUNDARY,
    '\tContent-Type: application/HTTP-SPNEGO-session-encrypted',
    `\tOriginalContent: type=application/soap+xml;charset=UTF-8;Length=${message.length}`,
    BOUNDARY,
    `\t${DATA_HEAD}`,
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n')), size, signature, bytes, Buffer.from(`${BOUNDARY}--\r\n`)]);
}

/** @returns undefined if the other side did not seal the body */
export function openSealedBody(session: NtlmSession, body: Buffer): Buffer | undefined {
  const head = body.indexOf(DATA_HEAD);
  const length = /;Length=(\d+)/.exec(body.subarray(0, Math.max(head, 0)).toString('latin1'))?.[1];
  const start = head + DATA_HEAD.length;
  if (length === undefined || start + 4 > body.length) return undefined;
  const signatureEnd = start + 4 + body.readUInt32LE(start);
  const bytes = body.subarray(signatureEnd, signatureEnd + Number(length));
  if (bytes.length !== Number(length)) return undefined;
  return session.unseal({ signature: body.subarray(start + 4, signatureEnd), bytes });
}
