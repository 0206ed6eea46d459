import { messageOf, SECOND_MS } from '@switchyard/base';
import { openMessageExchange } from './connection/message-exchange';
import { WinrmShell } from './protocol/remote-shell';
import type { WinrmSettings } from './winrm-parameters';

/** Time limit for cleaning up on a host. */
const END_MS = 30 * SECOND_MS;

export interface ShellRun {
  readonly settings: WinrmSettings;
  /** Aborts when the run must end. */
  readonly signal: AbortSignal;
  /** How long a host may take to return the id of an opened shell when the run must end. */
  readonly graceMs: number;
  /** Removes copied files from the host, however the work ended. @returns the reason if that failed */
  leave?(shell: WinrmShell, signal: AbortSignal): Promise<string | undefined>;
  warn(message: string, fields: Record<string, unknown>): void;
}

/** Runs `work` in a shell on the host, then closes the shell and everything in it. @throws whatever `work` throws */
export async function inShell<T>(run: ShellRun, work: (shell: WinrmShell) => Promise<T>): Promise<T> {
  const { target, ...options } = run.settings;
  const exchange = await openMessageExchange(target, run.signal);
  const patience = patientSignal(run.signal, run.graceMs);
  try {
    const shell = await WinrmShell.open(exchange, target.url, options, patience.signal);
    try {
      const value = await work(shell);
      await end(run, shell);
      return value;
    } catch (thrown) {
      await endAnew(run, shell);
      throw thrown;
    }
  } finally {
    patience.forget();
    await exchange.close();
  }
}

async function end(run: ShellRun, shell: WinrmShell): Promise<void> {
  const signal = AbortSignal.timeout(END_MS);
  try {
    const reason = await run.leave?.(shell, signal).catch(messageOf);
    if (reason !== undefined)
      run.warn('The copy of a script could not be removed from a host.', { host: hostOf(run), reason });
    await shell.delete(signal);
  } catch (thrown) {
    warnOf(run, thrown);
  }
}

/** Cleans up over a new connection, because a pending request may block the first one. */
async function endAnew(run: ShellRun, shell: WinrmShell): Promise<void> {
  const signal = AbortSignal.timeout(END_MS);
  try {
    const exchange = await openMessageExchange(run.settings.target, signal);
    try {
      shell.over(exchange);
      await shell.terminate(signal);
      await end(run, shell);
    } finally {
      await exchange.close();
    }
  } catch (thrown) {
    warnOf(run, thrown);
  }
}

const warnOf = (run: ShellRun, thrown: unknown): void =>
  run.warn('A shell on a host could not be closed.', { host: hostOf(run), reason: messageOf(thrown) });

const hostOf = ({ settings }: ShellRun): string => settings.target.url.host;

/** Returns a signal that aborts some time after another one. */
function patientSignal(signal: AbortSignal, ms: number): { readonly signal: AbortSignal; forget(): void } {
  const patient = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = () => (timer = setTimeout(() => patient.abort(signal.reason), ms));
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait, { once: true });
  return {
    signal: patient.signal,
    forget: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wait);
    },
  };
}
