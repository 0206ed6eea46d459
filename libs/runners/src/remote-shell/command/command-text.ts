import { fault } from '@switchyard/base';

/** A command to run on a host. */
export interface CommandText {
  /** Shell code. */
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Builds the shell program of a command: sets its environment, changes the directory, runs the script. If changing the
 * directory fails, it exits with the shell's error.
 * @throws Fault `ssh.environment-name`, `ssh.null-byte`
 */
export function commandText({ script, cwd, env }: CommandText): string {
  const variables = Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const program = ['exec </dev/null', ...variables.map(exported), `cd -- ${directory(cwd)} || exit`, script].join('\n');
  if (program.includes('\0')) throw fault('ssh.null-byte');
  return program;
}

function exported([name, value]: [string, string]): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw fault('ssh.environment-name', { name });
  return `export ${name}=${shellQuote(value)}`;
}

/** Quotes a path, except for a leading home directory. */
function directory(path: string): string {
  if (path === '~') return '"$HOME"';
  return path.startsWith('~/') ? `"$HOME"/${shellQuote(path.slice(2))}` : shellQuote(path);
}

/** The command line shown in remote process lists, which is the same for every command. */
export const commandLine = (): string => `exec /bin/sh -c ${shellQuote(RUN_ONE_LINE)}`;

/** Marks that identify sudo's prompt and the start of the command. */
export interface SudoMarks {
  /** The prompt of sudo. */
  readonly prompt: string;
  /** The line printed once sudo has started the command. */
  readonly ready: string;
}

/** Without a password, sudo must not prompt, because there is no answer. */
export function sudoCommandLine({ prompt, ready }: SudoMarks, hasPassword: boolean): string {
  const ask = hasPassword ? `-S -p ${shellQuote(prompt)}` : '-n';
  return `exec sudo ${ask} -E -- bash -c ${shellQuote(`echo ${ready}; ${RUN_ONE_LINE}`)}`;
}

/** Quotes a text as one word for a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Reads one line from standard input and runs it, so that process lists show nothing of the command. */
export const RUN_ONE_LINE = 'IFS= read -r svc_line && eval "$svc_line"';

/**
 * Converts a shell program to the single line that `RUN_ONE_LINE` reads. It takes line breaks from the shell's own `IFS`:
 * blank, tab, line break, and in some shells more.
 */
export function oneLine(program: string): string {
  const lines = ['unset svc_line svc_nl', ...program.split('\n')];
  const lineBreak = 'svc_nl=${IFS%"${IFS#???}"}; svc_nl=${svc_nl#??}';
  return `${lineBreak}; eval ${lines.map(shellQuote).join('"$svc_nl"')}`;
}
