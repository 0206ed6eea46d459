import { homedir } from 'node:os';

/** What a command sees of the world outside. */
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

/** Columns that tables may take. Without a terminal there is no limit, so that each row stays one line. */
export function widthOf({ env, stdout }: Pick<Terminal, 'env' | 'stdout'>): number {
  const stated = Number(env['COLUMNS']);
  if (Number.isInteger(stated) && stated > 0) return stated;
  return stdout.isTTY ? stdout.columns || DEFAULT_COLUMNS : Infinity;
}

/** `ST2_COLORIZE` is the reference's switch: whatever its value, it turns colour off. */
export function wantsColour({ env, stdout }: Pick<Terminal, 'env' | 'stdout'>): boolean {
  if (!stdout.isTTY || !env['TERM'] || env['TERM'] === 'dumb') return false;
  return !env['NO_COLOR'] && !env['ST2_COLORIZE'] && !env['SVC_COLORIZE'];
}
