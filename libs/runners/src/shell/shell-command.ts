import { constants } from 'node:os';
import {
  AT_ONCE_CHARACTERS,
  assertNever,
  boundedText,
  type DataLimits,
  fault,
  inexactNumbers,
  isFault,
  keptAsText,
  parseLargeJson,
  SECOND_MS,
  slices,
} from '@switchyard/base';
import { pythonStr, type ParameterDefinitions } from '@switchyard/model';
import type { ProcessResult, ProcessStarter } from '@switchyard/subprocess';
import { LOST_PROCESS, runProcess, type PreparedProcess } from '../run-process';
import type { RunAbilities, RunnerDeclaration, RunnerPlugin, RunRequest, RunResult } from '../runner-plugin';
import type { StackstormPaths } from '../stackstorm-paths/stackstorm-paths';
import { runsAs, shellCommand, type ShellText, type UserAccess } from './run-as';

/** Runs the command line in the parameter `cmd`. */
export const localShellCmd = (host: ShellHost): RunnerPlugin => ({
  manifest,
  startsProcess: true,
  rarelyCallsApi: true,
  run: (request, abilities) => runProcess(request, abilities, () => prepare(request, abilities, host)),
  close: () => host.starter.close(),
});

async function prepare(request: RunRequest, abilities: RunAbilities, host: ShellHost): Promise<PreparedProcess> {
  if (request.action.entry_point !== '') throw fault('runner.unexpected-entry-point');
  const { cmd } = request.runnerParameters;
  if (typeof cmd !== 'string') throw fault('runner.no-command', { ref: request.action.ref });
  return prepareShell({ script: cmd }, shellSettings(request.runnerParameters), host, request, abilities);
}

/** What commands need from the machine. */
export interface ShellHost {
  readonly access: UserAccess;
  readonly paths: StackstormPaths;
  readonly starter: ProcessStarter;
}

/** Prepares a shell command: its user, directory, environment and time limit. */
export async function prepareShell(
  text: ShellText,
  settings: ShellSettings,
  { access, paths, starter }: ShellHost,
  request: RunRequest,
  abilities: RunAbilities,
): Promise<PreparedProcess> {
  const { config, logger } = abilities;
  const warn: RunAbilities['logger']['warn'] = (message, fields) => logger.warn(message, fields);
  const as = await runsAs(settings, config, access, warn);
  const started = shellCommand(text, as, access.sudo, settings.sudoPassword);
  // Programs such as sudo cannot change the user in a user namespace.
  const mayMount = paths.mayMount && (as.kind === 'self' || process.getuid?.() === 0);
  const isMounting = mayMount && (await paths.isMounting(abilities));
  const own = { pack: request.action.pack, packDirectory: request.packDirectory };
  return {
    process: {
      ...started,
      ...(isMounting && { command: paths.mounted(started.command) }),
      ...(settings.cwd !== undefined && { cwd: paths.directory(settings.cwd, own) }),
      commonEnv: config.environment,
      env: { ...textValues(settings.env), ...request.environment },
      timeoutMs: settings.timeoutSeconds * SECOND_MS,
    },
    start: (options) => starter.start(options, warn),
    conclude: (ended) => shellResult(ended, settings, access.current.name, config.data),
  };
}

const textValues = (env: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, pythonStr(value)]));

type Verdict = Pick<RunResult, 'status'> & { readonly returnCode: number; readonly error?: string };

/** The exit codes of shells for commands that cannot be started. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
/** The return codes that clients expect for a timeout and for a wrong password. */
const TIMED_OUT = -9;
const WRONG_PASSWORD = -1;

/** Builds the result of a shell command. */
export async function shellResult(
  ended: ProcessResult,
  settings: ShellSettings,
  serviceUser: string,
  limits: DataLimits,
): Promise<RunResult> {
  const { status, returnCode, error } = wrongPassword(ended, settings, serviceUser) ?? verdict(ended, settings);
  const { stdout, stderr } = ended;
  return {
    status,
    result: {
      failed: status !== 'succeeded',
      succeeded: status === 'succeeded',
      return_code: returnCode,
      stdout: await outputValue(stdout.text, stdout.truncated, limits),
      stderr: await outputValue(stderr.text, stderr.truncated, limits),
      ...(error !== undefined && { error }),
    },
    truncated: stdout.truncated || stderr.truncated,
  };
}

