import { messageOf, type Clock, type Id, type Micros } from '@switchyard/base';
import { expiryOf, OPEN_INQUIRIES, type ExecutionRecords, type Inquiries } from '@switchyard/executions';
import type { Logger } from '@switchyard/telemetry';

export interface InquiryLimitsDeps {
  readonly records: Pick<ExecutionRecords, 'get' | 'list'>;
  readonly inquiries: Pick<Inquiries, 'of' | 'timeOut'>;
  readonly clock: Pick<Clock, 'nowMicros'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Whether this process is still the leader. */
  isHeld(): boolean;
}

/** Tracks when open inquiries time out. Each is read once; after that, the store is only queried for the open ones. */
export interface InquiryLimits {
  /** Adds new inquiries, and forgets those that were answered. */
  read(): Promise<void>;
  /** Times out what is due. @returns when the next one is due */
  enforce(): Promise<Micros | undefined>;
  clear(): void;
}

/** Delay before an inquiry that could not be timed out is tried again. */
const RETRY: Micros = 5_000_000;

export function createInquiryLimits({ records, inquiries, clock, logger, isHeld }: InquiryLimitsDeps): InquiryLimits {
  /** By id; undefined for those that never time out. */
  const expiries = new Map<Id, Micros | undefined>();

  async function learn(id: Id): Promise<void> {
    try {
      const record = await records.get(id);
      if (record?.status === 'pending') expiries.set(id, expiryOf(record, await inquiries.of(record)));
    } catch (error) {
      logger.warn('Failed to read an inquiry; retrying.', { execution_id: id, error: messageOf(error) });
    }
  }

  async function timeOut(id: Id): Promise<void> {
    try {
      const record = await records.get(id);
      const ended = record && (await inquiries.timeOut(record));
      if (ended) logger.info('An inquiry timed out.', { execution_id: id });
      expiries.delete(id);
    } catch (error) {
      logger.warn('Failed to time out an inquiry; retrying.', { execution_id: id, error: messageOf(error) });
      expiries.set(id, clock.nowMicros() + RETRY);
    }
  }

  return {
    async read() {
      const open = await records.list({ filter: OPEN_INQUIRIES, fields: ['_id'] });
      const ids = new Set(open.map(({ _id }) => _id));
      for (const id of expiries.keys()) if (!ids.has(id)) expiries.delete(id);
      for (const id of ids) if (isHeld() && !expiries.has(id)) await learn(id);
    },
    async enforce() {
      const now = clock.nowMicros();
      for (const [id, expiry] of [...expiries])
        if (expiry !== undefined && expiry <= now && isHeld()) await timeOut(id);
      const times = [...expiries.values()].filter((expiry) => expiry !== undefined);
      return times.reduce<Micros | undefined>((next, time) => Math.min(next ?? time, time), undefined);
    },
    clear: () => expiries.clear(),
  };
}
