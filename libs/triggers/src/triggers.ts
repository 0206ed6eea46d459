import { createAnnouncer } from './announce';
import { createDispatcher, type Dispatcher } from './dispatch';
import { createNamedTriggers, type NamedTriggers } from './named-triggers';
import { createRuleTriggers, type RuleTriggers } from './rule-triggers';
import { createRules, type Rules } from './rules/rules';
import { createTriggerTypes, type TriggerTypes } from './trigger-types/trigger-types';
import type { TriggersDependencies } from './triggers-dependencies';

/** Trigger types, triggers, the rules that listen to them, and what triggers tell. */
export interface Triggers extends TriggerTypes, RuleTriggers, NamedTriggers, Rules, Dispatcher {}

export function createTriggers(deps: TriggersDependencies): Triggers {
  const announce = createAnnouncer(deps);
  const ruleTriggers = createRuleTriggers(deps, announce);
  return {
    ...ruleTriggers,
    ...createTriggerTypes(deps, announce, ruleTriggers),
    ...createNamedTriggers(deps, announce),
    ...createRules(deps, ruleTriggers, announce),
    ...createDispatcher(deps, announce),
  };
}
