// `node .ci/jest-summary.mjs RESULTS FAILURES`: adds the failed tests to the file FAILURES, shows the slowest test files (on
// the error output) and prints the numbers of passed, failed and skipped tests.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const SLOWEST = 10;
const MESSAGE_LINES = 12;

const [resultsFile, failuresFile] = process.argv.slice(2);
const results = JSON.parse(readFileSync(resultsFile, 'utf8'));

const firstLines = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MESSAGE_LINES)
    .map((line) => `    ${line}\n`)
    .join('');

for (const { name, message, assertionResults } of results.testResults) {
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  const file = relative(process.cwd(), name);
  for (const { fullName, failureMessages } of failed)
    appendFileSync(failuresFile, `  ${file}: ${fullName}\n${firstLines(failureMessages.join('\n'))}`);
  if (assertionResults.length === 0 && message) appendFileSync(failuresFile, `  ${file}\n${firstLines(message)}`);
}
const files = results.testResults.map(({ name, startTime, endTime }) => [
  relative(process.cwd(), name),
  (endTime - startTime) / 1000,
]);
console.error('\nThe slowest test files:');
for (const [name, seconds] of files.sort(([, a], [, b]) => b - a).slice(0, SLOWEST))
  console.error(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } = results;
console.log(numPassedTests, numFailedTests + numRuntimeErrorTestSuites, numPendingTests + numTodoTests);
