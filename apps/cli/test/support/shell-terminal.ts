import { spawn, spawnSync } from 'node:child_process';

const SHELLS = { bash: 'bash --noprofile --norc -i', zsh: 'zsh -f -i' } as const;
export type TerminalShell = keyof typeof SHELLS;

/** The missing program that a test with this shell needs; undefined if all are installed. */
export const missingShell = (shell: string): string | undefined =>
  ['script', shell].find((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);

export interface TypingOptions {
  readonly directory: string;
  /** Commands that the shell runs first. */
  readonly setup: string;
  readonly path: string;
}

const PROMPT = 'READY> ';

/**
 * Types each text into an interactive shell on a terminal of its own, and makes the shell print the completed words.
 */
export async function typeIntoShell(
  shell: TerminalShell,
  texts: readonly string[],
  { directory, setup, path }: TypingOptions,
): Promise<string[][]> {
  const env = { PATH: path, HOME: directory, TERM: 'dumb', PS1: PROMPT };
  const child = spawn('script', ['-qec', SHELLS[shell], '/dev/null'], { env, cwd: directory });
  let printed = '';
  child.stdout.on('data', (piece) => (printed += String(piece)));
  /** Resolves with the output before the next prompt, and forgets it. */
  const upTo = (end: string): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const at = printed.indexOf(end);
        if (at < 0) return;
        child.stdout.off('data', look);
        resolve(printed.slice(0, at));
        printed = printed.slice(at + end.length);
      };
      child.stdout.on('data', look);
      look();
    });
  child.stdin.write(`PS1='${PROMPT}'; ${setup}; echo READ''Y\n`);
  await upTo('READY\r\n');
  const found: string[][] = [];
  for (const text of texts) {
    // Ctrl-A goes to the beginning of the line. The quotes keep the echo of what is typed from being taken for the answer.
    child.stdin.write(`${text}\u0001printf '%s|' BEG''IN \u0005; echo EN''D\n`);
    await upTo('BEGIN|');
    found.push((await upTo('|END')).split('|'));
  }
  child.stdin.end('exit\n');
  await new Promise((resolve) => child.once('close', resolve));
  return found;
}
