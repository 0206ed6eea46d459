import type { ParameterDefinitions } from '@switchyard/model';
import type { RunnerDeclaration } from '../runner-plugin';
import { shellParameters, shellSettings, type ShellSettings } from '../shell/shell-command';
import type { Access } from './target/resolve-target';

/** The default directory for remote commands and for files copied to a host. */
const REMOTE_DIRECTORY = '/tmp';

/** Parameters of all remote command runners. */
const remoteShellParameters = {
  hosts: {
    type: 'string',
    description: 'The hosts, separated by commas; each may have a port, as in "web1, web2:2222, [fe80::1]:22".',
    required: true,
  },
  username: { type: 'string', description: 'The user on the hosts. By default the system user.', required: false },
  password: { type: 'string', description: 'The password of that user.', required: false, secret: true },
  private_key: {
    type: 'string',
    description: 'A private key, or the path of one that the action runner can read.',
    required: false,
    secret: true,
  },
  passphrase: { type: 'string', description: 'The passphrase of the private key.', required: false, secret: true },
  port: { type: 'integer', description: 'Port of hosts that name none.', required: false },
  bastion_host: {
    type: 'string',
    description: 'Jump host through which the other hosts are reached, with the same credentials.',
    required: false,
  },
  cwd: { ...shellParameters.cwd, default: REMOTE_DIRECTORY },
  env: shellParameters.env,
  kwarg_op: shellParameters.kwarg_op,
  parallel: {
    type: 'boolean',
    description: 'Has no effect: the command always runs on all hosts in parallel.',
    default: false,
    immutable: true,
  },
  sudo: shellParameters.sudo,
  sudo_password: shellParameters.sudo_password,
  timeout: { ...shellParameters.timeout, description: 'Timeout in seconds on each host.' },
} as const satisfies ParameterDefinitions;

/** The directory on the host for a copied script. */
const remoteDirectory = {
  type: 'string',
  description: 'Directory on the hosts in which a directory for the script is created.',
  default: REMOTE_DIRECTORY,
} as const;

/** The parsed parameters. */
export interface RemoteSettings {
  readonly shell: ShellSettings & { readonly cwd: string };
  readonly access: Access;
}

/** Reads the rendered parameters. Missing, null and empty values get their defaults. */
export function remoteSettings(parameters: Readonly<Record<string, unknown>>): RemoteSettings {
  const shell = shellSettings(parameters);
  const text = (name: string): string | undefined => {
    const value = parameters[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const { port } = parameters;
  return {
    shell: { ...shell, cwd: shell.cwd ?? REMOTE_DIRECTORY },
    access: withoutUndefined({
      username: text('username'),
      password: text('password'),
      privateKey: text('private_key'),
      passphrase: text('passphrase'),
      bastionHost: text('bastion_host'),
      port: typeof port === 'number' ? port : undefined,
    }),
  };
}

const withoutUndefined = (access: { [name in keyof Access]: Access[name] | undefined }): Access =>
  Object.fromEntries(Object.entries(access).filter(([, value]) => value !== undefined));

export const remoteShellCmdManifest: RunnerDeclaration = {
  name: 'remote-shell-cmd',
  description: 'Runs a shell command on other hosts, over SSH.',
  enabled: true,
  runner_package: 'remote-shell-cmd',
  runner_module: 'remote-shell-cmd',
  runner_parameters: {
    cmd: { type: 'string', description: 'The command to run.' },
    dir: { ...remoteDirectory, immutable: true },
    ...remoteShellParameters,
  },
  output_schema: {},
};

export const remoteShellScriptManifest: RunnerDeclaration = {
  name: 'remote-shell-script',
  description: 'Runs a script of a pack on other hosts, over SSH.',
  enabled: true,
  runner_package: 'remote-shell-script',
  runner_module: 'remote-shell-script',
  runner_parameters: { dir: remoteDirectory, ...remoteShellParameters },
  output_schema: {},
};
