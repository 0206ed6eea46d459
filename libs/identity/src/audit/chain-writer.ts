import { messageOf, newId, type Clock } from '@switchyard/base';
import { chainedRecord, type AuditEntry, type AuditHead, type AuditKind, type AuditRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

interface ChainDependencies {
  readonly clock: Pick<Clock, 'nowMicros'>;
  readonly logger: Pick<Logger, 'audit'>;
}

interface ChainWriterDependencies extends ChainDependencies {
  readonly store: Pick<Store, 'audit'>;
  readonly logger: Pick<Logger, 'audit' | 'error'>;
}

/** Entries that wait for the store. Beyond this they are only counted. */
const MOST_WAITING = 10_000;

/** Writes the chain of this process in batches, one at a time. See `createAuditTrail`. */
export function chainWriter({ store, clock, logger }: ChainWriterDependencies) {
  const chain = newChain({ clock, logger });
  let stored: AuditHead | undefined;
  let unwritten: AuditRecord[] = [];
  let waiting: AuditEntry[] = [];
  let current: Promise<boolean> | undefined;
  let next: Promise<boolean> | undefined;

  /** @returns whether everything is stored */
  async function flush(): Promise<boolean> {
    const again = unwritten;
    unwritten = [...again, ...waiting.map(chain.extend)];
    waiting = [];
    try {
      await store.audit.appendAgain(again);
      await store.audit.append(unwritten.slice(again.length));
      stored = chain.last();
      unwritten = [];
      return true;
    } catch (error) {
      logger.error(`Could not store ${unwritten.length} audit records; retrying with the next one.`, {
        error: messageOf(error),
      });
      return false;
    }
  }

  /** The write that will contain the entries that wait now. */
  function nextFlush(): Promise<boolean> {
    next ??= (current ?? Promise.resolve(true)).then(() => {
      current = next;
      next = undefined;
      return flush();
    });
    return next;
  }

  return {
    last: chain.last,
    stored: () => stored,
    omit: chain.omit,
    async add(entry: AuditEntry): Promise<boolean> {
      const hasRoom = waiting.length + unwritten.length < MOST_WAITING;
      if (hasRoom) waiting.push(entry);
      else chain.omit();
      return (await nextFlush()) && hasRoom;
    },
  };
}

const LINES: { readonly [K in AuditKind]?: string } = { retention: 'Removing old audit records.' };

/** A chain of records, each with the hash of the one before. */
function newChain({ clock, logger }: ChainDependencies) {
  let last: AuditHead | undefined;
  let omitted = 0;
  return {
    /** Undefined before the first record. */
    last: () => last,
    /** Counts an entry that is not recorded in the next record. */
    omit: () => void (omitted += 1),
    extend(entry: AuditEntry): AuditRecord {
      // Other processes find a new chain by its id, so that is made with the first record.
      last ??= { writer: newId(), sequence: 0, hash: '' };
      const record = chainedRecord(last, clock.nowMicros(), omitted > 0 ? { ...entry, omitted } : entry);
      omitted = 0;
      last = auditHeadOf(record);
      const { _id: id, time: _, previous: __, heads: ___, ...fields } = record;
      if (record.kind !== 'checkpoint') logger.audit(LINES[record.kind] ?? 'Request audited.', { id, ...fields });
      return record;
    },
  };
}

export const auditHeadOf = ({ writer, sequence, hash }: AuditRecord): AuditHead => ({ writer, sequence, hash });
