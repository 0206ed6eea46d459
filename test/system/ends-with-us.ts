import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';

const living = new Map<ChildProcess, () => void>();

const endAll = () => {
  for (const end of living.values()) end();
};

/**
 * Ends a child process with this one, however this one ends short of SIGKILL: of an error that nobody has caught, or of a
 * failed test, too. Nobody else would.
 * @param end works at once, or it never will
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

/** Of a service: the second signal does not wait for the work under way. */
function leaveAtOnce(child: ChildProcess): void {
  child.kill('SIGTERM');
  child.kill('SIGINT');
}

/** Lets a program that is told to end do so as any other: what it has started ends, too. */
export function exitWhenTold(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}
