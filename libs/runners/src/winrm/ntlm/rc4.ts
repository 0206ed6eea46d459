/** The stream cipher RC4, which NTLM encrypts messages with and OpenSSL 3 no longer has. Each call goes on where the last one ended. */
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

  /** Encrypts or decrypts, which is the same. */
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
