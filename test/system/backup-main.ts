// `npm run test:backup -- [--scale N] [--mongodb URL]`: exports N executions from an embedded store, and imports them into another
// one or into MongoDB. Prints time, processor time and peak memory of each command.
// `npm run test:backup -- --under-load [--scale N]`: exports a system on servers, with N executions and more that run meanwhile, and compares
// the archive with the system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { KIB, MIB, SECOND_MS } from '@switchyard/base';
import { loadConfig, paths } from '@switchyard/config';
import { createSealer, loadKeyRing, openStore } from '@switchyard/storage';
import { openEmbedded } from '@switchyard/storage/embedded';
import { fillHistory } from './backup-history';
import { exportUnderLoad } from './backup-under-load';
import { exitWhenTold } from './ends-with-us';
import { ROOT } from './system-process';

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '10000' },
    mongodb: { type: 'string' },
    'under-load': { type: 'boolean', default: false },
  },
});
const scale = Number(values.scale);
if (!Number.isInteger(scale) || scale < 1) {
  process.stderr.write(`--scale: expected a whole number of 1 or more, got "${values.scale}"\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'svc-backup-scale-'));
  try {
    if (values['under-load']) return await underLoad(base);
    const first = configured(base, 'first', '');
    await fill(first);
    const archive = join(base, 'system.tar.gz');
    await measured('export', ['--config-file', first, 'export', archive, '--with-secrets']);
    print({ archiveMegabytes: Math.round(statSync(archive).size / MIB) });
    await measured('check', ['import', '--check', archive]);
    await measured('import', ['--config-file', configured(base, 'second', ''), 'import', archive]);
    if (values.mongodb === undefined) return;
    const database = `[storage]\ndriver = mongodb\n[database]\nhost = ${values.mongodb}\ndb_name = backup_${process.pid}\n`;
    const server = configured(base, 'server', database);
    await measured('import into MongoDB', ['--config-file', server, 'import', archive]);
    await measured('export from MongoDB', ['--config-file', server, 'export', join(base, 'back.tar.gz')]);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Exits with 1 if the archive differs from the system. */
async function underLoad(base: string): Promise<void> {
  const { problems, figures } = await exportUnderLoad(base, scale);
  print(figures);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${problems.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed'}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function configured(base: string, name: string, database: string): string {
  mkdirSync(join(base, name));
  const file = join(base, name, 'svc.conf');
  writeFileSync(file, `[system]\nbase_path = ${join(base, name)}\n${database}`);
  return file;
}

async function fill(file: string): Promise<void> {
  const where = paths(loadConfig({ environment: {}, file }).config);
  const connection = await openEmbedded({ directory: where.store });
  const store = await openStore(connection, createSealer(await loadKeyRing(where.recordKey)));
  await fillHistory(store, scale);
  await store.close();
}

/** Prints what the process used when it ends. */
const REPORT = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('\\nUSED ' + JSON.stringify({ micros: userCPUTime + systemCPUTime, kilobytes: maxRSS }));
});`;

async function measured(name: string, words: readonly string[]): Promise<void> {
  const script = join(tmpdir(), `svc-backup-report-${process.pid}.js`);
  writeFileSync(script, REPORT);
  const start = performance.now();
  const child = spawn(process.execPath, ['-r', script, join(ROOT, 'apps/cli/dist/main.js'), ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  const [code] = (await once(child, 'close')) as [unknown];
  rmSync(script);
  const [, text] = /USED (.*)/.exec(printed) ?? [];
  if (code !== 0 || text === undefined) throw new Error(`${name} ended with ${String(code)}: ${printed}`);
  const { micros, kilobytes } = JSON.parse(text) as { micros: number; kilobytes: number };
  const seconds = (performance.now() - start) / SECOND_MS;
  print({
    ...{ name, executions: scale, seconds: Number(seconds.toFixed(1)) },
    ...{ processorSeconds: Number((micros / 1e6).toFixed(1)), peakMegabytes: Math.round(kilobytes / KIB) },
  });
}

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

exitWhenTold();
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
