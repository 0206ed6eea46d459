import type { Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Publisher } from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { Logger, SpanRecorder } from '@switchyard/telemetry';
import { createDispatcher, createTriggerAnnouncer, type Dispatcher } from './dispatch';
import { createNamedTriggers, type NamedTriggers } from './named-triggers';
import { createRuleTriggers, type RuleTriggers } from './rule-triggers';
import { createRules, type Rules } from './rules/rules';
import { createTriggerTypes, type TriggerTypes } from './trigger-types/trigger-types';
import { createHookFinder, type HookFinder } from './webhooks';

/** Operations on trigger types, triggers, rules, webhooks and trigger instances. */
export interface Triggers extends TriggerTypes, RuleTriggers, NamedTriggers, Rules, HookFinder, Dispatcher {}

export function createTriggers(deps: TriggersDependencies): Triggers {
  const announce = createTriggerAnnouncer(deps);
  const ruleTriggers = createRuleTriggers(deps, announce);
  return {
    ...ruleTriggers,
    ...createTriggerTypes(deps, announce, ruleTriggers),
    ...createNamedTriggers(deps, announce),
    ...createRules(deps, ruleTriggers, announce),
    ...createHookFinder(deps.store),
    ...createDispatcher(deps, announce),
  };
}

export interface TriggersDependencies {
  readonly store: Pick<Store, 'triggerTypes' | 'triggers' | 'triggerInstances' | 'rules'>;
  readonly publisher: Publisher;
  readonly config: { readonly [Section in 'system' | 'action_sensor']: Config[Section] } & Partial<
    Pick<Config, 'limits'>
  >;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Nothing is recorded when absent. */
  readonly spans?: SpanRecorder;
  /** Called for each rule that this process writes or removes, before other processes are notified. */
  readonly onRuleChange?: () => void;
}
