import { createHash, timingSafeEqual } from 'node:crypto';
import { hmacMd5 } from './ntlm-proof';
import { Rc4 } from './rc4';

export interface Sealed {
  readonly signature: Buffer;
  readonly bytes: Buffer;
}

/**
 * Encrypts and signs messages with the key that NTLM has agreed upon (MS-NLMP, 3.4). Messages are numbered and the cipher
 * goes on from one to the next, so that each has to arrive once and in turn.
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

  /** @returns undefined for what was not sealed by the other side, or not as the next message */
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

  /** The message has to have been encrypted before: the cipher goes on with the signature. */
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
