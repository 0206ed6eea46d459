import type { ExecutionRecord, Limit, PolicyRecord } from '@switchyard/model';
import type { TransitionDeps } from '../transition';
import { afterEnd, type AfterEndDeps } from './after-end';
import type { Retry } from './decide-retry';
import { limitsOf, type LimitsDeps } from './limits-of';
import { requestRetry } from './request-retry';
import { countIn, giveRoomBack, takeRoom, type RoomDeps, type Taken } from './take-room';
import { waitForRoom } from './wait';

/** What policies say about executions. */
export interface ExecutionPolicies {
  /** See `afterEnd`. */
  afterEnd(record: ExecutionRecord): Promise<void>;
  /** See `requestRetry`. */
  retry(record: ExecutionRecord, policy: Pick<PolicyRecord, 'ref'>, retry: Retry): Promise<ExecutionRecord>;
  /** See `limitsOf`. */
  limitsOf(record: ExecutionRecord): Promise<readonly Limit[]>;
  /** See `takeRoom`. */
  take(limit: Limit, record: ExecutionRecord): Promise<Taken>;
  /** See `countIn`. */
  countIn(limit: Limit, id: string): Promise<void>;
  /** See `giveRoomBack`. */
  giveBack(key: string, id: string): Promise<void>;
  /** See `waitForRoom`. */
  wait(record: ExecutionRecord, limit: Limit): Promise<void>;
}

export interface ExecutionPoliciesDeps {
  requesting: AfterEndDeps;
  transitions: TransitionDeps;
  limits: LimitsDeps & RoomDeps;
}

export const createExecutionPolicies = ({
  requesting,
  transitions,
  limits,
}: ExecutionPoliciesDeps): ExecutionPolicies => ({
  afterEnd: (record) => afterEnd(requesting, record),
  retry: (record, policy, retry) => requestRetry(requesting, record, policy, retry),
  limitsOf: (record) => limitsOf(limits, record),
  take: (limit, record) => takeRoom(limits, limit, record),
  countIn: (limit, id) => countIn(limits, limit, id),
  giveBack: (key, id) => giveRoomBack(limits, key, id),
  wait: (record, limit) => waitForRoom(transitions, record, limit),
});
