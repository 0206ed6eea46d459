import { loadConfig, paths } from '@switchyard/config';
import { defaultDataLimits, deferred } from '@switchyard/base';
import { ProcessStarter, type ProcessIdentity } from '@switchyard/subprocess';
import {
  actionEnvironment,
  runnerNamed,
  runnerRegistry,
  serviceEnvironment,
  UserAccess,
  type RunAbilities,
  type RunnerPlugin,
  type RunnerSettings,
  type RunRequest,
} from '@switchyard/runners';

/** A user access that never switches users: the system user, below, is its own user. */
export const ownUser = new UserAccess({ name: 'stanley', isRoot: true });

const { config } = loadConfig({ environment: {} });

/** Shared by all runs of a test file. */
export const starter = new ProcessStarter('python3');
afterAll(() => starter.close());

type Parameters = Readonly<Record<string, unknown>>;

export interface Trial {
  readonly runner: string;
  readonly parameters?: Parameters;
  readonly actionParameters?: Parameters;
  readonly action?: Partial<RunRequest['action']>;
  readonly packDirectory?: string;
  /** The environment that every action gets. By default, nothing listens at the API's address. */
  readonly environment?: RunRequest['environment'];
  readonly settings?: Partial<RunnerSettings>;
  readonly abilities?: Partial<RunAbilities>;
  readonly access?: UserAccess;
  /** Replaces the registered runner of that name. */
  readonly plugin?: RunnerPlugin;
}

/** Starts a run and records what it reports to the service. */
export function startTrial(trial: Trial) {
  const started = deferred<ProcessIdentity>();
  const output = { stdout: '', stderr: '', output: '' };
  const warnings: string[] = [];
  const log = (message: string) => void warnings.push(message);
  const settings: RunnerSettings = {
    systemUser: 'stanley',
    maxOutputBytes: 1_000_000,
    data: defaultDataLimits,
    environment: serviceEnvironment(process.env),
    graceMs: 200,
    ...trial.settings,
  };
  const abilities: RunAbilities = {
    logger: { error: log, warn: log, info: () => undefined, debug: () => undefined },
    config: settings,
    output: (type, chunk) => void (output[type] += chunk.toString()),
    started: (identity) => Promise.resolve(started.resolve(identity)),
    packConfig: async () => ({}),
    dispatch: async () => undefined,
    announce: async () => undefined,
    ...trial.abilities,
  };
  const plugin =
    trial.plugin ??
    runnerNamed(
      runnerRegistry({ config, paths: paths(config), access: trial.access ?? ownUser, starter }),
      trial.runner,
    );
  return { handle: plugin.run(request(trial), abilities), started: started.promise, output, warnings };
}

export const runTrial = (trial: Trial) => startTrial(trial).handle.result;

/** Runs a command line. */
export const runCommand = (cmd: string, parameters: Parameters = {}, trial: Partial<Trial> = {}) =>
  runTrial({ runner: 'local-shell-cmd', parameters: { cmd, ...parameters }, ...trial });

let count = 0;

function request(trial: Trial): RunRequest {
  const executionId = `${process.pid}-${++count}`;
  return {
    executionId,
    liveactionId: `live-${executionId}`,
    action: { ref: 'default.a', pack: 'default', name: 'a', entry_point: '', parameters: {}, ...trial.action },
    runnerParameters: trial.parameters ?? {},
    actionParameters: trial.actionParameters ?? {},
    ...(trial.packDirectory !== undefined && { packDirectory: trial.packDirectory }),
    environment:
      trial.environment ??
      actionEnvironment({ pack: 'default', executionId, apiUrl: 'http://127.0.0.1:9101/v1', authToken: 'token' }),
    context: {},
  };
}
