const BLOCK_BYTES = 64;

/** MD4 (RFC 1320). NTLM hashes passwords with it, and OpenSSL 3 no longer supports it. */
export function md4(message: Buffer): Buffer {
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  const padded = padding(message);
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) mix(state, words(padded, at));
  const digest = Buffer.alloc(16);
  state.forEach((word, index) => digest.writeUInt32LE(word, 4 * index));
  return digest;
}

function padding(message: Buffer): Buffer {
  const blocks = Math.ceil((message.length + 9) / BLOCK_BYTES);
  const padded = Buffer.alloc(blocks * BLOCK_BYTES);
  message.copy(padded);
  padded[message.length] = 0x80;
  padded.writeBigUInt64LE(BigInt(message.length) * 8n, padded.length - 8);
  return padded;
}

const words = (bytes: Buffer, at: number): number[] =>
  Array.from({ length: 16 }, (_, index) => bytes.readUInt32LE(at + 4 * index));

type Mixer = (x: number, y: number, z: number) => number;

interface Round {
  readonly mixer: Mixer;
  readonly constant: number;
  readonly order: readonly number[];
  readonly shifts: readonly number[];
}

const ROUNDS: readonly Round[] = [
  {
    mixer: (x, y, z) => (x & y) | (~x & z),
    constant: 0,
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    shifts: [3, 7, 11, 19],
  },
  {
    mixer: (x, y, z) => (x & y) | (x & z) | (y & z),
    constant: 0x5a827999,
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    shifts: [3, 5, 9, 13],
  },
  {
    mixer: (x, y, z) => x ^ y ^ z,
    constant: 0x6ed9eba1,
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    shifts: [3, 9, 11, 15],
  },
];

function mix(state: Uint32Array, block: readonly number[]): void {
  let [a, b, c, d] = [...state] as [number, number, number, number];
  for (const { mixer, constant, order, shifts } of ROUNDS) {
    for (const [step, index] of order.entries()) {
      const sum = (a + mixer(b, c, d) + block[index]! + constant) >>> 0;
      [a, d, c, b] = [d, c, b, rotate(sum, shifts[step % 4]!)];
    }
  }
  [a, b, c, d].forEach((word, index) => (state[index]! += word));
}

const rotate = (word: number, bits: number): number => ((word << bits) | (word >>> (32 - bits))) >>> 0;

/** The stream cipher RC4. NTLM encrypts messages with it, and OpenSSL 3 no longer supports it. Each call continues the stream. */
export class Rc4 {
  readonly #state = Uint8Array.from({ length: 256 }, (_, index) => index);
  #i = 0;
  #j = 0;

  constructor(key: Buffer) {
    let j = 0;
    for (let i = 0; i < 256; i++) {
      j = (j + this.#state[i]! + key[i % key.length]!) & 0xff;
      this.#swap(i, j);
    }
  }

  /** Encrypts or decrypts; both are the same operation. */
  apply(bytes: Buffer): Buffer {
    return Buffer.from(bytes.map((byte) => byte ^ this.#next()));
  }

  #next(): number {
    this.#i = (this.#i + 1) & 0xff;
    this.#j = (this.#j + this.#state[this.#i]!) & 0xff;
    this.#swap(this.#i, this.#j);
    return this.#state[(this.#state[this.#i]! + this.#state[this.#j]!) & 0xff]!;
  }

  #swap(i: number, j: number): void {
    const kept = this.#state[i]!;
    this.#state[i] = this.#state[j]!;
    this.#state[j] = kept;
  }
}
