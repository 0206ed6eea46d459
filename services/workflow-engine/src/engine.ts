import type { Clock, Id } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { ConfigFor, Executions, LookupFor, WorkflowJournal } from '@switchyard/executions';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Definitions } from './definitions';

/** What the parts of an engine share. */
export interface Engine {
  readonly config: Config;
  readonly store: Store;
  readonly executions: Executions;
  readonly journal: WorkflowJournal;
  readonly definitions: Definitions;
  readonly lookupFor?: LookupFor | undefined;
  readonly configFor?: ConfigFor | undefined;
  /** Address of the API with its version. */
  readonly apiUrl: string;
  /** Id of this process among the engines. */
  readonly instance: Id;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'time' | 'shift'>;
}
