import type {
  ConfigRecord,
  ConfigSchemaRecord,
  GroupMappingRecord,
  PackRecord,
  RoleRecord,
  RuleRecord,
  RunnerTypeRecord,
  SensorTypeRecord,
  TriggerRecord,
  TriggerTypeRecord,
  UserRecord,
} from '@switchyard/model';
import type { Connection } from 'mongoose';
import type { CheckWrite } from './collection';
import { storeCollections, type StoreCollections } from './collections';
import { isEmbedded } from './is-embedded';
import { storeMigrations, type StoreMigrations } from './migrations/store-migrations';
import { actionAliasRepository, type ActionAliasRepository } from './repositories/action-aliases';
import { actionRepository, type ActionRepository } from './repositories/actions';
import { auditRepository, type AuditRepository } from './repositories/audit';
import { blobRepository, type BlobRepository } from './repositories/blobs';
import { configRepository } from './repositories/configs';
import { definitionRepository, type DefinitionRepository } from './repositories/definitions';
import { electionRepository, type ElectionRepository } from './repositories/elections';
import { executionRepository, type ExecutionRepository } from './repositories/executions';
import { instanceRepository, type InstanceRepository } from './repositories/instances';
import { keyRotationRepository, type KeyRotationRepository } from './repositories/key-rotations';
import { keyValueRepository, type KeyValueRepository } from './repositories/key-values';
import { limitRepository, type LimitRepository } from './repositories/limits';
import { outputRepository, type OutputRepository } from './repositories/output';
import { packRecordRepository, type PackRecordRepository } from './repositories/pack-records';
import { policyRepository, type PolicyRepository } from './repositories/policies';
import { remembering } from './repositories/remembering';
import { removalRepository, type RemovalRepository } from './repositories/removals';
import { resourceRepository, type ResourceRepository } from './repositories/resources';
import { counted, revisionRepository, type RevisionRepository } from './repositories/revisions';
import { roleAssignmentRepository, type RoleAssignmentRepository } from './repositories/role-assignments';
import { ruleEnforcementRepository, type RuleEnforcementRepository } from './repositories/rule-enforcements';
import { ruleRepository } from './repositories/rules';
import { ruleStateRepository, type RuleStateRepository } from './repositories/rule-states';
import { timerRepository, type TimerRepository } from './repositories/timers';
import { sensorLogRepository, type SensorLogRepository } from './repositories/sensor-logs';
import { sensorStateRepository, type SensorStateRepository } from './repositories/sensor-states';
import { apiKeyRepository, type ApiKeyRepository } from './repositories/api-keys';
import { loginFailureRepository, type LoginFailureRepository } from './repositories/login-failures';
import { loginGrantRepository, type LoginGrantRepository } from './repositories/login-grants';
import { webhookDeliveryRepository, type WebhookDeliveryRepository } from './repositories/webhook-deliveries';
import { serviceTokensInMemory } from './repositories/service-tokens';
import { tokenRepository, type TokenRepository } from './repositories/tokens';
import { traceRepository, type TraceRepository } from './repositories/traces';
import { workflowRepository, type WorkflowRepository } from './repositories/workflows';
import { triggerInstanceRepository, type TriggerInstanceRepository } from './repositories/trigger-instances';
import { storeWalk, type StoreWalk } from './rotation/walk';
import type { Sealer } from './sealing/sealer';