function verdict(ended: ProcessResult, settings: ShellSettings): Verdict {
  switch (ended.cause) {
    case 'exit':
      return { status: ended.exitCode === 0 ? 'succeeded' : 'failed', returnCode: ended.exitCode ?? NOT_EXECUTABLE };
    case 'signal':
      // Killed from outside, for example by a shutdown: how far it got is unknown.
      return { status: ended.signal === 'SIGTERM' ? 'abandoned' : 'failed', returnCode: codeOf(ended) };
    case 'timeout':
      return {
        status: 'timeout',
        returnCode: TIMED_OUT,
        error: `Action failed to complete in ${settings.timeoutSeconds} seconds`,
      };
    case 'cancel':
      return { status: 'canceled', returnCode: codeOf(ended) };
    case 'lost':
      return { status: 'abandoned', returnCode: NOT_EXECUTABLE, error: LOST_PROCESS };
    case 'spawn-error':
      return spawnVerdict(ended);
    default:
      return assertNever(ended.cause);
  }
}

function spawnVerdict({ spawnError }: ProcessResult): Verdict {
  const returnCode = spawnError?.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
  return { status: 'failed', returnCode, error: spawnError?.message ?? 'The command could not be started.' };
}

const codeOf = ({ exitCode, signal }: ProcessResult): number =>
  exitCode ?? (signal === null ? 0 : -constants.signals[signal]);

const REFUSALS = /sudo: \d+ incorrect password attempts?|sudo: .*password is required|is not in the sudoers file/;

function wrongPassword(ended: ProcessResult, settings: ShellSettings, serviceUser: string): Verdict | undefined {
  if (settings.sudoPassword === undefined || ended.exitCode === 0 || !REFUSALS.test(ended.stderr.text))
    return undefined;
  const error = `Invalid sudo password provided or sudo is not configured for this user (${serviceUser})`;
  return { status: 'failed', returnCode: WRONG_PASSWORD, error };
}

/**
 * Converts output to its form in results: without one final line break, and parsed if it is JSON. Output over a limit stays
 * text, with a note at its end.
 */
export async function outputValue(text: string, isTruncated: boolean, limits: DataLimits): Promise<unknown> {
  const trimmed = without('\r', without('\n', text));
  // Other work runs between the steps for a long text, each of which takes several milliseconds.
  if (trimmed.length > AT_ONCE_CHARACTERS) await slices().pause();
  if (isTruncated || !mayBeJson(trimmed)) return boundedText(trimmed, limits);
  try {
    // Keep the text if a number would lose precision.
    const isExact = (await inexactNumbers(trimmed)).length === 0;
    return isExact ? await parseLargeJson(trimmed, limits) : boundedText(trimmed, limits);
  } catch (error) {
    return isFault(error) ? keptAsText(trimmed, error.message, limits) : boundedText(trimmed, limits);
  }
}

const without = (end: string, text: string): string => (text.endsWith(end) ? text.slice(0, -end.length) : text);

/** Avoids parsing long outputs that are not JSON. */
const mayBeJson = (text: string): boolean => /^\s*(?:[[{"\d-]|true|false|null)/.test(text);

/** Parameters of all local command runners. */
export const shellParameters = {
  cwd: { type: 'string', description: 'The directory in which the command runs.' },
  env: { type: 'object', description: 'Environment variables for the command, by name.' },
  kwarg_op: { type: 'string', description: 'Prefix of named arguments.', default: '--' },
  sudo: { type: 'boolean', description: 'Run the command as root with sudo.', default: false },
  sudo_password: {
    type: 'string',
    description: 'The password that sudo asks for.',
    default: null,
    secret: true,
    required: false,
  },
  timeout: { type: 'integer', description: 'Timeout in seconds.', default: 60 },
} as const satisfies ParameterDefinitions;

/** The values of these parameters as runs use them. */
export interface ShellSettings {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, unknown>>;
  readonly kwargOp: string;
  readonly sudo: boolean;
  readonly sudoPassword?: string;
  readonly timeoutSeconds: number;
}

/** Reads the rendered parameters. Missing and null values get their defaults. */
export function shellSettings(parameters: Readonly<Record<string, unknown>>): ShellSettings {
  const { cwd, env, kwarg_op: kwargOp, sudo, sudo_password: password, timeout } = parameters;
  return {
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
    env: (env ?? {}) as Record<string, unknown>,
    kwargOp: typeof kwargOp === 'string' ? kwargOp : shellParameters.kwarg_op.default,
    sudo: sudo === true,
    ...(typeof password === 'string' && password !== '' && { sudoPassword: password }),
    timeoutSeconds: typeof timeout === 'number' ? timeout : shellParameters.timeout.default,
  };
}

const manifest: RunnerDeclaration = {
  name: 'local-shell-cmd',
  description: 'Runs a shell command on the machine of the action runner.',
  enabled: true,
  runner_package: 'local-shell-cmd',
  runner_module: 'local-shell-cmd',
  runner_parameters: { cmd: { type: 'string', description: 'The command to run.' }, ...shellParameters },
  output_schema: {},
};
