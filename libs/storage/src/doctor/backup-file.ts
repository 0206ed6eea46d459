import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isPlainObject } from '@switchyard/base';

/** A record before its repair; one line of JSON each. */
export interface BackupEntry {
  readonly collection: string;
  readonly id: string;
  readonly key: string;
  /** The finding that led to the repair. */
  readonly problem: string;
  /** The stored bytes, BSON in base64. */
  readonly bson: string;
}

export interface BackupFile {
  add(entry: BackupEntry): void;
  /** Resolves when all added records are on disk. */
  flush(): void;
  close(): void;
}

/** Creates a file that only its owner can read. @throws Error if it exists */
export function createBackup(path: string): BackupFile {
  const file = openSync(path, 'wx', 0o600);
  return {
    add: (entry) => void writeSync(file, `${JSON.stringify(entry)}\n`),
    flush: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}

/** @throws Error naming the first invalid line */
export async function* readBackup(path: string): AsyncGenerator<BackupEntry, void, undefined> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    line += 1;
    if (text !== '') yield parsedEntry(text, `${path}, line ${line}`);
  }
}

function parsedEntry(text: string, where: string): BackupEntry {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    // Reported below.
  }
  const fields = ['collection', 'id', 'key', 'problem', 'bson'];
  if (isPlainObject(entry) && fields.every((field) => typeof entry[field] === 'string'))
    return entry as unknown as BackupEntry;
  throw new Error(`${where}: expected an object with ${fields.join(', ')} as svc doctor writes it`);
}
