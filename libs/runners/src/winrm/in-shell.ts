import { messageOf, SECOND_MS } from '@switchyard/base';
import { openExchange } from './connection/message-exchange';
import { RemoteShell } from './protocol/remote-shell';
import type { WinrmSettings } from './winrm-parameters';

/** Time for ending what was begun on a host. */
const END_MS = 30 * SECOND_MS;

export interface ShellRun {
  readonly settings: WinrmSettings;
  /** Aborts when the run is to end. */
  readonly signal: AbortSignal;
  /** How long the host may take to say which shell it has opened, when the run is to end by then. */
  readonly graceMs: number;
  /** Takes away from the host what was copied there, however the work has ended. @returns why that failed */
  leave?(shell: RemoteShell, signal: AbortSignal): Promise<string | undefined>;
  warn(message: string, fields: Record<string, unknown>): void;
}

/** Works in a shell on the host, which is gone afterwards, with all that ran in it. @throws what the work throws */
export async function inShell<T>(run: ShellRun, work: (shell: RemoteShell) => Promise<T>): Promise<T> {
  const { target, ...options } = run.settings;
  const exchange = await openExchange(target, run.signal);
  const patience = patientSignal(run.signal, run.graceMs);
  try {
    const shell = await RemoteShell.open(exchange, target.url, options, patience.signal);
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

async function end(run: ShellRun, shell: RemoteShell): Promise<void> {
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

/** What is still waited for blocks the first connection, if it is there at all. */
async function endAnew(run: ShellRun, shell: RemoteShell): Promise<void> {
  const signal = AbortSignal.timeout(END_MS);
  try {
    const exchange = await openExchange(run.settings.target, signal);
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

/** Aborts some time after another signal. */
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
