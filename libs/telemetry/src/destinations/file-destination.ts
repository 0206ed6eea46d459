import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@switchyard/base';
import { createBatch } from './batch';
import type { Destination } from './destination';

const OWNER_AND_GROUP = 0o640;

/**
 * Appends to a file. A file that cannot be opened at first is an error. If writing fails later, lines are dropped, and standard
 * error gets one message until writing works again.
 */
export function fileDestination(path: string): Destination {
  mkdirSync(dirname(path), { recursive: true });
  const open = () => openSync(path, 'a', OWNER_AND_GROUP);
  let descriptor = open();
  const report = onceUntilSuccess(path);
  const batch = createBatch((chunk) => report(() => writeAll(descriptor, Buffer.from(chunk))));
  return {
    write: batch.add,
    reopen: () => {
      batch.flush();
      report(() => {
        const next = open();
        closeSync(descriptor);
        descriptor = next;
      });
    },
    close: () => {
      batch.end();
      closeSync(descriptor);
      return Promise.resolve();
    },
  };
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset);
}

function onceUntilSuccess(path: string): (attempt: () => void) => void {
  let failing = false;
  return (attempt) => {
    try {
      attempt();
      failing = false;
    } catch (error) {
      if (!failing) process.stderr.write(`The log file ${path} cannot be written: ${messageOf(error)}\n`);
      failing = true;
    }
  };
}
