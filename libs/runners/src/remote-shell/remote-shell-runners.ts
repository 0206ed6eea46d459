import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { SECOND_MS, fault } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { RunnerPlugin } from '../runner-plugin';
import { ConnectionPool } from './connection/connection-pool';
import { HostKeyCheck } from './host-keys/host-key-check';
import { runOnHost } from './host-run';
import { remoteRun, type RemoteShell } from './remote-run';
import { remoteShellCmdManifest } from './remote-shell-parameters';
import { remoteShellScript } from './remote-shell-script';

type Sections = Pick<Config, 'ssh_runner' | 'system_user' | 'system'>;

/** The runners of remote commands. They share connections. */
export function remoteShellRunners(config: Sections): RunnerPlugin[] {
  const { ssh_runner: ssh, system_user: systemUser } = config;
  const shell = {
    pool: new ConnectionPool({
      hostKeys: hostKeys(config),
      connectTimeoutMs: ssh.ssh_connect_timeout * SECOND_MS,
      keepMs: ssh.connection_keep_seconds * SECOND_MS,
    }),
    defaults: {
      user: systemUser.user,
      keyFile: systemUser.ssh_key_file,
      ...(ssh.use_ssh_config && { sshConfigFile: ssh.ssh_config_file_path }),
    },
    remoteDirectory: ssh.remote_dir,
    mostHosts: ssh.max_parallel_actions,
    allowPartialFailure: ssh.allow_partial_failure,
  };
  return [remoteShellCmd(shell), remoteShellScript(shell)];
}

function hostKeys({ ssh_runner: ssh, system }: Sections): HostKeyCheck {
  return new HostKeyCheck({
    mode: ssh.host_key_checking,
    ownFile: ssh.known_hosts_file ?? resolve(system.base_path, 'ssh/known_hosts'),
    otherFiles: [join(homedir(), '.ssh/known_hosts'), '/etc/ssh/ssh_known_hosts'],
  });
}

/** Runs a command line, in the parameter `cmd`, on other hosts. */
const remoteShellCmd = (shell: RemoteShell): RunnerPlugin => ({
  manifest: remoteShellCmdManifest,
  startsProcess: true,
  rarelyCallsApi: true,
  run: (request, abilities) =>
    remoteRun(shell, request, abilities, async () => {
      if (request.action.entry_point !== '') throw fault('ssh.cmd-entry-point');
      const { cmd } = request.runnerParameters;
      if (typeof cmd !== 'string') throw fault('runner.no-command', { ref: request.action.ref });
      return (run, target) => runOnHost(run, target, cmd);
    }),
  close: () => shell.pool.close(),
});
