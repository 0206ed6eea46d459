import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isPlainObject } from '@switchyard/base';

/** A record as it was before a repair; a line of JSON each. */
export interface BackupEntry {
  readonly collection: string;
  readonly id: string;
  readonly key: string;
  /** What was wrong with it. */
  readonly problem: string;
  /** Its bytes as they were stored, BSON in base64. */
  readonly bson: string;
}

export interface BackupFile {
  add(entry: BackupEntry): void;
  /** Everything that was added is on the disk afterwards. */
  flush(): void;
  close(): void;
}

/** Makes a file that only its owner can read. @throws Error when there is one */
export function createBackup(path: string): BackupFile {
  const file = openSync(path, 'wx', 0o600);
  return {
    add: (entry) => void writeSync(file, `${JSON.stringify(entry)}\n`),
    flush: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}

/** @throws Error naming the line that is not one of such a file */
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
    // Told below.
  }
  const fields = ['collection', 'id', 'key', 'problem', 'bson'];
  if (isPlainObject(entry) && fields.every((field) => typeof entry[field] === 'string'))
    return entry as unknown as BackupEntry;
  throw new Error(`${where}: expected an object with ${fields.join(', ')} as svc doctor writes it`);
}
