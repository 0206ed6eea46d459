// One Jest project for the whole repository. Tests import packages by name and get their sources (no build needed
// to run them); type errors are reported by `npm run types`, so each file is only transpiled here.
const { existsSync, readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');

const packages = ['libs', 'services', 'apps'].flatMap((group) =>
  existsSync(group) ? readdirSync(group).map((name) => [name, `<rootDir>/${group}/${name}/src`]) : [],
);

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{libs,services,apps}/*/test/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  moduleNameMapper: Object.fromEntries(
    packages.flatMap(([name, src]) => [
      [`^@switchyard/${name}$`, `${src}/index.ts`],
      [`^@switchyard/${name}/(.+)$`, `${src}/$1`],
    ]),
  ),
  transform: {
    '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.jest.json', diagnostics: false }],
  },
  cacheDirectory: '<rootDir>/.cache/jest',
  testSequencer: '<rootDir>/scripts/test-sequencer.cjs',
  // Two more than there are processors: many tests wait for processes that they have started.
  maxWorkers: availableParallelism() + 2,
  testTimeout: 60_000,
  // A process with much memory takes a while to end on a busy machine. One that something keeps alive is reported all the same.
  workerGracefulExitTimeout: 15_000,
};
