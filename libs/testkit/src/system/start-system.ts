import { userInfo } from 'node:os';
import { createActionRunner, type RunSettings } from '@switchyard/action-runner';
import { defaultDataLimits, type Clock } from '@switchyard/base';
import type { Config, ConfigOverrides } from '@switchyard/config';
import {
  createExecutions,
  createPermits,
  type ConfigFor,
  type ExecutionRequest,
  type Executions,
  type LookupFor,
} from '@switchyard/executions';
import type { Service } from '@switchyard/host';
import { createIdentities, type Identities } from '@switchyard/identity';
import type { ActionRecord, ExecutionRecord, RunnerTypeRecord, Status } from '@switchyard/model';
import { createNotifier } from '@switchyard/notifier';
import { runnerRegistry, runnerTypes, serviceEnvironment, type RunnerPlugin } from '@switchyard/runners';
import { createScheduler } from '@switchyard/scheduler';
import {
  ACTION_TRIGGER,
  createListeners,
  createTriggers,
  toldStatuses,
  type Listeners,
  type Triggers,
} from '@switchyard/triggers';
import { createWorkflowEngine } from '@switchyard/workflow-engine';
import type { TestClock } from '../platform/test-clock';
import { openTestPlatform, type TestPlatform } from '../platform/test-platform';
import { anAction, aRunnerType } from '../records';
import { manualRunner, type ManualRunner } from './manual-runner';
import { untilStatus } from './until';

export interface SystemOptions {
  /** Uses this platform instead of its own. */
  platform?: TestPlatform;
  overrides?: ConfigOverrides;
  schedulers?: number;
  /** One action runner per entry. */
  runners?: readonly RunnerOptions[];
  notifiers?: number;
  /** Workflow engines; default: none. */
  engines?: number;
  plugins?: readonly RunnerPlugin[];
  settings?: Partial<RunSettings>;
  lookupFor?: LookupFor;
  configFor?: ConfigFor;
  /** Checks results against output schemas. */
  validateOutput?: boolean;
}

export interface RunnerOptions {
  slots?: number;
  labels?: readonly string[];
  clock?: TestClock;
  actionrunner?: Partial<Config['actionrunner']>;
}

/** The services of one system, all in this process, with one store and one bus. */
export interface TestSystem {
  readonly platform: TestPlatform;
  readonly executions: Executions;
  readonly triggers: Triggers;
  /** Listeners to the trigger for ended executions. */
  readonly listeners: Listeners;
  readonly identities: Identities;
  readonly manual: ManualRunner;
  readonly schedulers: readonly Service[];
  readonly runners: readonly Service[];
  readonly notifiers: readonly Service[];
  readonly engines: readonly Service[];
  /** Stores an action, and its runner type if one is given. */
  register(action?: Partial<ActionRecord>, runnerType?: Partial<RunnerTypeRecord>): Promise<ActionRecord>;
  /** Requests an execution of `tests.action` unless another action is named. */
  request(request?: Partial<ExecutionRequest>): Promise<ExecutionRecord>;
  /** Waits for one of these statuses, by default any final one. */
  untilStatus(id: string, ...statuses: Status[]): Promise<ExecutionRecord>;
  /** Requests an execution and waits for its end. */
  run(request?: Partial<ExecutionRequest>): Promise<ExecutionRecord>;
  /** Adds an action runner to the running system. */
  addRunner(options?: RunnerOptions): Promise<Service>;
  addScheduler(): Promise<Service>;
  addNotifier(): Promise<Service>;
  addEngine(): Promise<Service>;
  /** Stops the services, last started first, and leaves the platform open. */
  stopServices(): Promise<void>;
  /** Stops the services and removes everything. */
  close(): Promise<void>;
}

/** Starts the given numbers of services; by default one scheduler, one action runner with ten slots, one notifier. */
export async function startSystem(options: SystemOptions = {}): Promise<TestSystem> {
  const platform = options.platform ?? (await openTestPlatform(options.overrides));
  const system = new System(platform, options);
  await system.registerRunnerTypes();
  await system.listeners.prepare();
  for (const runner of options.runners ?? [{}]) await system.addRunner(runner);
  for (let i = 0; i < (options.schedulers ?? 1); i++) await system.addScheduler();
  for (let i = 0; i < (options.notifiers ?? 1); i++) await system.addNotifier();
  for (let i = 0; i < (options.engines ?? 0); i++) await system.addEngine();
  return system;
}

class System implements TestSystem {
  readonly executions: Executions;
  readonly triggers: Triggers;
  readonly listeners: Listeners;
  readonly identities: Identities;
  readonly manual = manualRunner();
  readonly schedulers: Service[] = [];
  readonly runners: Service[] = [];
  readonly notifiers: Service[] = [];
  readonly engines: Service[] = [];
  readonly #started: Service[] = [];
  readonly #plugins: ReadonlyMap<string, RunnerPlugin>;
  readonly #settings: RunSettings;
  readonly #configFor: ConfigFor;
  readonly #lookupFor: LookupFor | undefined;

