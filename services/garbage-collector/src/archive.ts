import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { microsToIso, type Clock } from '@switchyard/base';
import type { Executions, KeepCopies } from '@switchyard/executions';
import type { ExecutionRecord, PurgeKind } from '@switchyard/model';

interface ArchiveDeps {
  readonly executions: Pick<Executions, 'results'>;
  readonly clock: Pick<Clock, 'nowMicros'>;
}

/** The destination for copies of removed records. @returns undefined for kinds that are not archived */
export type Archive = (kind: PurgeKind) => KeepCopies | undefined;

/** A token is worthless, and a journal is encrypted. */
const LEFT_OUT: readonly PurgeKind[] = ['tokens', 'workflows'];

/**
 * Appends records to the file of their kind and the current day in a directory, as lines of JSON. They are on the disk when it
 * resolves. Records are as stored: secrets are encrypted, and large results are part of the line.
 */
export const createArchive =
  (directory: string, { executions, clock }: ArchiveDeps): Archive =>
  (kind) => {
    if (LEFT_OUT.includes(kind)) return undefined;
    return async (records) => {
      const lines: string[] = [];
      for (const record of records) lines.push(JSON.stringify(await complete(executions, record)));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const day = microsToIso(clock.nowMicros()).slice(0, 'YYYY-MM-DD'.length);
      const file = await open(join(directory, `${kind}-${day}.jsonl`), 'a', 0o600);
      try {
        await file.appendFile(`${lines.join('\n')}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    };
  };

async function complete({ results }: ArchiveDeps['executions'], record: object): Promise<object> {
  if (!('result_blob' in record)) return record;
  const { result_blob: _blob, ...execution } = record as ExecutionRecord;
  return { ...execution, result: await results.text(record as ExecutionRecord) };
}
