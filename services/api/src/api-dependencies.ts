import type { Clock } from '@switchyard/base';
import type { Config, Paths } from '@switchyard/config';
import type { SharedEnvironmentInstaller } from '@switchyard/content';
import type { Datastore } from '@switchyard/datastore';
import type { Executions } from '@switchyard/executions';
import type { InstanceWatch } from '@switchyard/host';
import type { About } from '@switchyard/http';
import type { AuditTrail, Identities } from '@switchyard/identity';
import type { Bus } from '@switchyard/messaging';
import type { RunnerRegistry } from '@switchyard/runners';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import type { Triggers } from '@switchyard/triggers';

/** The dependencies of the API's routes. */
export interface ApiDependencies {
  readonly config: Config;
  readonly paths: Paths;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: StoreWithoutExecutions;
  /** Which processes are alive. */
  readonly instances: Pick<InstanceWatch, 'alive'>;
  readonly bus: Pick<Bus, 'publisher' | 'ready'>;
  readonly executions: Executions;
  readonly triggers: Triggers;
  readonly datastore: Datastore;
  readonly identities: Identities;
  /** If absent, nothing is recorded. */
  readonly audit?: AuditTrail;
  readonly runners: RunnerRegistry;
  /** Directories of packs; the first that holds a pack wins. */
  readonly packRoots: readonly string[];
  /** Variables that programs started for packs inherit, without the service's own secrets. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Absent if there is no shared Python environment. */
  readonly sharedPython?: Pick<SharedEnvironmentInstaller, 'request'>;
  readonly about: About;
}
