// `npm run conformance -- [FOLDER] [--show N] [--causes]`: compares the results of this implementation with the
// recorded vectors in a folder. --show prints the first N differences of each file; --causes counts workflow
// differences by cause. Exits with 1 if a difference is not listed.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runFile, vectorFiles, type FileOutcome } from './vectors/run-vectors';

/** Relative to the root of the checkout, where npm runs everything. */
const DEFAULT_FOLDER = 'test/conformance/recorded';

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { show: { type: 'string', default: '0' }, causes: { type: 'boolean', default: false } },
  });
  const show = Number(values.show);
  if (!Number.isInteger(show) || show < 0) throw new Error(`--show: expected a whole number, got "${values.show}"`);
  const [given, ...more] = positionals;
  if (more.length > 0) throw new Error('Expected one folder at most.');
  const folder = resolve(given ?? DEFAULT_FOLDER);
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  let [passed, failed] = [0, 0];
  for (const { kind, file } of vectorFiles(folder)) {
    const outcome = runFile(kind, folder, file);
    print(outcome, show);
    if (values.causes) printCauses(outcome);
    passed += outcome.passed;
    failed += outcome.failed.length;
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

function print({ file, passed, failed, listed, stale }: FileOutcome, show: number): void {
  console.log(`${file}: ${passed} passed, ${failed.length} failed, ${listed.length} listed differences`);
  for (const { key, difference } of failed.slice(0, show)) console.log(`    ${key}\n        ${difference}`);
  if (show > 0) for (const key of stale) console.log(`    listed, but the same: ${key}`);
}

function printCauses({ failed }: FileOutcome): void {
  const counts = new Map<string, number>();
  for (const { cause } of failed) if (cause !== undefined) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  for (const [cause, count] of counts) console.log(`    ${String(count).padStart(4)}  ${cause}`);
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
