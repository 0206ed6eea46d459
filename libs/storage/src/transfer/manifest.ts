import { createHash } from 'node:crypto';
import type { TransferPart } from './parts';

/** Increases when older programs can no longer read an archive. */
export const ARCHIVE_FORMAT = 1;

/** The first entry of an archive. */
export interface ArchiveHead {
  readonly format: number;
  /** Identifies the archive, so that an interrupted import continues with the same one only. */
  readonly id: string;
  /** The version of the program that wrote it, and of the schema of its records. */
  readonly version: string;
  readonly schema: number;
  readonly created: string;
  readonly source: { readonly driver: 'embedded' | 'mongodb'; readonly host: string };
  readonly parts: readonly TransferPart[];
}

export interface ArchiveCount {
  readonly records: number;
  readonly bytes: number;
  /** The sum of the SHA-256 of all lines, modulo 2^256: it does not depend on their order. */
  readonly sha256: string;
}

/** The last entry of an archive. */
export interface ArchiveManifest {
  readonly id: string;
  readonly collections: Readonly<Record<string, ArchiveCount>>;
  readonly files: ArchiveCount;
  /** How many records were left out because their work had not ended, or because they cannot be read, by collection. */
  readonly left_out: Readonly<Record<string, number>>;
}

const MODULUS_BITS = 256;
const BASE = 16;

/** The hash of one line. */
export const lineHash = (line: string): bigint => BigInt(`0x${createHash('sha256').update(line).digest('hex')}`);

/** Counts lines and adds up their hashes. */
export class Tally {
  #records = 0;
  #bytes = 0;
  #sum = 0n;

  add(line: string): void {
    this.addHashed(Buffer.byteLength(line), lineHash(line));
  }

  /** @param bytes of the line */
  addHashed(bytes: number, hash: bigint): void {
    this.#records += 1;
    this.#bytes += bytes + 1;
    this.#sum = BigInt.asUintN(MODULUS_BITS, this.#sum + hash);
  }

  get count(): ArchiveCount {
    const sha256 = this.#sum.toString(BASE).padStart(MODULUS_BITS / 4, '0');
    return { records: this.#records, bytes: this.#bytes, sha256 };
  }
}

/** A tally by name. */
export class Tallies {
  readonly #byName = new Map<string, Tally>();

  of(name: string): Tally {
    const tally = this.#byName.get(name) ?? new Tally();
    this.#byName.set(name, tally);
    return tally;
  }

  get counts(): Record<string, ArchiveCount> {
    return Object.fromEntries([...this.#byName].map(([name, { count }]) => [name, count]));
  }
}

export const sameCount = (one: ArchiveCount, other: ArchiveCount): boolean =>
  one.records === other.records && one.sha256 === other.sha256;
