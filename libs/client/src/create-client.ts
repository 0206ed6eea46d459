import type { CurrentUser, SystemStatus } from '@switchyard/model';
import type { ClientOptions } from './client-options';
import { watchEvents, type EventQuery, type ClientEvent } from './events/watch-events';
import {
  createActionAliases,
  type ActionAliases,
  createActions,
  type Actions,
  createRunnerTypes,
  type RunnerTypesResource,
} from './resources/actions';
import {
  apiKeysResource,
  type ApiKeysResource,
  tokensResource,
  type TokensResource,
  readCurrentUser,
} from './resources/credentials';
import { createConfigs, type Configs, createPacks, type Packs } from './resources/packs';
import { executionsResource, type ExecutionsResource } from './resources/executions';
import { inquiriesResource, type InquiriesResource } from './resources/inquiries';
import { createKeyRotations, type KeyRotations } from './resources/key-rotation';
import { createKeys, type Keys } from './resources/keys';
import { createPolicies, createPolicyTypes, type Policies, type PolicyTypes } from './resources/policies';
import { createAuditRecords, type AuditRecords } from './resources/audit';
import { createPurge, type Purge } from './resources/purge';
import { createRoleAssignments, type RoleAssignments, createRoles, type Roles } from './resources/roles';
import { createRuleEnforcements, type RuleEnforcements, rulesResource, type RulesResource } from './resources/rules';
import { createServiceRegistry, type ServiceRegistry } from './resources/service-registry';
import { readSystemStatus } from './resources/system-status';
import { createSensors, type Sensors } from './resources/sensors';
import {
  timersResource,
  type Timers,
  triggersResource,
  type TriggersResource,
  triggerTypesResource,
  type TriggerTypesResource,
  createWebhooks,
  type Webhooks,
} from './resources/triggers';
import { tracesResource, type TracesResource } from './resources/traces';
import { createTriggerInstances, type TriggerInstances } from './resources/trigger-instances';
import { createWorkflowDefinitions, type WorkflowDefinitions } from './resources/workflow-definitions';
import { createApiTransport } from './transport/transport';

/** The API of one installation for one caller. */
export interface Client {
  readonly actionAliases: ActionAliases;
  readonly actions: Actions;
  readonly apiKeys: ApiKeysResource;
  readonly configs: Configs;
  readonly executions: ExecutionsResource;
  readonly inquiries: InquiriesResource;
  readonly keyRotations: KeyRotations;
  readonly keys: Keys;
  readonly packs: Packs;
  readonly policies: Policies;
  readonly policyTypes: PolicyTypes;
  readonly roleAssignments: RoleAssignments;
  readonly audit: AuditRecords;
  readonly roles: Roles;
  readonly ruleEnforcements: RuleEnforcements;
  /** Removes old records. */
  readonly purge: Purge;
  readonly rules: RulesResource;
  readonly runnerTypes: RunnerTypesResource;
  readonly sensors: Sensors;
  readonly serviceRegistry: ServiceRegistry;
  readonly timers: Timers;
  readonly tokens: TokensResource;
  readonly traces: TracesResource;
  readonly triggerInstances: TriggerInstances;
  readonly triggers: TriggersResource;
  readonly triggerTypes: TriggerTypesResource;
  readonly webhooks: Webhooks;
  readonly workflowDefinitions: WorkflowDefinitions;
  user(): Promise<CurrentUser>;
  /** What is running, what waits, and why. */
  status(): Promise<SystemStatus>;
  /** Events as they happen. Reconnects after a broken connection. */
  events(query?: EventQuery): AsyncGenerator<ClientEvent, void>;
}

/**
 * Does no I/O. Methods throw ApiError (an error response with `status` and `faultstring`) or ConnectionError (no response).
 * GET requests without a response are retried twice, others never. Certificates are checked unless that is turned off.
 */
export function createClient(options: ClientOptions): Client {
  const transport = createApiTransport(options);
  return {
    actionAliases: createActionAliases(transport),
    actions: createActions(transport),
    apiKeys: apiKeysResource(transport),
    configs: createConfigs(transport),
    executions: executionsResource(transport),
    inquiries: inquiriesResource(transport),
    keyRotations: createKeyRotations(transport),
    keys: createKeys(transport),
    packs: createPacks(transport),
    policies: createPolicies(transport),
    policyTypes: createPolicyTypes(transport),
    purge: createPurge(transport),
    audit: createAuditRecords(transport),
    roleAssignments: createRoleAssignments(transport),
    roles: createRoles(transport),
    ruleEnforcements: createRuleEnforcements(transport),
    rules: rulesResource(transport),
    runnerTypes: createRunnerTypes(transport),
    sensors: createSensors(transport),
    serviceRegistry: createServiceRegistry(transport),
    timers: timersResource(transport),
    tokens: tokensResource(transport),
    traces: tracesResource(transport),
    triggerInstances: createTriggerInstances(transport),
    triggers: triggersResource(transport),
    triggerTypes: triggerTypesResource(transport),
    webhooks: createWebhooks(transport),
    workflowDefinitions: createWorkflowDefinitions(transport),
    status: () => readSystemStatus(transport),
    user: () => readCurrentUser(transport),
    events: (query) => watchEvents(transport, query),
  };
}
