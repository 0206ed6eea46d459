import { createHash, createHmac, randomBytes } from 'node:crypto';

/** The credentials of the only user: not the password, but the hash that Windows stores (MS-NLMP, 4.2.2.1.2). */
export const USER = 'Administrator';
export const PASSWORD = 'Password';
const PASSWORD_HASH = Buffer.from('a4f49c406510bdcab6824ee7c30fd852', 'hex');

const FLAGS = 0x62898235;

/** The server side of NTLM on one connection, written from the specification, independently of the runner. */
export class NtlmHost {
  readonly #certificate: Buffer | undefined;
  #negotiate: Buffer = Buffer.alloc(0);
  #challenge: Buffer = Buffer.alloc(0);
  #key: Buffer | undefined;
  readonly #ciphers: Record<string, (bytes: Buffer) => Buffer> = {};
  readonly #numbers: Record<string, number> = {};

  /** @param certificate DER, of an encrypted connection */
  constructor(certificate?: Buffer) {
    this.#certificate = certificate;
  }

  get isLoggedIn(): boolean {
    return this.#key !== undefined;
  }

  /** @returns the second message for a first one, and undefined for a third one */
  take(message: Buffer): Buffer | undefined {
    if (message.readUInt32LE(8) === 1) return this.#challengeFor(message);
    this.#key = this.#sessionKey(message);
    return undefined;
  }

  seal(message: Buffer): Buffer {
    const bytes = this.#cipher('server-to-client')(message);
    const signature = this.#signature('server-to-client', message);
    const part = '--Encrypted Boundary\r\n';
    const head = `${part}\tContent-Type: application/HTTP-SPNEGO-session-encrypted\r\n\tOriginalContent: type=application/soap+xml;charset=UTF-8;Length=${message.length}\r\n${part}\tContent-Type: application/octet-stream\r\n`;
    return Buffer.concat([
      Buffer.from(head),
      uint32(signature.length),
      signature,
      bytes,
      Buffer.from(`${part.trim()}--\r\n`),
    ]);
  }

  unseal(body: Buffer): Buffer {
    const start = body.indexOf('octet-stream\r\n') + 'octet-stream\r\n'.length;
    const signature = body.subarray(start + 4, start + 20);
    const sealed = body.subarray(start + 20, body.lastIndexOf('--Encrypted Boundary--\r\n'));
    const message = this.#cipher('client-to-server')(sealed);
    if (!this.#signature('client-to-server', message).equals(signature)) throw new Error('wrong signature');
    return message;
  }

  #challengeFor(message: Buffer): Buffer {
    this.#negotiate = message;
    const info = Buffer.concat([
      pair(2, utf16('WIN')),
      pair(1, utf16('HOST')),
      pair(7, Buffer.alloc(8, 7)),
      pair(0, Buffer.alloc(0)),
    ]);
    const head = Buffer.concat([
      Buffer.from('NTLMSSP\0'),
      uint32(2),
      Buffer.alloc(8),
      uint32(FLAGS),
      randomBytes(8),
      Buffer.alloc(24),
    ]);
    head.writeUInt16LE(info.length, 40);
    head.writeUInt32LE(head.length, 44);
    this.#challenge = Buffer.concat([head, info]);
    return this.#challenge;
  }

  #sessionKey(message: Buffer): Buffer | undefined {
    const [nt, domain, user, encrypted] = [20, 28, 36, 52].map((at) => field(message, at)) as [
      Buffer,
      Buffer,
      Buffer,
      Buffer,
    ];
    const name = user.toString('utf16le');
    if (name.split('@')[0] !== USER) return undefined;
    const key = hmac(PASSWORD_HASH, utf16(name.toUpperCase()), domain);
    const proof = hmac(key, this.#challenge.subarray(24, 32), nt.subarray(16));
    if (!proof.equals(nt.subarray(0, 16)) || !this.#isBound(nt)) return undefined;
    const sessionKey = rc4(hmac(key, proof))(encrypted);
    const code = Buffer.from(message.subarray(72, 88));
    const whole = hmac(sessionKey, this.#negotiate, this.#challenge, Buffer.from(message).fill(0, 72, 88));
    return whole.equals(code) ? sessionKey : undefined;
  }

  /** Whether the login is bound to the certificate of this connection. */
  #isBound(response: Buffer): boolean {
    if (this.#certificate === undefined) return true;
    const data = Buffer.concat([
      Buffer.from('tls-server-end-point:'),
      createHash('sha256').update(this.#certificate).digest(),
    ]);
    const binding = md5(Buffer.alloc(16), uint32(data.length), data);
    return response.includes(Buffer.concat([pair(10, binding)]));
  }

  #cipher(direction: string): (bytes: Buffer) => Buffer {
    return (this.#ciphers[direction] ??= rc4(this.#derived(direction, 'sealing')));
  }

  #signature(direction: string, message: Buffer): Buffer {
    const number = uint32(this.#numbers[direction] ?? 0);
    this.#numbers[direction] = number.readUInt32LE() + 1;
    const sum = hmac(this.#derived(direction, 'signing'), number, message).subarray(0, 8);
    return Buffer.concat([uint32(1), this.#cipher(direction)(sum), number]);
  }

  #derived(direction: string, purpose: string): Buffer {
    return md5(this.#key!, Buffer.from(`session key to ${direction} ${purpose} key magic constant\0`));
  }
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
const hmac = (key: Buffer, ...parts: Buffer[]) => createHmac('md5', key).update(Buffer.concat(parts)).digest();
const field = (message: Buffer, at: number) => {
  const offset = message.readUInt32LE(at + 4);
  return message.subarray(offset, offset + message.readUInt16LE(at));
};

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function pair(id: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}

function rc4(key: Buffer): (bytes: Buffer) => Buffer {
  const box = Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => ([box[a], box[b]] = [box[b]!, box[a]!]);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + box[i]! + key[i % key.length]!) % 256;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return (bytes) =>
    Buffer.from(
      bytes.map((byte) => {
        i = (i + 1) % 256;
        j = (j + box[i]!) % 256;
        swap(i, j);
        return byte ^ box[(box[i]! + box[j]!) % 256]!;
      }),
    );
}
