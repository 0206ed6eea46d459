// One Jest project for the whole repository. Tests import packages by name and get their sources (no build needed
// to run them); type errors are reported by `npm run types`, so each file is only transpiled here.
const { readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');

/** The packages of each folder, as alternatives of a pattern: a pattern for each package would be asked for each import. */
const packages = ['libs', 'services', 'apps'].map((folder) => [
  folder,
  `^@switchyard/(${readdirSync(folder).join('|')})`,
]);

/** Built-in objects of the language, without `Date` and `Function`: packages declare these names themselves. */
const BUILT_INS =
  'Array ArrayBuffer Atomics BigInt Boolean Error Infinity JSON Map Math Number Object Promise RangeError Reflect RegExp Set ' +
  'String Symbol TypeError Uint8Array WeakMap WeakSet isNaN parseInt';

// The last one has `import()`.
const ES_MODULES = 'openid-client|oauth4webapi|jose|@opentelemetry/otlp-exporter-base';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{libs,services,apps}/*/test/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  moduleNameMapper: Object.fromEntries(
    packages.flatMap(([folder, names]) => [
      [`${names}$`, `<rootDir>/${folder}/$1/src/index.ts`],
      [`${names}/(.+)$`, `<rootDir>/${folder}/$1/src/$2`],
    ]),
  ),
  transform: {
    // ES modules, which Jest cannot load as they are.
    [`/node_modules/(${ES_MODULES})/.+\\.js$`]: [
      '@swc/jest',
      { jsc: { target: 'es2023' }, module: { type: 'commonjs' }, swcrc: false },
    ],
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
        sourceMaps: true,
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES})/)`],
  cacheDirectory: '<rootDir>/.cache/jest',
  // In the context of a test, looking a global up takes a microsecond unless it is a parameter of the module.
  sandboxInjectedGlobals: BUILT_INS.split(' '),
  testSequencer: '<rootDir>/scripts/test-sequencer.cjs',
  // Three more than there are processors: many tests wait for processes that they have started.
  maxWorkers: availableParallelism() + 3,
  // Starting a process takes the longer the more memory a worker has: 3 ms with 50 MB, 180 with 1 GB. So large workers are replaced.
  workerIdleMemoryLimit: '200MB',
  testTimeout: 180_000,
  // A process with much memory takes a while to end on a busy machine. One that something keeps alive is reported all the same.
  workerGracefulExitTimeout: 15_000,
};
