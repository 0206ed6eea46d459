// `node .ci/jest-summary.mjs RESULTS`: shows the slowest test files (on the error output) and prints the numbers of
// passed, failed and skipped tests.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const SLOWEST = 10;
const results = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const files = results.testResults.map(({ name, startTime, endTime }) => [
  relative(process.cwd(), name),
  (endTime - startTime) / 1000,
]);
console.error('\nThe slowest test files:');
for (const [name, seconds] of files.sort(([, a], [, b]) => b - a).slice(0, SLOWEST))
  console.error(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } = results;
console.log(numPassedTests, numFailedTests + numRuntimeErrorTestSuites, numPendingTests + numTodoTests);
