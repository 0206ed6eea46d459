import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { settled, type Bench } from './bench';
import type { Measurement } from './measurement';
import { capProcessor, mayCap } from './processor-cap';
import { treeCpuSeconds } from './process-tree';
import { fitCosts, predict, type Costs, type Stretch } from './scaling-model';
import { ofJob, runJobs, type Submission } from './submit';
import { localOf, type LocalSystem } from './target';
import { chain, ofWorkflow, withWorkflows } from './workflows';

const RUNNER = 'action-runner';
const ENGINE = 'workflow-engine';
const MOST = 4;
/** How long each execution waits for a server. */
const WAIT_MS = 200;
/** Few, so that waiting limits a runner, and not the processors of this machine. */
const SLOTS = 4;
const WITH_SLOTS = { SVC_ACTIONRUNNER__ACTIONS_POOL_SIZE: String(SLOTS) };
/** Requested for each slot, so that none is empty while a response is on its way. */
const WAITING_PER_SLOT = 2;
/** The part of a core that a workflow engine gets. */
const ENGINE_SHARE = 0.1;
const SUBMITTERS_PER_ENGINE = 8;
/** Of each load, and of an idle system, at scale 1. */
const LOAD_SECONDS = 20;
const IDLE_SECONDS = 30;
const WORKFLOWS_PER_ENGINE = 150;

/**
 * What a second, third and fourth action runner brings with executions that wait for 200 ms, and what as many workflow engines with a small part
 * of a core each bring. A model of the processor time of each part then shows the limits of larger installations.
 */
export async function scalingScenario(bench: Bench): Promise<Measurement[]> {
  const runners = await scaleRunners(bench);
  const engines = mayCap() ? await scaleEngines(bench) : [];
  if (engines.length === 0)
    console.log('Workflow engines are left out: this process may not limit their processor time.');
  return [...runners, ...engines];
}

async function scaleRunners(bench: Bench): Promise<Measurement[]> {
  const server = await slowServer();
  const job = ofJob({ action: 'core.http', parameters: { url: server.url } });
  const idle: Stretch[] = [];
  const loaded: Stretch[] = [];
  try {
    await resize(bench, RUNNER, 0);
    for (let runners = 1; runners <= MOST; runners++) {
      await resize(bench, RUNNER, runners, WITH_SLOTS);
      if (runners === 1 || runners === MOST)
        idle.push(await stretchOf(bench, runners, () => settled(IDLE_SECONDS * bench.scale * 1000)));
      loaded.push(await loadRunners(bench, job, runners));
    }
  } finally {
    server.close();
  }
  return [...gains('action runner', loaded), ...modelRows(fitCosts(idle, loaded))];
}

async function loadRunners(bench: Bench, job: Submission, runners: number): Promise<Stretch> {
  const { api, scale } = bench;
  const perSecond = (runners * SLOTS * 1000) / WAIT_MS;
  const submitters = runners * SLOTS * WAITING_PER_SLOT;
  await runJobs(api, job, submitters, submitters);
  return stretchOf(bench, runners, async () => {
    const count = Math.max(submitters, Math.ceil(perSecond * LOAD_SECONDS * scale));
    return (await runJobs(api, job, count, submitters)).length;
  });
}

/** Workflows of three steps that do nothing. */
async function scaleEngines(bench: Bench): Promise<Measurement[]> {
  const steps = chain(3);
  await withWorkflows(bench, [steps]);
  await resize(bench, RUNNER, 0);
  await resize(bench, RUNNER, 1);
  const loaded: Stretch[] = [];
  for (let engines = 1; engines <= MOST; engines++) {
    await resize(bench, ENGINE, engines);
    // Compiling the code takes longer than the work. That is over before the limit applies.
    await loadEngines(bench, ofWorkflow(steps), engines);
    const caps = pidsOf(localOf(bench.system), ENGINE).map((pid) => capProcessor(pid, ENGINE_SHARE));
    try {
      loaded.push(await loadEngines(bench, ofWorkflow(steps), engines));
    } finally {
      for (const remove of caps) remove();
    }
  }
  return gains(`workflow engine with ${100 * ENGINE_SHARE} % of a core`, loaded);
}

