import type { ClientOptions } from './client-options';
import { watchEvents, type EventQuery, type StreamEvent } from './events/watch-events';
import { createActionAliases, type ActionAliases } from './resources/action-aliases';
import { createActions, type Actions } from './resources/actions';
import { createApiKeys, type ApiKeys } from './resources/api-keys';
import { createConfigs, type Configs } from './resources/configs';
import { createExecutions, type Executions } from './resources/executions';
import { createInquiries, type Inquiries } from './resources/inquiries';
import { createKeys, type Keys } from './resources/keys';
import { createPacks, type Packs } from './resources/packs';
import { createPolicies, createPolicyTypes, type Policies, type PolicyTypes } from './resources/policies';
import { createRuleEnforcements, type RuleEnforcements } from './resources/rule-enforcements';
import { createRules, type Rules } from './resources/rules';
import { createRunnerTypes, type RunnerTypes } from './resources/runner-types';
import { createSensors, type Sensors } from './resources/sensors';
import { createTimers, type Timers } from './resources/timers';
import { createTokens, type Tokens } from './resources/tokens';
import { createTraces, type Traces } from './resources/traces';
import { createTriggerInstances, type TriggerInstances } from './resources/trigger-instances';
import { createTriggers, type Triggers } from './resources/triggers';
import { createTriggerTypes, type TriggerTypes } from './resources/trigger-types';
import { readCurrentUser, type CurrentUser } from './resources/user';
import { createWebhooks, type Webhooks } from './resources/webhooks';
import { createTransport } from './transport/transport';

/** The services of one installation, as one caller sees them. */
export interface Client {
  readonly actionAliases: ActionAliases;
  readonly actions: Actions;
  readonly apiKeys: ApiKeys;
  readonly configs: Configs;
  readonly executions: Executions;
  readonly inquiries: Inquiries;
  readonly keys: Keys;
  readonly packs: Packs;
  readonly policies: Policies;
  readonly policyTypes: PolicyTypes;
  readonly ruleEnforcements: RuleEnforcements;
  readonly rules: Rules;
  readonly runnerTypes: RunnerTypes;
  readonly sensors: Sensors;
  readonly timers: Timers;
  readonly tokens: Tokens;
  readonly traces: Traces;
  readonly triggerInstances: TriggerInstances;
  readonly triggers: Triggers;
  readonly triggerTypes: TriggerTypes;
  readonly webhooks: Webhooks;
  user(): Promise<CurrentUser>;
  /** Events as they happen; connects again by itself after a break. */
  events(query?: EventQuery): AsyncGenerator<StreamEvent, void>;
}

/**
 * Does no I/O. Methods throw ApiError (the server said no; `status`, `faultstring`) or ConnectionError (no answer).
 * GET requests without an answer are repeated twice, others never. Certificates are checked unless switched off.
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);
  return {
    actionAliases: createActionAliases(transport),
    actions: createActions(transport),
    apiKeys: createApiKeys(transport),
    configs: createConfigs(transport),
    executions: createExecutions(transport),
    inquiries: createInquiries(transport),
    keys: createKeys(transport),
    packs: createPacks(transport),
    policies: createPolicies(transport),
    policyTypes: createPolicyTypes(transport),
    ruleEnforcements: createRuleEnforcements(transport),
    rules: createRules(transport),
    runnerTypes: createRunnerTypes(transport),
    sensors: createSensors(transport),
    timers: createTimers(transport),
    tokens: createTokens(transport),
    traces: createTraces(transport),
    triggerInstances: createTriggerInstances(transport),
    triggers: createTriggers(transport),
    triggerTypes: createTriggerTypes(transport),
    webhooks: createWebhooks(transport),
    user: () => readCurrentUser(transport),
    events: (query) => watchEvents(transport, query),
  };
}
