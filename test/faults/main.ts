// `npm run test:faults -- [--rounds N] [--seed S]`: kills the whole system at random moments of a running load, and proves
// from its history, and from what the commands wrote, that nothing was lost or done twice.
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { login, type ApiCaller } from '../system/api-caller';
import { startSystem, type SystemProcess } from '../system/system-process';

/** A small generator of random numbers from a seed (mulberry32), so that a failing run can be replayed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const TERMINAL = ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled'];
const OPEN = ['requested', 'scheduled', 'delayed', 'running', 'canceling'];
const SETTLE_MS = 10_000;
const SUBMITTERS = 6;

/** What the load has sent so far. */
interface Load {
  /** Ids of executions that the API accepted. */
  accepted: Set<string>;
  stop(): Promise<void>;
}

/** Commands that write down their start and their end, some with descendants in a session of their own. */
function command(journal: string, random: () => number, number: number): string {
  const pause = (random() * 0.4).toFixed(2);
  const line = (word: string) => `echo "${word} $SVC_ACTION_EXECUTION_ID" >> ${journal}`;
  const stray = number % 5 === 0 ? 'setsid sleep 30 & ' : '';
  return `${line('start')}; ${stray}sleep ${pause}; ${line('end')}${stray === '' ? '' : '; kill $!'}`;
}

function startLoad(api: ApiCaller, journal: string, random: () => number): Load {
  const accepted = new Set<string>();
  let running = true;
  let number = 0;
  const submit = async () => {
    while (running) {
      number++;
      const job =
        number % 3 === 0
          ? { action: 'core.noop' }
          : { action: 'core.local', parameters: { cmd: command(journal, random, number) } };
      try {
        const { status, body } = await api.call('POST', '/v1/executions', job);
        if (status === 201) accepted.add((body as { id: string }).id);
      } catch {
        // The connection broke with the process: the request was not accepted.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await new Promise((resolve) => setTimeout(resolve, random() * 15));
    }
  };
  const submitters = Array.from({ length: SUBMITTERS }, submit);
  return {
    accepted,
    async stop() {
      running = false;
      await Promise.all(submitters);
    },
  };
}

/** Ids of processes that were started by executions of this system and still live. */
function descendants(directory: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return environment.includes('SVC_ACTION_EXECUTION_ID=') && environment.includes(`SVC_FAULTS_RUN=${directory}`);
      } catch {
        return false;
      }
    });
}

interface Execution {
  id: string;
  status: string;
}

async function settled(
  api: ApiCaller,
  ids: ReadonlySet<string>,
): Promise<{ problems: string[]; tookMs: number; statuses: Record<string, number> }> {
  const start = performance.now();
  let open: string[] = [...ids];
  let unknown: string[] = ['not looked yet'];
  const missing: string[] = [];
  const statuses: Record<string, number> = {};
  while ((open.length > 0 || unknown.length > 0) && performance.now() - start < SETTLE_MS) {
    const still: string[] = [];
    for (const id of open) {
      const { status, body } = await api.call('GET', `/v1/executions/${id}?include_attributes=status`);
      const found = (body as Execution | null)?.status ?? '';
      if (status === 404) missing.push(id);
      else if (TERMINAL.includes(found)) statuses[found] = (statuses[found] ?? 0) + 1;
      else still.push(id);
    }
    open = still;
    // Requests whose answer was lost with the process were stored all the same, and run as well.
    const { body } = await api.call('GET', `/v1/executions?status=${OPEN.join(',')}&include_attributes=status`);
    unknown = (body as Execution[]).map(({ id }) => id).filter((id) => !ids.has(id));
    if (open.length > 0 || unknown.length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const problems = [
    ...missing.map((id) => `accepted, but not in the history: ${id}`),
    ...[...open, ...unknown].map((id) => `not ended ${SETTLE_MS} ms after the restart: ${id}`),
  ];
  return { problems, tookMs: performance.now() - start, statuses };
}

/** No command may have started twice, and one that is recorded as succeeded must have reached its end. */
function journalProblems(journal: string): string[] {
  if (!existsSync(journal)) return [];
  const starts = new Map<string, number>();
  for (const line of readFileSync(journal, 'utf8').split('\n')) {
    const [word, id] = line.split(' ');
    if (word === 'start' && id) starts.set(id, (starts.get(id) ?? 0) + 1);
  }
  return [...starts].filter(([, count]) => count > 1).map(([id, count]) => `started ${count} times: ${id}`);
}

async function round(
  number: number,
  directory: string,
  random: () => number,
): Promise<{ problems: string[]; line: string }> {
  const environment = { SVC_FAULTS_RUN: directory };
  const journal = join(directory, `journal-${number}`);
  const first = await startSystem({ directory, environment });
  const api = await login(first.api, first.auth);
  const load = startLoad(api, journal, random);
  await new Promise((resolve) => setTimeout(resolve, 200 + random() * 1500));
  await first.stop({ signal: 'SIGKILL', keepData: true });
  await load.stop();
  api.close();

  const restart = performance.now();
  const second: SystemProcess = await startSystem({ directory, environment });
  const startedMs = performance.now() - restart;
  const again = await login(second.api, second.auth);
  const { problems, tookMs, statuses } = await settled(again, load.accepted);
  const strays = descendants(directory);
  again.close();
  await second.stop({ keepData: true });
  const left = descendants(directory);
  return {
    problems: [
      ...problems,
      ...journalProblems(journal),
      ...strays.map((pid) => `a process of an execution still lives after recovery: ${pid}`),
      ...left.map((pid) => `a process of an execution outlived the system: ${pid}`),
    ],
    line: `${load.accepted.size} accepted; up again after ${startedMs.toFixed(0)} ms, all ended ${tookMs.toFixed(0)} ms later: ${JSON.stringify(statuses)}`,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, seed: { type: 'string', default: '1' } },
  });
  const rounds = Number(values.rounds);
  const seed = Number(values.seed);
  const random = randomFrom(seed);
  const directory = mkdtempSync(join(tmpdir(), 'svc-faults-'));
  writeFileSync(join(directory, 'problems'), '');
  let failed = 0;
  for (let number = 1; number <= rounds; number++) {
    const { problems, line } = await round(number, directory, random);
    console.log(`round ${number}: ${line}`);
    for (const problem of problems) {
      console.log(`    ${problem}`);
      appendFileSync(join(directory, 'problems'), `round ${number}: ${problem}\n`);
    }
    if (problems.length > 0) failed++;
  }
  if (failed === 0) rmSync(directory, { recursive: true, force: true });
  else console.log(`The data of the failed run is in ${directory}; replay with --seed ${seed} --rounds ${rounds}.`);
  console.log(`${rounds - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
