import { createActionRunner, type RunSettings } from '@switchyard/action-runner';
import { createApiService, type ApiServiceDependencies } from '@switchyard/api';
import { createAuthService, type AuthRoutes } from '@switchyard/auth';
import { addresses, dataLimits, expressionLimits } from '@switchyard/config';
import { createPackConfigs } from '@switchyard/content';
import type { Datastore } from '@switchyard/datastore';
import { createExecutions, type ConfigFor, type Executions } from '@switchyard/executions';
import { withHealthServer, type Platform, type Service } from '@switchyard/host';
import type { About, HttpService } from '@switchyard/http';
import { createIdentities, type Identities } from '@switchyard/identity';
import { createGarbageCollector } from '@switchyard/garbage-collector';
import { createNotifier } from '@switchyard/notifier';
import { createRulesEngine } from '@switchyard/rules-engine';
import { runnerRegistry, serviceEnvironment, type RunnerRegistry } from '@switchyard/runners';
import { createScheduler } from '@switchyard/scheduler';
import { createSensorContainer } from '@switchyard/sensor-container';
import { createStreamService } from '@switchyard/stream';
import { createTimers } from '@switchyard/timers';
import {
  ACTION_TRIGGER,
  createListeners,
  createTriggers,
  toldStatuses,
  type Listeners,
  type Triggers,
} from '@switchyard/triggers';
import { createWorkflowEngine } from '@switchyard/workflow-engine';
import { openDatastore } from './open-datastore';
import { packRoots } from './shipped-packs';

/** What the services of one process share, besides the platform. */
export interface Parts {
  readonly platform: Platform;
  readonly about: About;
  readonly identities: Identities;
  readonly executions: Executions;
  readonly datastore: Datastore;
  readonly triggers: Triggers;
  /** Of the trigger of ended executions. */
  readonly listeners: Listeners;
  readonly runners: RunnerRegistry;
  readonly roots: readonly string[];
  readonly configFor: ConfigFor;
  readonly environment: NodeJS.ProcessEnv;
}

export function createParts(platform: Platform, about: About, environment: NodeJS.ProcessEnv): Parts {
  const { config, store, bus, sealer, clock, logger, metrics, paths } = platform;
  const identities = createIdentities({ store, clock, config });
  const publisher = bus.publisher();
  const listeners = createListeners({ rules: store.rules, bus, clock, logger }, ACTION_TRIGGER);
  const onRuleChange = listeners.changed;
  const triggers = createTriggers({ store, publisher, config, clock, logger, onRuleChange });
  const datastore = openDatastore(platform, identities.access, triggers.dispatch);
  const roots = packRoots(paths);
  const packConfigs = createPackConfigs(store);
  const configFor: ConfigFor = (pack, context) => packConfigs.of(pack, datastore.lookupFor(context));
  const executions = createExecutions({
    store,
    sealer,
    clock,
    logger,
    publisher,
    webUrl: addresses(config).webConsole,
    onStatus: (status) => metrics.count('action.executions.{status}', { status }),
    isTold: toldStatuses(config.action_sensor, listeners),
    lookupFor: datastore.lookupFor,
    configFor,
    limits: dataLimits(config),
    validateOutput: platform.config.system.validate_output_schema,
    expressionLimits: expressionLimits(config),
    maxNesting: config.limits.max_nesting,
  });
  return {
    platform,
    about,
    identities,
    executions,
    datastore,
    triggers,
    listeners,
    runners: runnerRegistry({ config, paths }),
    roots,
    configFor,
    environment,
  };
}

/** The platform as one service gets it: its log lines say whose they are. */
export const platformOf = ({ platform }: Parts, service: string): Platform => ({
  ...platform,
  logger: platform.logger.child({ service }),
});

export const authService = (parts: Parts, auth?: AuthRoutes): Service =>
  createAuthService({
    ...platformOf(parts, 'auth'),
    identities: parts.identities,
    about: parts.about,
    ...(auth ? { auth } : {}),
  });

export const apiService = (
  parts: Parts,
  more: Pick<ApiServiceDependencies, 'prefixes' | 'alsoMount'> = {},
): Service & Pick<HttpService, 'address'> =>
  createApiService({ ...platformOf(parts, 'api'), ...parts, packRoots: parts.roots, ...more });

