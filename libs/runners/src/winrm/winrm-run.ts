import { fault, messageOf } from '@switchyard/base';
import { DEFAULT_GRACE_MS, OutputCapture } from '@switchyard/subprocess';
import { failedRun } from '../run-process';
import type { RunAbilities, RunHandle, RunRequest, RunResult } from '../runner-plugin';
import { HostOutputs } from './host-output';
import { inShell, type ShellRun } from './in-shell';
import { errorText } from './powershell/clixml';
import { powerShellSteps, type PowerShellSteps } from './powershell/command-line';
import type { RemoteShell } from './protocol/remote-shell';
import { secretsOf, withoutSecrets } from './secrets';
import { timeoutSecondsOf, timerMs, winrmSettings, type WinrmSettings } from './winrm-parameters';
import { winrmResult, type HostEnd } from './winrm-result';

/** What is to be run on a host. */
export interface HostCommand {
  readonly kind: 'command-line' | 'powershell';
  readonly text: string;
}

type Prepare = (settings: WinrmSettings) => HostCommand | Promise<HostCommand>;

/** Runs something on the host of a request. @param prepare may throw; then the run has failed with that message */
export function winrmRun(request: RunRequest, abilities: RunAbilities, prepare: Prepare): RunHandle {
  const stop = new AbortController();
  const end = (how: HostEnd) => stop.abort(how);
  const seconds = timeoutSecondsOf(request);
  const timer = setTimeout(() => end({ cause: 'timeout', seconds }), timerMs(seconds));
  const result = perform(request, abilities, prepare, stop.signal)
    .catch((thrown: unknown) => failedRun(withoutSecrets(messageOf(thrown), secretsOf(request))))
    .finally(() => clearTimeout(timer));
  return { result, cancel: () => end({ cause: 'canceled' }) };
}

async function perform(
  request: RunRequest,
  abilities: RunAbilities,
  prepare: Prepare,
  signal: AbortSignal,
): Promise<RunResult> {
  const { environment, graceMs = DEFAULT_GRACE_MS } = abilities.config;
  const settings = winrmSettings(request.runnerParameters, environment);
  const { kind, text } = await prepare(settings);
  const isPowerShell = kind === 'powershell';
  const warn: ShellRun['warn'] = (message, fields) =>
    abilities.logger.warn(message, { executionId: request.executionId, ...fields });
  const outputs = new HostOutputs(abilities, { isPowerShell, warn: (message, error) => warn(message, { error }) });
  const steps: PowerShellSteps = isPowerShell ? powerShellSteps(text) : { upload: [], run: text };
  const end = await performed(steps, outputs, { settings, warn, signal, graceMs, ...leaving(steps) });
  return winrmResult(end, await outputs.finish(), abilities.config.data);
}

const leaving = ({ remove }: PowerShellSteps): Pick<ShellRun, 'leave'> =>
  remove === undefined ? {} : { leave: (shell, signal) => failureOf(shell, remove, signal) };

async function performed(steps: PowerShellSteps, outputs: HostOutputs, run: ShellRun): Promise<HostEnd> {
  try {
    run.signal.throwIfAborted();
    const exitCode = await inShell(run, async (shell) => {
      for (const command of steps.upload) {
        const reason = await failureOf(shell, command, run.signal);
        if (reason !== undefined) throw fault('winrm.upload', { reason });
      }
      return shell.run(steps.run, run.signal, (stream, bytes) => outputs.take(stream, bytes));
    });
    return { cause: 'exit', exitCode };
  } catch (thrown) {
    // What stopped the run decides, whatever error it led to.
    if (run.signal.aborted) return run.signal.reason as HostEnd;
    throw thrown;
  }
}

const MOST_COMPLAINT_BYTES = 4096;

/** Runs a step that nobody looks at. @returns what it has to say if it fails */
async function failureOf(shell: RemoteShell, command: string, signal: AbortSignal): Promise<string | undefined> {
  const said = new OutputCapture(MOST_COMPLAINT_BYTES);
  const exitCode = await shell.run(command, signal, (stream, bytes) => {
    if (stream === 'stderr') said.add(bytes);
  });
  return exitCode === 0 ? undefined : errorText(said.finish().text) || `PowerShell ended with ${exitCode}.`;
}
