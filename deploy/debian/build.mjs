// `node deploy/debian/build.mjs [--output DIRECTORY] [--version VERSION]`: builds the Debian package from this checkout, for
// the architecture of this machine. It needs dpkg-deb, and prints the path of the package.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import '../../scripts/prepare.mjs';
import { isLeftOut } from '../left-out.mjs';
import { building, packageOptions } from '../package-options.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const PROGRAM = 'usr/lib/switchyard';
const UNITS = 'usr/lib/systemd/system';
const DOCUMENTATION = 'usr/share/doc/switchyard';
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** Services that run programs of packs. */
const RUN_PROGRAMS = ['action-runner', 'sensor-container'];
/** Commands, and what they are in the program's directory. */
const COMMANDS = {
  svc: 'apps/cli/dist/main.js',
  'svc-service': 'services/all-in-one/dist/service-main.js',
  'svc-healthcheck': 'deploy/healthcheck.mjs',
  ...Object.fromEntries(readdirSync(join(ROOT, 'bin')).map((name) => [name, `bin/${name}`])),
};

const { output, version } = packageOptions(/^\d[A-Za-z0-9.+~-]*$/, '0.1.0 or 0.1.0-2');
const architecture = ARCHITECTURES[process.arch];
if (process.platform !== 'linux' || architecture === undefined) {
  console.error(
    `The package is for Linux on ${Object.keys(ARCHITECTURES).join(' and ')}, not ${process.platform} on ${process.arch}.`,
  );
  process.exit(1);
}
const stage = mkdtempSync(join(tmpdir(), 'svc-debian-'));
await building(() => {
  try {
    copyProgram();
    copyCommands();
    copyUnits();
    copyDocumentation();
    writeControl();
    return build();
  } finally {
    rmSync(stage, { recursive: true });
  }
});

/** Copies a file or directory of the checkout, without what only a build or a test needs. */
function copy(from, to) {
  const filter = (path) => !isLeftOut(path);
  cpSync(join(ROOT, from), join(stage, to), { recursive: true, verbatimSymlinks: true, filter });
}

function copyProgram() {
  copy('package.json', `${PROGRAM}/package.json`);
  for (const directory of installedDependencies()) copy(directory, `${PROGRAM}/${directory}`);
  for (const group of ['libs', 'services', 'apps']) {
    for (const name of readdirSync(join(ROOT, group))) {
      if (name === 'testkit') continue;
      copy(`${group}/${name}/package.json`, `${PROGRAM}/${group}/${name}/package.json`);
      copy(`${group}/${name}/dist`, `${PROGRAM}/${group}/${name}/dist`);
    }
  }
  for (const path of ['packs', 'bin', 'deploy/healthcheck.mjs']) copy(path, `${PROGRAM}/${path}`);
  for (const name of readdirSync(join(ROOT, 'python'))) {
    if (name !== 'tests') copy(`python/${name}`, `${PROGRAM}/python/${name}`);
  }
}

/** The packages that the program needs where it runs, and the links to its own packages. */
function installedDependencies() {
  const words = ['ls', '--all', '--omit=dev', '--parseable'];
  const listed = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const paths = listed.split('\n').map((path) => relative(ROOT, path));
  return paths.filter((path) => path.includes('node_modules/') && basename(path) !== 'testkit');
}

function copyCommands() {
  mkdirSync(join(stage, 'usr/bin'), { recursive: true });
  for (const [name, target] of Object.entries(COMMANDS)) {
    chmodSync(join(stage, PROGRAM, target), 0o755);
    symlinkSync(`../lib/switchyard/${target}`, join(stage, 'usr/bin', name));
  }
}

function copyUnits() {
  const services = readdirSync(join(ROOT, 'services')).filter((name) => name !== 'all-in-one');
  const units = services.map((name) => `switchyard@${name}.service`).join(' ');
  for (const name of ['switchyard.service', 'switchyard@.service', 'switchyard-services.target'])
    write(`${UNITS}/${name}`, filled(name, { services: units }));
  for (const name of RUN_PROGRAMS)
    write(`${UNITS}/switchyard@${name}.service.d/programs-of-packs.conf`, filled('programs-of-packs.conf'));
  write('etc/switchyard/svc.conf', filled('svc.conf'), 0o640);
}

function copyDocumentation() {
  for (const name of readdirSync(join(ROOT, 'docs'))) {
    if (name.endsWith('.md')) copy(`docs/${name}`, `${DOCUMENTATION}/${name}`);
  }
  copy('deploy/svc.conf.sample', `${DOCUMENTATION}/svc.conf.sample`);
  copy('LICENSE', `${DOCUMENTATION}/copyright`);
  write(`${DOCUMENTATION}/changelog.gz`, gzipSync(readFileSync(join(ROOT, 'CHANGELOG.md')), { level: 9 }));
  const sbom = ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--package-lock-only'];
  write(`${DOCUMENTATION}/sbom.cdx.json`, execFileSync('npm', sbom, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 }));
}

function writeControl() {
  const kilobytes = Number(execFileSync('du', ['-sk', '--apparent-size', stage], { encoding: 'utf8' }).split('\t')[0]);
  write('DEBIAN/control', filled('control', { version, architecture, size: kilobytes }));
  write('DEBIAN/conffiles', '/etc/switchyard/svc.conf\n');
  for (const name of ['postinst', 'prerm', 'postrm']) write(`DEBIAN/${name}`, filled(name), 0o755);
}

function build() {
  mkdirSync(output, { recursive: true });
  const file = join(output, `switchyard_${version}_${architecture}.deb`);
  // Files that a build makes for its user alone are readable for all where they are installed.
  execFileSync('chmod', ['-R', 'u+rwX,go+rX,go-w', stage]);
  chmodSync(join(stage, 'etc/switchyard/svc.conf'), 0o640);
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', stage, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  return file;
}

/** A file of this directory with its `${…}` filled in. */
function filled(name, values = {}) {
  const text = readFileSync(join(HERE, name), 'utf8');
  return text.replaceAll(/\$\{(version|architecture|size|services)\}/g, (_, key) => values[key]);
}

function write(path, content, mode = 0o644) {
  const file = join(stage, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}