const streamService = (parts: Parts): Service =>
  createStreamService({
    ...platformOf(parts, 'stream'),
    executions: parts.executions,
    authenticate: parts.identities.authenticateIfEnabled,
  });

const notifier = (parts: Parts): Service =>
  withHealth(
    parts,
    createNotifier({
      ...platformOf(parts, 'notifier'),
      executions: parts.executions,
      dispatch: parts.triggers.dispatch,
      listeners: parts.listeners,
      lookupFor: parts.datastore.lookupFor,
    }),
    parts.platform.config.notifier.health_port,
  );

const scheduler = (parts: Parts): Service =>
  withHealth(
    parts,
    createScheduler({ ...platformOf(parts, 'scheduler'), executions: parts.executions }),
    parts.platform.config.scheduler.health_port,
  );

const rulesEngine = (parts: Parts): Service =>
  withHealth(
    parts,
    createRulesEngine({
      ...platformOf(parts, 'rules-engine'),
      executions: parts.executions,
      lookupFor: parts.datastore.lookupFor,
    }),
    parts.platform.config.rulesengine.health_port,
  );

const timers = (parts: Parts): Service =>
  withHealth(
    parts,
    createTimers({ ...platformOf(parts, 'timers'), dispatch: parts.triggers.dispatch }),
    parts.platform.config.timersengine.health_port,
  );

const garbageCollector = (parts: Parts): Service =>
  withHealth(
    parts,
    createGarbageCollector({ ...platformOf(parts, 'garbage-collector'), executions: parts.executions }),
    parts.platform.config.garbagecollector.health_port,
  );

function sensorContainer(parts: Parts): Service {
  const { identities, triggers, datastore, environment, platform } = parts;
  const service = createSensorContainer({
    ...platformOf(parts, 'sensor-container'),
    dispatch: triggers.dispatch,
    datastore,
    tokens: identities.tokens,
    access: identities.access,
    apiUrl: addresses(platform.config).api,
    environment: serviceEnvironment(environment),
    // As shells tell of a process that a signal has ended.
    onSingleEnd: (code) => void (process.exitCode = code < 0 ? 128 - code : code),
  });
  return withHealth(parts, service, platform.config.sensorcontainer.health_port);
}

const workflowEngine = (parts: Parts): Service =>
  withHealth(
    parts,
    createWorkflowEngine({
      ...platformOf(parts, 'workflow-engine'),
      executions: parts.executions,
      lookupFor: parts.datastore.lookupFor,
      configFor: parts.configFor,
      apiUrl: addresses(parts.platform.config).api,
      packDirectories: parts.roots,
    }),
    parts.platform.config.workflow_engine.health_port,
  );

function actionRunner(parts: Parts): Service {
  const { executions, runners, identities } = parts;
  const service = createActionRunner({
    ...platformOf(parts, 'action-runner'),
    executions,
    runners,
    tokens: identities.tokens,
    configFor: parts.configFor,
    dispatch: parts.triggers.dispatch,
    settings: runSettings(parts),
  });
  return withHealth(parts, service, parts.platform.config.actionrunner.health_port);
}

function runSettings({ platform: { config }, environment, roots }: Parts): RunSettings {
  return {
    systemUser: config.system_user.user,
    maxOutputBytes: config.actionrunner.max_output_bytes,
    data: dataLimits(config),
    streamOutput: config.actionrunner.stream_output,
    outputBufferBytes: config.actionrunner.stream_output_buffer_size,
    environment: serviceEnvironment(environment),
    apiUrl: addresses(config).api,
    serviceTokenTtlSeconds: config.auth.service_token_ttl,
    packDirectories: roots,
  };
}

const withHealth = ({ platform }: Parts, service: Service, port: number): Service =>
  withHealthServer(service, platform.config.api.host, port, platform.metrics.page);

/** Every service by name: a process is a list of these. */
export const serviceFactories = {
  auth: (parts) => authService(parts),
  api: (parts) => apiService(parts),
  stream: streamService,
  notifier,
  'action-runner': actionRunner,
  scheduler,
  'workflow-engine': workflowEngine,
  'rules-engine': rulesEngine,
  timers,
  'garbage-collector': garbageCollector,
  'sensor-container': sensorContainer,
} as const satisfies Record<string, (parts: Parts) => Service>;

export type ServiceName = keyof typeof serviceFactories;

export const serviceNames = Object.keys(serviceFactories) as ServiceName[];
