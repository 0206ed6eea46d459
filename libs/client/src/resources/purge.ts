import type { PurgeRequest, PurgeStep } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf } from './records';

export type Purge = (request: Omit<PurgeRequest, 'after'>) => AsyncGenerator<number, void>;

/** Removes old records step by step. Yields the number of records that each step has removed. */
export const createPurge = (transport: ApiTransport): Purge =>
  async function* (request) {
    for (let after: string | undefined, isLast = false; !isLast;) {
      const body = { ...request, ...(after === undefined ? {} : { after }) };
      const { removed, next } = await answerOf<PurgeStep>(transport, 'POST', ['purge'], body);
      yield removed;
      after = next;
      isLast = next === undefined;
    }
  };
