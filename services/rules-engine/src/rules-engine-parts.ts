import type { Clock } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { MatchEnv } from '@switchyard/expressions';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { InstanceCalls } from './instance-calls';
import type { RuleBook } from './rule-book';

/** What the steps of the engine share. */
export interface EngineParts {
  readonly store: Store;
  readonly executions: Pick<Executions, 'request' | 'requestFailed' | 'results' | 'traces'>;
  readonly book: RuleBook;
  readonly instances: InstanceCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'count' | 'time'>;
  /** Whom the actions of rules run as. */
  readonly systemUser: string;
  /** Reads the datastore for patterns; without it there is none. */
  readonly lookup?: MatchEnv['lookup'];
  /** What the patterns of one rule may cost together, for one event. */
  readonly expressionLimits: NonNullable<MatchEnv['allowance']>;
  /** Told when a match has to run its action later. */
  readonly wakeAt: (due: number) => void;
}
