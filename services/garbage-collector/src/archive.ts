import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { microsToIso, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Executions, KeepCopies } from '@switchyard/executions';
import type { ExecutionRecord, PurgeKind } from '@switchyard/model';
import { createS3Bucket, s3AddressOf, type AwsEnvironment, type S3Bucket } from './s3-bucket';

interface ArchiveDeps {
  readonly config: Pick<Config, 'garbagecollector'>;
  readonly executions: Pick<Executions, 'results'>;
  readonly clock: Pick<Clock, 'nowMicros'>;
  readonly environment?: AwsEnvironment;
}

/** Where copies of removed records are kept. */
export interface Archive {
  /** @returns undefined for kinds that are not archived */
  keeperOf(kind: PurgeKind): KeepCopies | undefined;
  /** Whether copies have a name of their own for each set of records, so that steps should be the same after a crash. */
  readonly needsSameSteps: boolean;
}

/** The records of a step, as lines of JSON. */
interface Copies {
  readonly kind: PurgeKind;
  readonly records: readonly { readonly _id: string }[];
  readonly text: string;
}

/** A token is worthless, and a journal is encrypted. */
const LEFT_OUT: readonly PurgeKind[] = ['tokens', 'workflows'];

/**
 * Stores records at `garbagecollector.archive_path`, as lines of JSON. They are there when it resolves. Records are as stored: secrets
 * are encrypted, and large results are part of the line.
 * @returns undefined if no copies are kept @throws Fault `config.conflict` for S3 without credentials
 */
export function openArchive({ config, executions, clock, environment = {} }: ArchiveDeps): Archive | undefined {
  const { archive_path: path } = config.garbagecollector;
  if (path === null) return undefined;
  const address = s3AddressOf(path);
  const keep = address
    ? intoBucket(createS3Bucket(address, config.garbagecollector, environment))
    : intoDirectory(path, clock);
  return {
    needsSameSteps: address !== undefined,
    keeperOf: (kind) =>
      LEFT_OUT.includes(kind)
        ? undefined
        : async (records) => {
            const lines: string[] = [];
            for (const record of records) lines.push(JSON.stringify(await complete(executions, record)));
            await keep({ kind, records, text: `${lines.join('\n')}\n` });
          },
  };
}

/** Appends to the file of the kind and the current day. */
const intoDirectory =
  (directory: string, clock: ArchiveDeps['clock']) =>
  async ({ kind, text }: Copies): Promise<void> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = await open(join(directory, `${kind}-${dayOf(clock.nowMicros())}.jsonl`), 'a', 0o600);
    try {
      await file.appendFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  };

/**
 * Writes one object for each step: `KIND/DAY/FIRST-HASH.jsonl`, with the day and the id of the first record, and a hash of all ids. The
 * same records have the same name, so a repetition after a crash overwrites the object.
 */
const intoBucket =
  (bucket: S3Bucket) =>
  async ({ kind, records, text }: Copies): Promise<void> => {
    const ids = records.map(({ _id }) => _id);
    const hash = createHash('sha256')
      .update([...ids].sort().join())
      .digest('hex')
      .slice(0, HASH_DIGITS);
    await bucket.put(`${kind}/${dayOfRecord(records[0]!)}/${ids[0]}-${hash}.jsonl`, text);
  };

const HASH_DIGITS = 16;

const dayOf = (micros: number): string => microsToIso(micros).slice(0, 'YYYY-MM-DD'.length);

/** The day on which an execution or trace began, an event occurred, or a rule matched. A damaged record has no time. */
function dayOfRecord(record: object): string {
  const { start_timestamp, occurrence_time, enforced_at } = record as Readonly<Record<string, unknown>>;
  const time = start_timestamp ?? occurrence_time ?? enforced_at;
  return typeof time === 'number' ? dayOf(time) : 'unknown-day';
}

async function complete({ results }: ArchiveDeps['executions'], record: object): Promise<object> {
  if (!('result_blob' in record)) return record;
  const { result_blob: _blob, ...execution } = record as ExecutionRecord;
  return { ...execution, result: await results.text(record as ExecutionRecord) };
}
