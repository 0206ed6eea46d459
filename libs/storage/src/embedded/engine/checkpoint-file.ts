import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { mongo } from 'mongoose';

/** What is needed to return to a state that is known to be on the disk. */
export interface Checkpoint {
  readonly sequence: number;
  readonly bootId: string;
  /** The store was closed in order: the data file is whole. */
  readonly clean: boolean;
  /** The first two pages of the data file, which point to everything else. */
  readonly roots: Buffer;
}

const DIGEST_BYTES = 32;
const fileName = (sequence: number) => `checkpoint-${sequence % 2}`;
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

/** Writes a checkpoint over the last but one, so that a whole one always exists. Resolves when it is on the disk. */
export async function writeCheckpoint(directory: string, checkpoint: Checkpoint): Promise<void> {
  const content = Buffer.from(mongo.BSON.serialize({ ...checkpoint }));
  const path = join(directory, fileName(checkpoint.sequence));
  const handle: FileHandle = await open(path, existsSync(path) ? 'r+' : 'w+');
  try {
    await handle.write(Buffer.concat([digest(content), content]), 0, null, 0);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** The newest checkpoint that was written to its end. */
export function readCheckpoint(directory: string): Checkpoint | undefined {
  return [0, 1]
    .map((sequence) => readWhole(join(directory, fileName(sequence))))
    .filter((checkpoint) => checkpoint !== undefined)
    .sort((a, b) => b.sequence - a.sequence)[0];
}

function readWhole(path: string): Checkpoint | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  if (bytes.length < DIGEST_BYTES + 4) return undefined;
  const content = bytes.subarray(DIGEST_BYTES, DIGEST_BYTES + bytes.readInt32LE(DIGEST_BYTES));
  if (!digest(content).equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;
  return mongo.BSON.deserialize(content, { promoteBuffers: true }) as unknown as Checkpoint;
}
