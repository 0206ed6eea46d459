import { fault, SECOND_MS } from '@switchyard/base';
import { DEFAULT_GRACE_MS } from '@switchyard/subprocess';
import { pythonStr } from '@switchyard/model';
import type { RunAbilities, RunRequest } from '../runner-plugin';
import { commandText } from './command/command-text';
import {
  openCommandChannel,
  runRemoteCommand,
  type RemoteCommandOptions,
  type RemoteEnd,
} from './command/remote-command';
import type { ConnectionPool, Opened } from './connection/connection-pool';
import type { Warn } from './connection/dial';
import type { RemoteSettings } from './remote-shell-parameters';
import type { SshTarget } from './target/ssh-target';

/** Shared by the commands of one run on all hosts. */
export interface HostRun {
  readonly pool: ConnectionPool;
  readonly request: RunRequest;
  readonly abilities: RunAbilities;
  readonly settings: RemoteSettings;
  /** Whether several hosts write to the same output. */
  readonly hasOthers: boolean;
  readonly signal: AbortSignal;
}

/** Runs shell code on a host with the action's environment. @throws Fault `ssh.…` */
export async function runOnHost(run: HostRun, target: SshTarget, script: string): Promise<RemoteEnd> {
  const { abilities, request, settings } = run;
  const { shell } = settings;
  const env = { ...textValues(shell.env), ...request.environment };
  const options: RemoteCommandOptions = {
    program: commandText({ script, cwd: shell.cwd, env }),
    sudo: shell.sudo,
    ...(shell.sudoPassword !== undefined && { sudoPassword: shell.sudoPassword }),
    graceMs: abilities.config.graceMs ?? DEFAULT_GRACE_MS,
    timeoutMs: shell.timeoutSeconds * SECOND_MS,
    maxOutputBytes: abilities.config.maxOutputBytes,
    wholeLines: run.hasOthers,
    signal: run.signal,
    show: (stream, text) => abilities.output(stream, text),
  };
  const end = await runCommand(run, target, options);
  return end.needsTerminal ? runCommand(run, target, { ...options, terminal: true }) : end;
}

/** Runs one command on its own channel. */
export async function runCommand(run: HostRun, target: SshTarget, options: RemoteCommandOptions): Promise<RemoteEnd> {
  const opening = run.pool.open(target, warnOf(run), (client) => openCommandChannel(client, options));
  const opened = await unlessAborted(opening, options.signal, ({ channel }) => channel.close());
  // The server counts the channel until it is closed.
  opened.value.channel.once('close', () => opened.release());
  let isUnknown = true;
  try {
    const end = await runRemoteCommand(opened.value, options);
    isUnknown = end.isUnconfirmed;
    note(run, target, end);
    return end;
  } finally {
    if (isUnknown) opened.discard();
    opened.value.channel.close();
  }
}

/**
 * Waits for something on a connection, until the run must end.
 * @param drop releases what arrives later @throws Fault `ssh.not-started`
 */
export function unlessAborted<T>(
  opening: Promise<Opened<T>>,
  signal: AbortSignal,
  drop: (late: T) => void,
): Promise<Opened<T>> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(fault('ssh.not-started'));
      opening.then(
        ({ value, release }) => {
          drop(value);
          release();
        },
        () => undefined,
      );
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Writes warnings to the execution's log. */
export const warnOf =
  ({ abilities, request }: HostRun): Warn =>
  (message, fields) =>
    abilities.logger.warn(message, { executionId: request.executionId, ...fields });

function note(run: HostRun, { host }: SshTarget, { outputError, isUnconfirmed }: RemoteEnd): void {
  const warn = warnOf(run);
  if (outputError !== undefined) warn('Output of an execution was not accepted.', { host, error: outputError });
  if (isUnconfirmed) warn('A host did not confirm that the processes of an execution were ended.', { host });
}

const textValues = (env: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, pythonStr(value)]));
