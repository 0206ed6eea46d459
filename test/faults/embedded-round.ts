import { join } from 'node:path';
import { login } from '../system/api-caller';
import { startSystem, type SystemProcess } from '../system/system-process';
import { descendants, journalProblems, settled } from './checks';
import { startLoad } from './load';

/** The result of one round of faults. */
export interface RoundReport {
  problems: string[];
  line: string;
  /** The problems found. */
  fault: string;
  /** Milliseconds from the end of the fault (or the start of continuing faults) until everything accepted has ended. */
  tookMs: number;
}

const SETTLE_MS = 10_000;

/** Kills the whole system at a random moment under load, restarts it, and checks the executions of the load. */
export async function embeddedRound(number: number, directory: string, random: () => number): Promise<RoundReport> {
  const environment = { SVC_FAULTS_RUN: directory };
  const journal = join(directory, `journal-${number}`);
  const first = await startSystem({ directory, environment });
  const api = await login(first.api, first.auth);
  const load = startLoad(api, journal, random, 15);
  await new Promise((resolve) => setTimeout(resolve, 200 + random() * 1500));
  await first.stop({ signal: 'SIGKILL', keepData: true });
  await load.stop();
  api.close();

  const restart = performance.now();
  const second: SystemProcess = await startSystem({ directory, environment });
  const startedMs = performance.now() - restart;
  const again = await login(second.api, second.auth);
  const { problems, tookMs, statuses, succeeded } = await settled(again, load.accepted, SETTLE_MS);
  const strays = descendants(directory);
  again.close();
  await second.stop({ keepData: true });
  const left = descendants(directory);
  return {
    problems: [
      ...problems,
      ...journalProblems(journal, succeeded),
      ...strays.map((pid) => `a process of an execution still lives after recovery: ${pid}`),
      ...left.map((pid) => `a process of an execution outlived the system: ${pid}`),
    ],
    fault: 'kill -9 of everything',
    tookMs: startedMs + tookMs,
    line: `${load.accepted.size} accepted; up again after ${startedMs.toFixed(0)} ms, all ended ${tookMs.toFixed(0)} ms later: ${JSON.stringify(statuses)}`,
  };
}
