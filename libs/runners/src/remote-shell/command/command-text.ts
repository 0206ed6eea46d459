import { fault } from '@switchyard/base';
import { shellQuote } from './shell-text';

/** What is run on a host. */
export interface CommandText {
  /** For a shell. */
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The program of a command: its environment, its directory, and then the command itself. A directory that cannot be
 * entered ends it, with what the shell says about that.
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

/** Quoted, but for the home directory in front. */
function directory(path: string): string {
  if (path === '~') return '"$HOME"';
  return path.startsWith('~/') ? `"$HOME"/${shellQuote(path.slice(2))}` : shellQuote(path);
}
