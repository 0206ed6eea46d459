import { setTimeout as wait } from 'node:timers/promises';
import { installWorkflows } from '../faults/workflows/install';
import type { RandomWorkflow } from '../faults/workflows/random-workflows';
import { login } from '../system/api-caller';
import { svc } from '../system/run-svc';
import { ROOT, startSystem, type SystemProcess } from '../system/system-process';
import { expectExit, migrationStates } from './commands';
import { runStage, type StageReport } from './stage';

export interface UpgradeOptions {
  /** The root of the compiled checkout of the last version. */
  readonly last: string;
  /** For the data of the system, and the journals of its commands. */
  readonly directory: string;
  readonly workflows: readonly RandomWorkflow[];
  readonly random: () => number;
  readonly report: (stage: StageReport) => void;
  /** On servers, goes back once half of the processes are replaced. */
  readonly isHalf: boolean;
}

const PAUSE_MS = 60;
/** The change happens after at least this time of load, and at most twice this time. */
const LOAD_MS = 1500;

/**
 * Upgrades one process on its directory, and goes back, each time in the middle of its work: once by a stop, once by kill -9.
 * In the end, the last version is kept out.
 */
export async function embeddedUpgrade({ last, directory, workflows, random, report }: UpgradeOptions): Promise<void> {
  const start = (checkout: string) => startSystem({ directory, checkout, environment: { SVC_FAULTS_RUN: directory } });
  let system: SystemProcess = await start(last);
  let api = await login(system.api, system.auth);
  await installWorkflows(directory, api, workflows);
  const stage = async (name: string, checkout: string, signal: NodeJS.Signals) => {
    const before = api;
    const change = async () => {
      await wait(LOAD_MS * (1 + random()));
      await system.stop({ signal, keepData: true });
      system = await start(checkout);
      api = await login(system.api, system.auth);
      return api;
    };
    report(await runStage({ name, directory, random, workflows, pauseMs: PAUSE_MS, api: before, change }));
    before.close();
  };
  await stage('embedded: last version to this one', ROOT, 'SIGTERM');
  await stage('embedded: back to the last version', last, 'SIGKILL');
  await stage('embedded: to this version after a kill', ROOT, 'SIGKILL');
  api.close();
  await system.stop({ keepData: true });
  report(await finished(directory, () => start(last)));
}

/** The store of the stopped system has no damaged records, and a contraction keeps the last version out. */
async function finished(directory: string, startLast: () => Promise<SystemProcess>): Promise<StageReport> {
  const place = ['--data-dir', directory];
  const problems = [
    ...expectExit(await svc(['doctor', ...place]), 0),
    ...expectExit(await svc(['migrate', ...place]), 0),
    ...expectExit(await svc(['migrate', '--check', ...place]), 0),
    ...expectExit(await svc(['migrate', '--check', '--contract', ...place]), 1),
    ...expectExit(await svc(['migrate', '--contract', ...place]), 0),
    ...(await refusal(startLast)),
  ];
  const line = await migrationStates(place);
  return { name: 'embedded: contraction', problems, line };
}

async function refusal(startLast: () => Promise<SystemProcess>): Promise<string[]> {
  try {
    const system = await startLast();
    await system.stop({ keepData: true });
    return ['the last version has opened a contracted store'];
  } catch (error) {
    const text = String(error);
    return text.includes('schema version 2') ? [] : [`the last version has another reason not to start: ${text}`];
  }
}
