import { fault, messageOf, type DataLimits } from '@switchyard/base';
import { DEFAULT_GRACE_MS, OutputCapture, type CapturedOutput } from '@switchyard/subprocess';
import { failedRun } from '../run-process';
import type { RunAbilities, RunHandle, RunRequest, RunResult } from '../runner-plugin';
import { outputValue } from '../shell/shell-command';
import { HostOutputs, errorText } from './host-output';
import { inShell, type ShellRun } from './in-shell';
import { powerShellSteps, type PowerShellSteps } from './powershell/command-line';
import type { WinrmShell, HostStream } from './protocol/remote-shell';
import { secretsOfRequest, withoutSecrets } from './secrets';
import { timeoutSecondsOf, timerMs, winrmSettings, type WinrmSettings } from './winrm-parameters';

/** A command to run on a Windows host. */
export interface HostCommand {
  readonly kind: 'command-line' | 'powershell';
  readonly text: string;
}

type Prepare = (settings: WinrmSettings) => HostCommand | Promise<HostCommand>;

/** Runs something on the host of a request. @param prepare may throw; the run then fails with that message */
export function winrmRun(request: RunRequest, abilities: RunAbilities, prepare: Prepare): RunHandle {
  const stop = new AbortController();
  const end = (how: HostEnd) => stop.abort(how);
  const seconds = timeoutSecondsOf(request);
  const timer = setTimeout(() => end({ cause: 'timeout', seconds }), timerMs(seconds));
  const result = perform(request, abilities, prepare, stop.signal)
    .catch((thrown: unknown) => failedRun(withoutSecrets(messageOf(thrown), secretsOfRequest(request))))
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
    // If the run was stopped, the reason determines the result, whatever error it caused.
    if (run.signal.aborted) return run.signal.reason as HostEnd;
    throw thrown;
  }
}

const MOST_COMPLAINT_BYTES = 4096;

/** Runs an internal step. @returns its error output if it fails */
async function failureOf(shell: WinrmShell, command: string, signal: AbortSignal): Promise<string | undefined> {
  const said = new OutputCapture(MOST_COMPLAINT_BYTES);
  const exitCode = await shell.run(command, signal, (stream, bytes) => {
    if (stream === 'stderr') said.add(bytes);
  });
  return exitCode === 0 ? undefined : errorText(said.finish().text) || `PowerShell ended with ${exitCode}.`;
}

/** How a run ended. */
export type HostEnd =
  | { readonly cause: 'exit'; readonly exitCode: number }
  | { readonly cause: 'timeout'; readonly seconds: number }
  | { readonly cause: 'canceled' };

/** The return code that clients expect for a command that was stopped. */
const NOT_ENDED = -1;

/** The result of a command, in the form of a local command. */
async function winrmResult(
  end: HostEnd,
  { stdout, stderr }: Readonly<Record<HostStream, CapturedOutput>>,
  limits: DataLimits,
): Promise<RunResult> {
  const status = statusOf(end);
  return {
    status,
    result: {
      failed: status !== 'succeeded',
      succeeded: status === 'succeeded',
      return_code: end.cause === 'exit' ? end.exitCode : NOT_ENDED,
      stdout: await outputValue(stdout.text, stdout.truncated, limits),
      stderr: await outputValue(stderr.text, stderr.truncated, limits),
      ...(end.cause === 'timeout' && { error: `Action failed to complete in ${end.seconds} seconds` }),
    },
    truncated: stdout.truncated || stderr.truncated,
  };
}

function statusOf(end: HostEnd): RunResult['status'] {
  if (end.cause !== 'exit') return end.cause;
  return end.exitCode === 0 ? 'succeeded' : 'failed';
}
