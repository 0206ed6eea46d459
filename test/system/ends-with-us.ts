import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';

const living = new Map<ChildProcess, () => void>();

const endAll = () => {
  for (const end of living.values()) end();
};

/**
 * Ends a child process when this process exits, even after an uncaught error or a failed test. Only SIGKILL leaves it
 * running.
 * @param end must end the child synchronously
 */
export function endsWithUs(child: ChildProcess, end: () => void = () => leaveAtOnce(child)): void {
  if (living.size === 0) process.on('exit', endAll);
  living.set(child, end);
  const forget = () => {
    living.delete(child);
    if (living.size === 0) process.off('exit', endAll);
  };
  once(child, 'exit').then(forget, forget);
}

/** Stops a service: the second signal makes it exit without finishing its work. */
function leaveAtOnce(child: ChildProcess): void {
  child.kill('SIGTERM');
  child.kill('SIGINT');
}

/** Turns termination signals into a normal exit, so that the child processes end too. */
export function exitWhenTold(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}
