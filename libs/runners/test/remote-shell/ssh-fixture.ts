import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultDataLimits, deferred } from '@switchyard/base';
import { loadConfig, paths } from '@switchyard/config';
import {
  actionEnvironment,
  runnerNamed,
  runnerRegistry,
  type RunAbilities,
  type RunnerSettings,
  type RunRequest,
} from '@switchyard/runners';
import { makeSshKey, missingSshServer, startSshServer, type SshServerOptions } from '@switchyard/testkit/ssh';

const missing = missingSshServer();
if (missing !== undefined) {
  if (process.env['CI'] === 'true') throw new Error(`${missing} is missing, so SSH cannot be tested.`);
  console.log(`Left out, since ${missing} is missing: ${expect.getState().testPath ?? ''}`);
}

/** A block of tests that need an SSH server. Skipped where there is none, but never in CI. */
export const describeSsh = missing === undefined ? describe : describe.skip;

/** A folder for the test file, with a key that its servers accept. */
export function sshFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'ssh-test-'));
  const key = missing === undefined ? makeSshKey(join(folder, 'id')) : { path: '', text: '', publicKey: '' };
  const releases: (() => unknown)[] = [];
  afterAll(async () => {
    for (const release of releases.toReversed()) await release();
    rmSync(folder, { recursive: true });
  });
  const later = (release: () => unknown) => void releases.push(release);
  return {
    folder,
    key,
    later,
    server: async (options: Partial<SshServerOptions> = {}) => {
      const server = await startSshServer({ authorized: [key.publicKey], ...options });
      later(() => server.stop());
      return server;
    },
    system: (options: Record<string, string> = {}) => {
      const started = sshSystem(folder, key.path, options);
      later(() => started.close());
      return started;
    },
  };
}

type Parameters = Readonly<Record<string, unknown>>;

export interface Trial {
  readonly action?: Partial<RunRequest['action']>;
  readonly actionParameters?: Parameters;
  readonly packDirectory?: string;
  readonly settings?: Partial<RunnerSettings>;
  readonly abilities?: Partial<RunAbilities>;
  readonly liveactionId?: string;
}

export const TOKEN = 'token-that-nobody-may-see';

let systems = 0;
let count = 0;

/** The runners of a separate installation. @param options values of `ssh_runner` */
function sshSystem(folder: string, keyFile: string, options: Record<string, string>) {
  const base = join(folder, `base-${++systems}`);
  const environment = {
    SVC_SYSTEM__BASE_PATH: base,
    SVC_SYSTEM_USER__USER: process.env['USER'] ?? 'root',
    SVC_SYSTEM_USER__SSH_KEY_FILE: keyFile,
    ...Object.fromEntries(
      Object.entries(options).map(([name, value]) => [`SVC_SSH_RUNNER__${name.toUpperCase()}`, value]),
    ),
  };
  const { config } = loadConfig({ environment });
  const registry = runnerRegistry({ config, paths: paths(config) });
  const start = (runner: string, parameters: Parameters, trial: Trial = {}) => {
    const output = { stdout: '', stderr: '', output: '' };
    const warnings: string[] = [];
    const heard: { text: string; done: () => void }[] = [];
    const abilities: RunAbilities = {
      ...quiet(warnings),
      config: {
        systemUser: 'stanley',
        maxOutputBytes: 1_000_000,
        data: defaultDataLimits,
        environment: {},
        graceMs: 300,
        ...trial.settings,
      },
      output: (type, chunk) => {
        output[type] += chunk.toString();
        for (const { text, done } of heard) if (output.stdout.includes(text)) done();
      },
      ...trial.abilities,
    };
    const request = requestOf(parameters, trial);
    const handle = runnerNamed(registry, runner).run(request, abilities);
    /** Settles when this text appears on standard output. */
    const until = (text: string): Promise<void> => {
      const { promise, resolve } = deferred();
      if (output.stdout.includes(text)) resolve();
      heard.push({ text, done: () => resolve() });
      return promise;
    };
    return { handle, output, warnings, until, executionId: request.executionId };
  };
  const startCommand = (cmd: string, parameters: Parameters = {}, trial: Trial = {}) =>
    start('remote-shell-cmd', { cmd, ...parameters }, trial);
  return {
    base,
    start,
    startCommand,
    run: (cmd: string, parameters?: Parameters, trial?: Trial) => startCommand(cmd, parameters, trial).handle.result,
    close: () => runnerNamed(registry, 'remote-shell-cmd').close?.(),
  };
}

const quiet = (warnings: string[]): Omit<RunAbilities, 'config' | 'output'> => {
  const log = (message: string, fields?: unknown) => void warnings.push(`${message} ${JSON.stringify(fields)}`);
  return {
    logger: { error: log, warn: log, info: log, debug: log },
    started: () => Promise.resolve(),
    packConfig: async () => ({}),
    dispatch: async () => undefined,
    announce: async () => undefined,
  };
};

function requestOf(parameters: Parameters, trial: Trial): RunRequest {
  const executionId = `${process.pid.toString(16)}a${(++count).toString(16).padStart(8, '0')}`;
  return {
    executionId,
    liveactionId: trial.liveactionId ?? `live-${executionId}`,
    action: { ref: 'default.a', pack: 'default', name: 'a', entry_point: '', parameters: {}, ...trial.action },
    runnerParameters: parameters,
    actionParameters: trial.actionParameters ?? {},
    ...(trial.packDirectory !== undefined && { packDirectory: trial.packDirectory }),
    environment: actionEnvironment({
      pack: 'default',
      executionId,
      apiUrl: 'http://127.0.0.1:9101/v1',
      authToken: TOKEN,
    }),
    context: {},
  };
}
