// `npm run test:cluster -- [--bin DIRECTORY] [--only trial|production|small] [--keep]`: builds the control plane of Kubernetes from its Go
// modules into a directory, once, starts it, and installs, upgrades, scales and removes the Helm chart in it. kwok plays the nodes, so no
// container runs. Needs Go and helm. With --keep, the control plane goes on afterwards, until SIGINT.
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWhenTold } from '../../system/ends-with-us';
import { buildBinaries, KUBERNETES } from './binaries';
import { startControlPlane } from './control-plane';
import { createNodes } from './nodes';
import { tryProduction } from './production';
import { helmProgram, type Scene } from './release';
import { createReport } from './report';
import { trySmall } from './small';
import { tryTrial } from './trial';

const SCENARIOS: Readonly<Record<string, (scene: Scene, binaries: string) => Promise<void>>> = {
  trial: tryTrial,
  production: tryProduction,
  small: trySmall,
};

function readArguments() {
  const { values } = parseArgs({
    options: {
      bin: { type: 'string', default: join(homedir(), '.cache/switchyard/control-plane') },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const { only } = values;
  if (only !== undefined && !Object.hasOwn(SCENARIOS, only))
    throw new Error(`--only: expected ${Object.keys(SCENARIOS).join(', ')}; got "${only}"`);
  return { bin: resolve(values.bin), names: only === undefined ? Object.keys(SCENARIOS) : [only], keep: values.keep };
}

async function main(): Promise<void> {
  const { bin, names, keep } = readArguments();
  const binaries = await buildBinaries(bin);
  const directory = mkdtempSync(join(tmpdir(), 'svc-control-plane-'));
  const cluster = await startControlPlane(binaries, directory);
  await createNodes(cluster);
  console.log(`Kubernetes ${KUBERNETES} runs: KUBECONFIG=${join(directory, 'kubeconfig')}`);
  const report = createReport();
  const helm = existsSync(helmProgram()) ? helmProgram() : 'helm';
  for (const name of names) await SCENARIOS[name]?.({ cluster, report, directory, helm }, bin);
  console.log(`${report.counts.passed} passed, ${report.counts.failed} failed`);
  if (keep) await once(process, 'SIGINT');
  await cluster.stop();
  rmSync(directory, { recursive: true });
  process.exitCode = report.counts.failed > 0 ? 1 : 0;
}

if (!process.argv.includes('--keep')) exitWhenTold();
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
