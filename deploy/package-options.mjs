// The options of the programs that build packages.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Reads `[--output DIRECTORY] [--version VERSION]`. Ends the program with 2 if they are wrong.
 * @param pattern of a version
 * @param examples of versions, for the message
 * @returns the directory for the package, by default `.cache` of the checkout, and its version, by default that of the checkout
 */
export function packageOptions(pattern, examples) {
  try {
    const { values } = parseArgs({ options: { output: { type: 'string' }, version: { type: 'string' } } });
    const version = values.version ?? JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).version;
    if (!pattern.test(version)) throw new Error(`--version: expected a version such as ${examples}, got "${version}".`);
    return { output: resolve(values.output ?? `${ROOT}.cache`), version };
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}

/** Runs the steps of a build. If one fails, only its message is shown. */
export async function building(steps) {
  try {
    console.log(await steps());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