  constructor(
    readonly platform: TestPlatform,
    options: SystemOptions,
  ) {
    const { store, sealer, clock, logger, metrics, spans, bus, config, paths } = platform;
    this.identities = createIdentities({ store, clock, config });
    this.listeners = createListeners({ rules: store.rules, bus, clock, logger }, ACTION_TRIGGER);
    const onRuleChange = this.listeners.changed;
    this.triggers = createTriggers({ store, config, clock, logger, spans, publisher: bus.publisher(), onRuleChange });
    this.#lookupFor = options.lookupFor;
    this.#configFor = options.configFor ?? (async () => ({ values: {}, secrets: [] }));
    this.executions = createExecutions({
      store,
      sealer,
      clock,
      logger,
      spans,
      publisher: bus.publisher(),
      permits: createPermits({ bus, clock, logger }),
      webUrl: 'http://web',
      onStatus: (status) => metrics.count('action.executions.{status}', { status }),
      isTold: toldStatuses(config.action_sensor, this.listeners),
      configFor: this.#configFor,
      validateOutput: options.validateOutput ?? false,
      maxNesting: config.limits.max_nesting,
      maxTreeSize: config.limits.max_tree_size,
      ...(options.lookupFor ? { lookupFor: options.lookupFor } : {}),
    });
    const plugins = [this.manual, ...(options.plugins ?? [])].map((plugin) => [plugin.manifest.name, plugin] as const);
    this.#plugins = new Map([...runnerRegistry({ config, paths }), ...plugins]);
    this.#settings = { ...settings, ...options.settings };
  }

  async registerRunnerTypes(): Promise<void> {
    for (const manifest of runnerTypes(this.#plugins))
      await this.platform.store.runnerTypes.upsert(aRunnerType({ ...manifest }));
  }

  async register(action: Partial<ActionRecord> = {}, runnerType?: Partial<RunnerTypeRecord>): Promise<ActionRecord> {
    if (runnerType) await this.platform.store.runnerTypes.upsert(aRunnerType(runnerType));
    return this.platform.store.actions.upsert(anAction(action));
  }

  request(request: Partial<ExecutionRequest> = {}): Promise<ExecutionRecord> {
    return this.executions.request({ action: 'tests.action', user: 'ada', ...request });
  }

  untilStatus(id: string, ...statuses: Status[]): Promise<ExecutionRecord> {
    return untilStatus(this.platform.store, id, ...statuses);
  }

  async run(request: Partial<ExecutionRequest> = {}): Promise<ExecutionRecord> {
    return this.untilStatus((await this.request(request))._id);
  }

  addRunner({ slots = 10, labels = [], clock = this.platform.clock, actionrunner = {} }: RunnerOptions = {}) {
    const { config } = this.platform;
    const own = {
      ...config.actionrunner,
      exit_still_active_check: STILL_ACTIVE_S,
      actions_pool_size: slots,
      labels: [...labels],
      ...actionrunner,
    };
    const runner = createActionRunner({
      ...this.#common(clock),
      config: { ...config, actionrunner: own },
      tokens: this.identities.tokens,
      runners: this.#plugins,
      configFor: this.#configFor,
      dispatch: this.triggers.dispatch,
      settings: this.#settings,
    });
    return this.#start(runner, this.runners);
  }

  addScheduler(): Promise<Service> {
    return this.#start(createScheduler(this.#common()), this.schedulers);
  }

  addNotifier(): Promise<Service> {
    return this.#start(createNotifier(this.#notifierDeps()), this.notifiers);
  }

  addEngine(): Promise<Service> {
    const engine = createWorkflowEngine({
      ...this.#common(),
      ...(this.#lookupFor ? { lookupFor: this.#lookupFor } : {}),
      configFor: this.#configFor,
      apiUrl: this.#settings.apiUrl,
      packDirectories: this.#settings.packDirectories,
    });
    return this.#start(engine, this.engines);
  }

  async stopServices(): Promise<void> {
    for (const service of this.#started.splice(0).reverse()) await service.stop();
  }

  async close(): Promise<void> {
    await this.stopServices();
    await this.platform.close();
    if (this.platform.clock.pending > 0) throw new Error(`${this.platform.clock.pending} timers are still pending`);
  }

  #notifierDeps() {
    const lookup = this.#lookupFor ? { lookupFor: this.#lookupFor } : {};
    return { ...this.#common(), dispatch: this.triggers.dispatch, listeners: this.listeners, ...lookup };
  }

  #common(clock: Clock = this.platform.clock) {
    const { config, store, bus, logger, metrics } = this.platform;
    return { config, store, bus, logger, metrics, clock, executions: this.executions };
  }

  async #start(service: Service, list: Service[]): Promise<Service> {
    await service.start();
    list.push(service);
    this.#started.push(service);
    return service;
  }
}

/** A failed test leaves unfinished runs behind. */
const STILL_ACTIVE_S = 5;

const settings: RunSettings = {
  // The user who runs the tests, so that no command needs sudo.
  systemUser: userInfo().username,
  maxOutputBytes: 10_000_000,
  data: defaultDataLimits,
  graceMs: 300,
  environment: serviceEnvironment(process.env),
  streamOutput: true,
  outputBufferBytes: -1,
  apiUrl: 'http://127.0.0.1:9101',
  serviceTokenTtlSeconds: 3600,
  packDirectories: [],
};
