import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fault } from '@switchyard/base';

const PROGRAMS = ['.js', '.mjs', '.cjs'];

/**
 * The file that is run for an entry point: of an action in TypeScript what was compiled from it, beside it.
 * @throws Fault `runner.not-a-node-program`, `runner.no-program`
 */
export function programFile(path: string, ref: string): string {
  const type = extname(path);
  if (type !== '.ts' && !PROGRAMS.includes(type)) throw fault('runner.not-a-node-program', { path, ref });
  const stem = path.slice(0, -type.length);
  const found = (type === '.ts' ? PROGRAMS.map((each) => stem + each) : [path]).find((file) => existsSync(file));
  if (found === undefined) throw fault('runner.no-program', { path: type === '.ts' ? `${stem}.js` : path, ref });
  return found;
}
