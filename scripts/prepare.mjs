// Makes a checkout ready to run: installs dependencies and builds sources. It skips what is up to date, so a second call is
// fast. Used by `npm start`, `npm test` and CI.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = [20, 19];
const STAMP = `${root}node_modules/.switchyard-installed`;

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  console.error(`Switchyard needs Node.js ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Prints each step and how long it took. @returns false if the step says that it was not possible */
function step(text, run) {
  const start = Date.now();
  process.stderr.write(`${text} … `);
  const isDone = run() !== false;
  process.stderr.write(`${isDone ? 'done' : 'not possible'} (${((Date.now() - start) / 1000).toFixed(1)} s)\n`);
  return isDone;
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (result.status === 0) return;
  process.stderr.write(`\n${result.stdout ?? ''}${result.stderr ?? ''}\n`);
  console.error(`"${command} ${args.join(' ')}" failed${result.error ? `: ${result.error.message}` : ''}.`);
  process.exit(1);
}

const lock = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');
const wanted = `${lock} ${process.versions.modules}`;
const installed = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
// Native modules are built for a version of Node.js. An installation leaves out those that cannot be built; a rebuild fails.
const isRebuilt = () => spawnSync('npm', ['rebuild'], { cwd: root }).status === 0;
if (installed !== wanted) {
  if (!installed.startsWith(lock) || !step('Rebuilding native modules for this Node.js', isRebuilt))
    step('Installing dependencies (about a minute the first time)', () =>
      run('npm', ['ci', '--no-audit', '--no-fund']),
    );
  writeFileSync(STAMP, wanted);
}

/** Names, sizes and times of all sources, which show whether a build is needed without starting the compiler. */
function sourcesStamp(groups, isSource) {
  const hash = createHash('sha256');
  const visit = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== 'dist') visit(path);
      } else if (isSource.test(entry.name)) {
        const { size, mtimeMs } = statSync(path);
        hash.update(`${path} ${size} ${mtimeMs}\n`);
      }
    }
  };
  for (const group of groups) visit(join(root, group));
  return hash.digest('hex');
}

/** The types of the API that the web console uses; the compiler needs them. */
const API_DOCUMENT = `${root}docs/openapi.json`;
const API_TYPES = `${root}apps/console/generated/openapi.d.ts`;
if (!existsSync(API_TYPES) || statSync(API_TYPES).mtimeMs < statSync(API_DOCUMENT).mtimeMs) {
  step('Generating the API types', () =>
    run(process.execPath, [`${root}node_modules/openapi-typescript/bin/cli.js`, API_DOCUMENT, '--output', API_TYPES]),
  );
}

const BUILD_STAMP = `${root}.cache/built`;
const sources = sourcesStamp(['libs', 'services', 'apps', 'test'], /(\.tsx?|package\.json|tsconfig[^/]*\.json)$/);
if (!existsSync(BUILD_STAMP) || readFileSync(BUILD_STAMP, 'utf8') !== sources) {
  step('Building', () =>
    run(process.execPath, [`${root}node_modules/@typescript/native/bin/tsc`, '-b', 'tsconfig.build.json']),
  );
  mkdirSync(`${root}.cache`, { recursive: true });
  writeFileSync(BUILD_STAMP, sources);
}

const CONSOLE_STAMP = `${root}.cache/built-console`;
const consoleSources = `${lock} ${sourcesStamp(['apps/console'], /\.(tsx?|css|html|svg|json|mjs|po)$/)}`;
const consolePage = `${root}apps/console/dist/site/index.html`;
if (!existsSync(consolePage) || !existsSync(CONSOLE_STAMP) || readFileSync(CONSOLE_STAMP, 'utf8') !== consoleSources) {
  step('Building the web console', () =>
    run(process.execPath, [`${root}node_modules/vite/bin/vite.js`, 'build', `${root}apps/console`]),
  );
  writeFileSync(CONSOLE_STAMP, consoleSources);
}
