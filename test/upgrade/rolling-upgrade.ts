import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Chance } from '../faults/workflows/chance';
import { installWorkflows } from '../faults/workflows/install';
import { login } from '../system/api-caller';
import { startCluster, type Cluster, type ServiceProcess } from '../system/cluster-process';
import { startRealServers } from '../system/real-servers';
import { svc } from '../system/run-svc';
import { ROOT } from '../system/system-process';
import { expectExit, migrationStates } from './commands';
import type { UpgradeOptions } from './embedded-upgrade';
import { runStage, type StageReport } from './stage';

const PAUSE_MS = 2000;
/** Processes that are replaced together. */
const WAVE = 3;
/** The longest pause between two waves. */
const APART_MS = 1000;

/**
 * Replaces the processes of a system on real servers in a random order, first half of them, then the others, and goes back in
 * the same way. After each half, everything has to end in the mixed system. With `isHalf`, it goes back from there.
 */
export async function rollingUpgrade(options: UpgradeOptions): Promise<void> {
  const servers = await startRealServers();
  try {
    const cluster = await startCluster({
      ...{ checkout: options.last, mongoUrl: servers.mongo.url, amqpUrl: servers.rabbit.url },
      ...{ runners: 2, schedulers: 2, engines: 2, environment: { SVC_FAULTS_RUN: options.directory } },
    });
    try {
      await upgradeAndBack(cluster, options);
    } finally {
      await cluster.stop();
    }
  } finally {
    await servers.remove();
  }
}

async function upgradeAndBack(cluster: Cluster, options: UpgradeOptions): Promise<void> {
  const { last, directory, workflows, random, report, isHalf } = options;
  const chance = new Chance(random);
  // One token for all versions.
  const api = await login(cluster.api, cluster.auth);
  await installWorkflows(cluster.directory, api, workflows);
  const stage = async (name: string, services: readonly ServiceProcess[], checkout: string) => {
    const change = async () => {
      await replace(cluster, services, checkout, chance);
      return api;
    };
    report(await runStage({ name, directory, random, workflows, pauseMs: PAUSE_MS, api, change }));
  };
  const forth = shuffled(cluster.services, chance);
  const half = Math.ceil(forth.length / 2);
  await stage('servers: half to this version', forth.slice(0, half), ROOT);
  if (isHalf) await stage('servers: this half back', forth.slice(0, half), last);
  else {
    await stage('servers: all to this version', forth.slice(half), ROOT);
    report(await checked(cluster, 'servers: store after the upgrade', true));
    const back = shuffled(cluster.services, chance);
    await stage('servers: half back to the last version', back.slice(0, half), last);
    await stage('servers: all back to the last version', back.slice(half), last);
  }
  report(await checked(cluster, 'servers: store after the way back', false));
  api.close();
}

/** The running system has no damaged records. Migrations are complete unless processes of the last version run. */
async function checked({ directory }: Cluster, name: string, isUpgraded: boolean): Promise<StageReport> {
  const place = ['--config-file', join(directory, 'svc.conf')];
  const problems = [
    ...expectExit(await svc(['doctor', ...place]), 0),
    ...expectExit(await svc(['migrate', ...place]), isUpgraded ? 0 : 1),
    ...(isUpgraded ? [] : expectExit(await svc(['migrate', '--contract', ...place]), 1)),
  ];
  return { name, problems, line: await migrationStates(place) };
}

async function replace(
  cluster: Cluster,
  services: readonly ServiceProcess[],
  checkout: string,
  chance: Chance,
): Promise<void> {
  for (let at = 0; at < services.length; at += WAVE) {
    await wait(chance.below(APART_MS));
    await Promise.all(
      services.slice(at, at + WAVE).map(async (service) => {
        await service.stop();
        service.start({ checkout });
      }),
    );
    await cluster.ready();
  }
}

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  const left = [...items];
  return items.map(() => left.splice(chance.below(left.length), 1)[0] as T);
}
