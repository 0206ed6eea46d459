// `node deploy/npm/build.mjs [--output DIRECTORY] [--version VERSION]`: builds the command `svc` as an npm package that needs no
// other package: everything but the commands that work on the machine of the services. Prints the path of the package.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import '../../scripts/prepare.mjs';
import { building, packageOptions } from '../package-options.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Packages of the services. A command that loads one of them works on the machine of the services. */
const OF_SERVICES =
  /^@switchyard\/(all-in-one|content|datastore|host|identity|runners|storage|telemetry|triggers|assembly(?!\/compile-cache))(\/|$)/;
const REPLACEMENT = '\0of-services';
const REFUSAL = 'This command works on the machine of the services: install the whole system there.';

const { output, version } = packageOptions(/^\d+\.\d+\.\d+(-[\w.-]+)?$/, '0.1.0 or 0.2.0-rc.1');
const { license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** In place of the packages of the services, a module that fails with a message when it is loaded. */
const withoutServices = {
  name: 'without-services',
  enforce: 'pre',
  resolveId: (id) => (OF_SERVICES.test(id) ? REPLACEMENT : undefined),
  load: (id) => (id === REPLACEMENT ? `throw new Error(${JSON.stringify(REFUSAL)});\nmodule.exports = {};` : undefined),
};

const stage = mkdtempSync(join(tmpdir(), 'svc-npm-'));
await building(async () => {
  try {
    await bundle();
    writePackage();
    mkdirSync(output, { recursive: true });
    const words = ['pack', '--json', '--loglevel=error', '--no-update-notifier', '--pack-destination', output];
    const [{ filename }] = JSON.parse(execFileSync('npm', words, { cwd: stage, encoding: 'utf8' }));
    return join(output, filename);
  } finally {
    rmSync(stage, { recursive: true });
  }
});

async function bundle() {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [withoutServices],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(ROOT, 'apps/cli/dist/main.js'),
      outDir: join(stage, 'dist'),
      target: 'node20',
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' } },
    },
  });
  chmodSync(join(stage, 'dist/main.js'), 0o755);
}

function writePackage() {
  const description = 'The command svc of Switchyard, an event-driven automation platform';
  const content = {
    name: '@switchyard/svc',
    version,
    description,
    license,
    engines,
    bin: { svc: 'dist/main.js' },
    files: ['dist'],
  };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
  copyFileSync(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'));
  copyFileSync(join(ROOT, 'docs/cli.md'), join(stage, 'README.md'));
}
