import { RUN_ONE_LINE, shellQuote } from './shell-text';

/** What the remote list of processes shows; the same for every command. */
export const commandLine = (): string => `exec /bin/sh -c ${shellQuote(RUN_ONE_LINE)}`;

/** How the start of a command under sudo is recognised. */
export interface SudoMarks {
  /** What sudo asks for the password with. */
  readonly prompt: string;
  /** The line that is printed once sudo has let the command through. */
  readonly ready: string;
}

/** Without a password sudo may not ask: nobody could answer. */
export function sudoCommandLine({ prompt, ready }: SudoMarks, hasPassword: boolean): string {
  const ask = hasPassword ? `-S -p ${shellQuote(prompt)}` : '-n';
  return `exec sudo ${ask} -E -- bash -c ${shellQuote(`echo ${ready}; ${RUN_ONE_LINE}`)}`;
}