/** All repositories of the store. */
export interface Store {
  readonly executions: ExecutionRepository;
  readonly output: OutputRepository;
  readonly blobs: BlobRepository;
  readonly definitions: DefinitionRepository;
  readonly actions: ActionRepository;
  readonly actionAliases: ActionAliasRepository;
  readonly runnerTypes: ResourceRepository<RunnerTypeRecord>;
  readonly packs: ResourceRepository<PackRecord>;
  readonly configSchemas: PackRecordRepository<ConfigSchemaRecord>;
  readonly configs: PackRecordRepository<ConfigRecord>;
  readonly users: ResourceRepository<UserRecord>;
  readonly tokens: TokenRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly loginFailures: LoginFailureRepository;
  readonly loginGrants: LoginGrantRepository;
  readonly roles: ResourceRepository<RoleRecord>;
  readonly roleAssignments: RoleAssignmentRepository;
  readonly groupMappings: ResourceRepository<GroupMappingRecord>;
  readonly audit: AuditRepository;
  readonly instances: InstanceRepository;
  readonly elections: ElectionRepository;
  readonly timers: TimerRepository;
  readonly triggerTypes: ResourceRepository<TriggerTypeRecord>;
  readonly triggers: ResourceRepository<TriggerRecord>;
  readonly triggerInstances: TriggerInstanceRepository;
  readonly rules: ResourceRepository<RuleRecord>;
  readonly ruleEnforcements: RuleEnforcementRepository;
  readonly ruleStates: RuleStateRepository;
  readonly policies: PolicyRepository;
  readonly limits: LimitRepository;
  /** Revisions of `rules`, `policies` and `roles`; the last also counts changes of assignments. */
  readonly revisions: RevisionRepository;
  readonly webhookDeliveries: WebhookDeliveryRepository;
  readonly removals: RemovalRepository;
  readonly traces: TraceRepository;
  readonly workflows: WorkflowRepository;
  readonly keyRotations: KeyRotationRepository;
  readonly keyValues: KeyValueRepository;
  readonly sensorTypes: ResourceRepository<SensorTypeRecord>;
  readonly sensorStates: SensorStateRepository;
  readonly sensorLogs: SensorLogRepository;
  /** All encrypted values, for a rotation of keys. */
  readonly walk: StoreWalk;
  readonly migrations: StoreMigrations;
  /** Whether only this process can use the store, so that all services that work on its records are in this process. */
  readonly isExclusive: boolean;
  /** Rejects if the store does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The store of a service that reads and changes executions through `@switchyard/executions` only. */
export type StoreWithoutExecutions = Omit<Store, 'executions'>;

export interface StoreOptions {
  /** Called for every write; for tests. */
  readonly checkWrite?: CheckWrite;
}

/** Every request reads a runner type and every event a trigger type. These change only when packs are registered. */
const TYPES_FRESH_MS = 1000;

/**
 * Creates the repositories on a connection, checks the schema version, and adds what this version of the program needs.
 * @param sealer encrypts records with sealed values
 */
export async function openStore(
  connection: Connection,
  sealer: Sealer,
  { checkWrite }: StoreOptions = {},
): Promise<Store> {
  const all = storeCollections(connection, checkWrite);
  const { meta, ...collections } = all;
  const migrations = storeMigrations(all);
  await migrations.expand();
  const isExclusive = isEmbedded(connection);
  return {
    ...repositoriesOf(collections, sealer, isExclusive),
    walk: storeWalk(all),
    migrations,
    isExclusive,
    ping: async () => {
      await meta.get('schema');
    },
    close: () => connection.close(),
  };
}

type Repositories = Omit<Store, 'walk' | 'migrations' | 'isExclusive' | 'ping' | 'close'>;

function repositoriesOf(
  collections: Omit<StoreCollections, 'meta'>,
  sealer: Sealer,
  isExclusive: boolean,
): Repositories {
  const revisions = revisionRepository(collections.revisions);
  const tokens = tokenRepository(collections.tokens);
  return {
    executions: executionRepository(collections.executions),
    output: outputRepository(collections.output),
    blobs: blobRepository(collections.blobs),
    definitions: definitionRepository(collections.definitions),
    actions: actionRepository(collections.actions),
    actionAliases: actionAliasRepository(collections.actionAliases, sealer),
    runnerTypes: remembering(resourceRepository(collections.runnerTypes, 'name'), TYPES_FRESH_MS),
    packs: resourceRepository(collections.packs, 'ref'),
    configSchemas: packRecordRepository(collections.configSchemas),
    configs: configRepository(collections.configs, sealer),
    users: resourceRepository(collections.users, 'name'),
    tokens: isExclusive ? serviceTokensInMemory(tokens) : tokens,
    apiKeys: apiKeyRepository(collections.apiKeys),
    loginFailures: loginFailureRepository(collections.loginFailures),
    loginGrants: loginGrantRepository(collections.loginGrants),
    roles: counted(resourceRepository(collections.roles, 'name'), revisions, 'roles'),
    roleAssignments: roleAssignmentRepository(collections.roleAssignments, revisions),
    groupMappings: resourceRepository(collections.groupMappings, 'group'),
    audit: auditRepository(collections.audit),
    instances: instanceRepository(collections.instances),
    elections: electionRepository(collections.elections),
    timers: timerRepository(collections.timers),
    triggerTypes: remembering(resourceRepository(collections.triggerTypes, 'ref'), TYPES_FRESH_MS),
    triggers: resourceRepository(collections.triggers, 'ref'),
    triggerInstances: triggerInstanceRepository(collections.triggerInstances),
    rules: counted(ruleRepository(collections.rules, sealer), revisions, 'rules'),
    ruleEnforcements: ruleEnforcementRepository(collections.ruleEnforcements),
    ruleStates: ruleStateRepository(collections.ruleStates),
    policies: policyRepository(collections.policies, revisions),
    limits: limitRepository(collections.limits),
    revisions,
    webhookDeliveries: webhookDeliveryRepository(collections.webhookDeliveries),
    removals: removalRepository(collections.removals),
    traces: traceRepository(collections.traces),
    workflows: workflowRepository({
      runs: collections.workflows,
      journal: collections.workflowJournal,
      definitions: collections.workflowDefinitions,
    }),
    keyRotations: keyRotationRepository(collections.keyRotations),
    keyValues: keyValueRepository(collections.keyValues),
    sensorTypes: resourceRepository(collections.sensorTypes, 'ref'),
    sensorStates: sensorStateRepository(collections.sensorStates),
    sensorLogs: sensorLogRepository(collections.sensorLogs),
  };
}
