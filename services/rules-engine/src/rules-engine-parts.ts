import { together, type Clock, type Id } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { MatchEnv } from '@switchyard/expressions';
import type { TriggerInstanceRecord } from '@switchyard/model';
import type { Store, StoreWithoutExecutions, TriggerInstanceEnd } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { RuleBook } from './rule-book';

/** The dependencies that the steps of the engine share. */
export interface EngineParts {
  readonly store: StoreWithoutExecutions;
  readonly executions: Pick<Executions, 'records' | 'request' | 'requestFailed' | 'results' | 'traces'>;
  readonly book: RuleBook;
  readonly instances: InstanceCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'count' | 'time'>;
  /** The user that the actions of rules run as. */
  readonly systemUser: string;
  /** Reads the datastore for patterns. When absent, patterns have no datastore. */
  readonly lookup?: MatchEnv['lookup'];
  /** The limits of the patterns of one rule for one event, taken together. */
  readonly expressionLimits: NonNullable<MatchEnv['allowance']>;
  /** Called when a match has to run its action later. */
  readonly wakeAt: (due: number) => void;
}

/** Store calls that every instance needs. Instances that are processed at the same time share a call. */
interface InstanceCalls {
  get(id: Id): Promise<TriggerInstanceRecord | undefined>;
  end(end: TriggerInstanceEnd): Promise<void>;
}

export function createInstanceCalls({ triggerInstances }: Pick<Store, 'triggerInstances'>): InstanceCalls {
  return {
    get: together(async (ids: readonly Id[]) => {
      const found = new Map((await triggerInstances.getAll(ids)).map((record) => [record._id, record]));
      return ids.map((id) => found.get(id));
    }),
    end: together(async (ends: readonly TriggerInstanceEnd[]) => {
      await triggerInstances.endAll(ends);
      return ends.map(() => undefined);
    }),
  };
}
