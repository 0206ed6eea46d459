import { homedir } from 'node:os';

/** The environment and the streams of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home directory of the user. */
  readonly home: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export function processTerminal(): Terminal {
  const { env, stdin, stdout, stderr } = process;
  return { env, home: env['HOME'] ?? homedir(), stdin, stdout, stderr };
}

const DEFAULT_COLUMNS = 80;

/** The width for tables. Without a terminal there is no limit, so that each row stays on one line. */
export function widthOf({ env, stdout }: Pick<Terminal, 'env' | 'stdout'>): number {
  const stated = Number(env['COLUMNS']);
  if (Number.isInteger(stated) && stated > 0) return stated;
  return stdout.isTTY ? stdout.columns || DEFAULT_COLUMNS : Infinity;
}

/** `ST2_COLORIZE` belongs to the reference. Any value turns colour off. */
export function wantsColour({ env, stdout }: Pick<Terminal, 'env' | 'stdout'>): boolean {
  if (!stdout.isTTY || !env['TERM'] || env['TERM'] === 'dumb') return false;
  return !env['NO_COLOR'] && !env['ST2_COLORIZE'] && !env['SVC_COLORIZE'];
}

export type CommandEnvironment = Readonly<Record<string, string | undefined>>;

/** The variable `SVC_<name>` or its alias `ST2_<name>`. An empty value counts as not set. */
export const environmentValue = (env: CommandEnvironment, name: string): string | undefined =>
  env[`SVC_${name}`] || env[`ST2_${name}`] || undefined;

/** A variable that other programs use too, in lower or upper case. */
export const sharedValue = (env: CommandEnvironment, name: string): string | undefined =>
  env[name] || env[name.toUpperCase()] || undefined;
