import type { Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Publisher } from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

/** What triggers stand on. */
export interface TriggersDependencies {
  readonly store: Pick<Store, 'triggerTypes' | 'triggers' | 'triggerInstances' | 'rules'>;
  readonly publisher: Publisher;
  readonly config: { readonly [Section in 'system' | 'action_sensor']: Config[Section] } & Partial<
    Pick<Config, 'limits'>
  >;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Told of each rule that this process writes or removes, before the others are. */
  readonly onRuleChange?: () => void;
}
