import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { descendants, settledAfterFault } from './checks';
import { chooseFault, type Fault } from './fault-table';
import { createGrowthCheck, type GrowthCheck } from './growth';
import { journalProblems } from './journal';
import { openLoads, type Loads, type Senders } from './loads/all-loads';
import type { Work } from './loads/load';
import { recoveryLimitMs } from './patience';
import type { RoundReport } from './round-report';
import type { Site } from './site/site';

/** Requests from the fault on. Working them off must not take long even on a slow machine. */
const MEANWHILE = 120;
/** Accepted executions before a fault. */
const BEFORE = { least: 5, most: 25 };
const LONGEST_MS = 120_000;

interface Setting {
  readonly work: Work;
  readonly loads: Loads;
  readonly growth: GrowthCheck;
  /** Of the run, which marks all processes of executions. */
  readonly directory: string;
  /** Text that the names of the faults contain. */
  readonly only: string;
}

/** One fault at a time, at a random moment of all kinds of work. A round that is broken off is followed by a new site. */
export async function openLoadRounds(directory: string, open: (directory: string) => Promise<Site>, only: string) {
  let sites = 0;
  let random: () => number = Math.random;
  const begin = async () => {
    const own = join(directory, String(++sites));
    mkdirSync(own);
    return openSetting(own, open, { only, random: () => random() });
  };
  let setting: Setting | undefined = await begin();
  return {
    async round(_: number, randomOfThis: () => number) {
      random = randomOfThis;
      const current = (setting ??= await begin());
      const report = await loadRound(current);
      if (report.brokenOff) {
        await current.work.site.close();
        setting = undefined;
      }
      return report;
    },
    close: async () => setting?.work.site.close(),
  };
}

async function openSetting(
  directory: string,
  open: (directory: string) => Promise<Site>,
  { only, random }: { only: string; random: () => number },
): Promise<Setting> {
  const site = await open(directory);
  const work: Work = { site, random, journal: join(directory, 'journal'), accepted: new Set() };
  try {
    return { work, directory, only, loads: await openLoads(work), growth: createGrowthCheck(site) };
  } catch (error) {
    await site.close();
    throw error;
  }
}

async function loadRound(setting: Setting): Promise<RoundReport & { brokenOff?: true }> {
  const { work, loads, only } = setting;
  work.accepted.clear();
  const fault = chooseFault(work.site, work.random, only);
  const senders = loads.begin();
  try {
    const report = await roundOf(setting, fault, senders);
    return { ...report, problems: [...report.problems, ...work.site.endedAlone()] };
  } catch (error) {
    // A system that does not answer any more is a finding, too.
    const problems = [String(error), ...work.site.endedAlone()];
    return { fault: fault.name, problems, tookMs: 0, line: `${fault.name}: the round was broken off`, brokenOff: true };
  } finally {
    await senders.stop();
  }
}

async function roundOf(setting: Setting, fault: Fault, senders: Senders): Promise<RoundReport> {
  const { work, growth } = setting;
  const { site, random, accepted } = work;
  await untilAccepted(accepted, BEFORE.least + (BEFORE.most - BEFORE.least) * random());
  senders.endAfter(MEANWHILE);
  const check = await fault.happen(work);
  const overAt = Date.now();
  await site.ready();
  const readyMs = Date.now() - overAt;
  await senders.stop();
  const { problems, tookMs, statuses } = await outcome(setting, fault, overAt);
  return {
    problems: [...problems, ...((await check?.()) ?? [])],
    fault: fault.name,
    tookMs: Math.max(tookMs, readyMs),
    line: `${fault.name}: ${accepted.size} accepted; ready ${readyMs} ms after it was over, all ended after ${tookMs.toFixed(0)} ms: ${JSON.stringify(statuses)}; ${growth.line}`,
  };
}

async function untilAccepted(accepted: ReadonlySet<string>, count: number): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  while (accepted.size < count) {
    if (performance.now() > deadline) throw new Error(`${accepted.size} executions were accepted in ${LONGEST_MS} ms`);
    await wait(20);
  }
}

async function outcome({ work, loads, growth, directory }: Setting, { jumps }: Fault, overAt: number) {
  const { site, accepted, journal } = work;
  const { endlessRules } = loads;
  const expected = { accepted, endlessRules, overAt, jumped: jumps, limitMs: recoveryLimitMs() };
  const { problems, succeeded, ...settlement } = await settledAfterFault(site.api, expected);
  const ofLoads = await loads.problems(jumps);
  const grown = await growth.problems();
  const strays = await lasting(() => descendants(directory));
  return {
    ...settlement,
    problems: [
      ...problems,
      ...journalProblems(journal, succeeded),
      ...ofLoads,
      ...grown,
      ...strays.map((pid) => `a process of an execution still lives after recovery: ${pid}`),
    ],
  };
}

/** Leftovers that still exist after the recovery interval. */
async function lasting(look: () => string[]): Promise<string[]> {
  for (let tries = 0; tries < 50 && look().length > 0; tries++) await wait(100);
  return look();
}