async function loadEngines(bench: Bench, workflow: Submission, engines: number): Promise<Stretch> {
  const { api, scale } = bench;
  const submitters = engines * SUBMITTERS_PER_ENGINE;
  return stretchOf(bench, engines, async () => {
    const count = Math.max(submitters, Math.ceil(engines * WORKFLOWS_PER_ENGINE * scale));
    return (await runJobs(api, workflow, count, submitters)).length;
  });
}

/** @param work returns the number of executions */
async function stretchOf(bench: Bench, runners: number, work: () => Promise<number | void>): Promise<Stretch> {
  const local = localOf(bench.system);
  const [before, start] = [cpuOfParts(local), performance.now()];
  const executions = (await work()) ?? 0;
  const [after, seconds] = [cpuOfParts(local), (performance.now() - start) / 1000];
  const cores = new Map([...after].map(([part, cpu]) => [part, (cpu - (before.get(part) ?? 0)) / seconds]));
  return { runners, rate: executions / seconds, cores };
}

/** Processor seconds of each service, all its processes together, of the store and of the broker. */
function cpuOfParts({ processes, servers = [] }: LocalSystem): Map<string, number> {
  const parts = new Map<string, number>();
  for (const { name, pid } of [...processes, ...servers]) {
    const part = serviceOf(name);
    parts.set(part, (parts.get(part) ?? 0) + treeCpuSeconds([pid]));
  }
  return parts;
}

/** Further processes of a service have a number after its name. */
const serviceOf = (process: string): string => process.split(' ', 1)[0] ?? process;

const pidsOf = ({ processes }: LocalSystem, service: string): number[] =>
  processes.filter(({ name }) => serviceOf(name) === service).map(({ pid }) => pid);

async function resize(bench: Bench, service: string, count: number, environment?: Record<string, string>) {
  const { resize: change } = localOf(bench.system);
  if (change === undefined) throw new Error('Processes can be added on servers only.');
  await change(service, count, environment);
  await settled();
}

/** The throughput with each number of processes, and what the last of them has added in percent of what the first one does alone. */
function gains(what: string, stretches: readonly Stretch[]): Measurement[] {
  const [first] = stretches;
  return stretches.map(({ runners, rate, cores }, index) => ({
    what: `${runners} × ${what}`,
    figures: {
      'per second': rate,
      ...(index > 0 && first ? { 'added %': (100 * (rate - stretches[index - 1]!.rate)) / first.rate } : {}),
      'cores in use': [...cores.values()].reduce((sum, each) => sum + each, 0),
    },
  }));
}

const LARGER = [10, 50, 200];
/** The default number of slots. */
const USUAL_SLOTS = 60;
const SERVER_CORES = 4;
const SERVERS = ['store', 'broker'];

/**
 * The cost of each part, and the executions per second that it allows in larger installations, with one process of each service other than
 * action runners, and a core for each process.
 */
function modelRows(costs: Costs): Measurement[] {
  const predictions = LARGER.map((runners) => {
    const coresOf = (part: string) => (part === RUNNER ? runners : SERVERS.includes(part) ? SERVER_CORES : 1);
    return { runners, ...predict(costs, { runners, ratePerRunner: (USUAL_SLOTS * 1000) / WAIT_MS, coresOf }) };
  });
  const limitsOf = (part: string) =>
    predictions.map(({ runners, limits }): [string, number] => [`limit, ${runners} runners`, limits.get(part) ?? 0]);
  return [
    ...[...costs].map(([part, { fixed, perRunner, perExecution }]) => ({
      what: `cost of ${part}`,
      figures: {
        'ms an execution': 1000 * perExecution,
        '% of a core': 100 * fixed,
        '% a runner': 100 * perRunner,
        ...Object.fromEntries(limitsOf(part)),
      },
    })),
    ...predictions.map(({ runners, wanted, limit, limitedBy }) => ({
      what: `${runners} runners with ${USUAL_SLOTS} slots: limited by ${limitedBy}`,
      figures: { 'per second': Math.min(limit, wanted), 'slots allow': wanted },
    })),
  ];
}

/** A server on this machine that answers after a while. */
async function slowServer(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.end('done'), WAIT_MS);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
