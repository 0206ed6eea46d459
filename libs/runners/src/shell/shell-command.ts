import { fault, SECOND_MS } from '@switchyard/base';
import { pythonStr, type ParameterDefinitions } from '@switchyard/model';
import type { Elevation, ProcessCommand, ProcessStarter } from '@switchyard/subprocess';
import { runProcess, type PreparedProcess } from '../run-process';
import type { RunAbilities, RunnerDeclaration, RunnerPlugin, RunRequest, RunnerSettings } from '../runner-plugin';
import type { StackstormPaths } from '../stackstorm-paths/stackstorm-paths';
import { shellResult } from './shell-result';
import type { UserAccess } from './user-access';

/** Runs the command line in the parameter `cmd`. */
export const localShellCmd = (host: ShellHost): RunnerPlugin => ({
  manifest,
  startsProcess: true,
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
      env: { ...config.environment, ...textValues(settings.env), ...request.environment },
      timeoutMs: settings.timeoutSeconds * SECOND_MS,
    },
    start: (options) => starter.start(options, warn),
    conclude: (ended) => shellResult(ended, settings, access.current.name, config.data),
  };
}

const textValues = (env: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, pythonStr(value)]));

/** Shell code with the values of its `$0`, `$1`, … */
interface ShellText {
  readonly script: string;
  readonly args?: readonly string[];
}

/** How to run shell code: the command line, a password for it, and how to signal its processes. */
interface ShellCommand {
  readonly command: ProcessCommand;
  readonly stdin?: string;
  readonly elevation?: Elevation;
}

/** Who a command runs as: the service's own user, root, or the system user. */
type RunsAs = { readonly kind: 'self'; readonly shell: string } | { readonly kind: 'other'; readonly user?: string };

/**
 * Decides which user a command runs as. If the system user is not the service's user, commands are written for bash, so bash
 * also runs them when the service cannot switch to that user. Otherwise `/bin/sh` runs them.
 */
async function runsAs(
  settings: ShellSettings,
  { systemUser, environment }: Pick<RunnerSettings, 'systemUser' | 'environment'>,
  access: UserAccess,
  warn: RunAbilities['logger']['warn'],
): Promise<RunsAs> {
  const self = { kind: 'self', shell: access.bash ?? '/bin/sh' } as const;
  if (settings.sudo) return access.current.isRoot ? self : { kind: 'other' };
  if (systemUser === '' || systemUser === access.current.name) return { kind: 'self', shell: '/bin/sh' };
  const isAllowed = await access.canBecome(systemUser, {
    hasPassword: settings.sudoPassword !== undefined,
    environment,
    warn,
  });
  return isAllowed ? { kind: 'other', user: systemUser } : self;
}

/** Builds the command line. Nothing in it needs quoting, because it is not passed to a shell. */
function shellCommand(text: ShellText, as: RunsAs, sudo: string, password?: string): ShellCommand {
  if (as.kind === 'self') return { command: { ...text, shell: as.shell } };
  // The empty prompt keeps sudo's password prompt out of standard error.
  const ask = password === undefined ? [] : ['-S', '-p', ''];
  const become = as.user === undefined ? [] : ['-H', '-u', as.user];
  const line = ['--', 'bash', '-c', text.script, ...(text.args ?? [])];
  return {
    command: { file: sudo, args: [...ask, '-E', ...become, ...line] },
    ...(password !== undefined && { stdin: `${password}\n` }),
    elevation: elevation(as.user, sudo, password),
  };
}

function elevation(user: string | undefined, sudo: string, password: string | undefined): Elevation {
  const become = user === undefined ? [] : ['-u', user];
  if (password === undefined) return { command: [sudo, '-n', ...become, '--'] };
  return { command: [sudo, '-S', '-p', '', ...become, '--'], input: `${password}\n` };
}

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
