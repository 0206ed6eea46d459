import type { ExecutionRecord, Limit, PolicyRecord } from '@switchyard/model';
import type { TransitionDeps } from '../transition';
import {
  countIn,
  giveRoomBack,
  policyLimitsOf,
  takeRoom,
  waitForRoom,
  type LimitsDeps,
  type RoomDeps,
  type Taken,
} from './limits';
import { afterEnd, requestRetry, type AfterEndDeps, type Retry } from './retries';

/** The effects of policies on executions. */
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
  limitsOf: (record) => policyLimitsOf(limits, record),
  take: (limit, record) => takeRoom(limits, limit, record),
  countIn: (limit, id) => countIn(limits, limit, id),
  giveBack: (key, id) => giveRoomBack(limits, key, id),
  wait: (record, limit) => waitForRoom(transitions, record, limit),
});
