import { spawnSync } from 'node:child_process';

/**
 * Runs a script in a process of its own, which may have 128 files open. In the script, `fill()` opens as many as it may, and `empty()` closes
 * them. It prints its result as JSON.
 * @param args as `args` in the script
 * @throws Error if the process writes errors, or ends by a signal
 */
export function withFewDescriptors(script: string, ...args: readonly string[]): unknown {
  const command = ['-c', 'ulimit -n 128; exec "$@"', 'sh', process.execPath, '-e', `${PRELUDE}${script}`, ...args];
  const { stdout, stderr, signal } = spawnSync('sh', command, { encoding: 'utf8' });
  if (stderr !== '' || signal !== null) throw new Error(`The process ended (${signal}): ${stderr}`);
  return JSON.parse(stdout);
}

const PRELUDE = `
  const { openSync, closeSync } = require('node:fs');
  const args = process.argv.slice(1);
  const open = [];
  const fill = () => { try { for (;;) open.push(openSync('/dev/null')); } catch {} };
  const empty = () => { for (const each of open.splice(0)) closeSync(each); };
`;
