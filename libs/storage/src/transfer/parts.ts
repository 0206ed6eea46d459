import type { StoreCollections } from '../collections';

/** The parts of a system that an export can be limited to. */
export const TRANSFER_PARTS = ['content', 'datastore', 'rules', 'users', 'history'] as const;
export type TransferPart = (typeof TRANSFER_PARTS)[number];

/** Why the records of a collection are not exported. */
export type StaysBecause = 'of running processes' | 'of unfinished work' | 'short-lived' | 'of this store';

/** The part that each collection of the store belongs to, or why it is not exported. docs/backup.md has the same table. */
export const TRAVEL: Readonly<Record<keyof StoreCollections, { part: TransferPart } | { stays: StaysBecause }>> = {
  packs: { part: 'content' },
  runnerTypes: { part: 'content' },
  actions: { part: 'content' },
  actionAliases: { part: 'content' },
  configSchemas: { part: 'content' },
  configs: { part: 'content' },
  policies: { part: 'content' },
  triggerTypes: { part: 'content' },
  sensorTypes: { part: 'content' },
  keyValues: { part: 'datastore' },
  triggers: { part: 'rules' },
  rules: { part: 'rules' },
  timers: { part: 'rules' },
  users: { part: 'users' },
  apiKeys: { part: 'users' },
  roles: { part: 'users' },
  roleAssignments: { part: 'users' },
  groupMappings: { part: 'users' },
  executions: { part: 'history' },
  output: { part: 'history' },
  blobs: { part: 'history' },
  workflows: { part: 'history' },
  workflowJournal: { part: 'history' },
  triggerInstances: { part: 'history' },
  ruleEnforcements: { part: 'history' },
  traces: { part: 'history' },
  audit: { part: 'history' },
  definitions: { part: 'history' },
  workflowDefinitions: { part: 'history' },
  tokens: { stays: 'short-lived' },
  loginFailures: { stays: 'short-lived' },
  loginGrants: { stays: 'short-lived' },
  webhookDeliveries: { stays: 'short-lived' },
  ruleStates: { stays: 'of unfinished work' },
  limits: { stays: 'of unfinished work' },
  removals: { stays: 'of unfinished work' },
  sensorStates: { stays: 'of running processes' },
  sensorLogs: { stays: 'of running processes' },
  instances: { stays: 'of running processes' },
  elections: { stays: 'of running processes' },
  revisions: { stays: 'of this store' },
  keyRotations: { stays: 'of this store' },
  meta: { stays: 'of this store' },
};

/** A collection that is exported. */
export type TravellingName = keyof StoreCollections;

/** The collections of some parts, in the order of the table. */
export const collectionsOf = (parts: readonly TransferPart[]): TravellingName[] =>
  (Object.keys(TRAVEL) as TravellingName[]).filter((name) => {
    const travel = TRAVEL[name];
    return 'part' in travel && parts.includes(travel.part);
  });
