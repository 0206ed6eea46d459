// `npm run test:hostile -- [--against process|services] [--scale N] [--rounds N] [--requests N] [--seed S] [--only
// NAME] [--request N]`: attacks a real system and watches its health, memory and processes. Then it sends invalid
// requests to every operation of the API document. Exits with 1 if the system did not withstand everything.
import { parseArgs } from 'node:util';
import { exitWhenTold } from '../system/ends-with-us';
import type { Attack } from './attack';
import { ATTACKS } from './attacks';
import { openFuzzer } from './fuzz/fuzz';
import { measured, type Measurable, type Measured } from './measured';
import { openRun, type Against, type Run } from './open-run';
import { beyondGoal, goal, HEADING, lineOf } from './report';
import { heldBy } from './target/memory';
import { warmUp } from './warm-up';

const REQUESTS = 20_000;
/** The share of the requests that is sent before memory is measured. */
const WARM_SHARE = 0.1;
const WARM_MOST = 500;

interface Arguments {
  readonly against: Against;
  readonly scale: number;
  readonly rounds: number;
  readonly requests: number;
  readonly seed: number;
  readonly attacks: readonly Attack[];
  /** The only request to send. */
  readonly request?: number;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      against: { type: 'string', default: 'process' },
      scale: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '1' },
      requests: { type: 'string' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      request: { type: 'string' },
    },
  });
  const { against, only, request } = values;
  if (against !== 'process' && against !== 'services') {
    throw new Error(`--against: expected process or services, got "${against}"`);
  }
  const scale = number('scale', values.scale, (given) => given > 0 && given <= 1, 'a number above 0 and up to 1');
  return {
    against,
    scale,
    rounds: whole('rounds', values.rounds, 1),
    requests: whole('requests', values.requests ?? String(only === undefined ? Math.round(REQUESTS * scale) : 0), 0),
    seed: whole('seed', values.seed),
    attacks: request === undefined ? chosen(only) : [],
    ...(request !== undefined && { request: whole('request', request, 0) }),
  };
}

function chosen(only: string | undefined): readonly Attack[] {
  if (only === undefined) return ATTACKS;
  if (only === 'nothing') return [];
  const found = ATTACKS.filter(({ name }) => name.includes(only));
  if (found.length > 0) return found;
  throw new Error(
    `--only: expected a part of ${ATTACKS.map(({ name }) => name).join(', ')}, or nothing; got "${only}"`,
  );
}

const whole = (option: string, given: string, least = -Infinity): number =>
  number(option, given, (value) => Number.isInteger(value) && value >= least, 'a whole number');

function number(option: string, given: string, fits: (value: number) => boolean, expected: string): number {
  const value = Number(given);
  if (given !== '' && fits(value)) return value;
  throw new Error(`--${option}: expected ${expected}, got "${given}"`);
}

async function main(): Promise<void> {
  const given = readArguments();
  console.log(`Against ${given.against} at scale ${given.scale}, seed ${given.seed}.`);
  const run = await openRun(given.against, given.scale);
  const all: Measured[] = [];
  const tell = (each: Measured) => {
    all.push(each);
    console.log(lineOf(each));
    if (each.note !== undefined) console.log(`    ${each.note}`);
    for (const problem of each.problems.slice(0, SHOWN)) console.log(`    ! ${problem}`);
    if (each.problems.length > SHOWN) console.log(`    ! and ${each.problems.length - SHOWN} more`);
  };
  try {
    await warmUp(run.setting);
    console.log(HEADING);
    let held = await heldBy(run.setting.target.processes());
    const atFirst = [...held.values()];
    const next = async (attack: Omit<Measurable, 'before'>) => {
      const outcome = await measured(run, { ...attack, before: held });
      tell(outcome);
      held = outcome.growth.held;
    };
    await next({ name: 'nothing', act: () => ordinary(run) });
    for (let round = 0; round < given.rounds; round++) {
      for (const attack of given.attacks) {
        await next({ ...attack, act: () => attack.run(run.setting) });
        if (!attack.restarts) continue;
        await warmUp(run.setting);
        held = await heldBy(run.setting.target.processes());
      }
    }
    if (given.requests > 0 || given.request !== undefined) {
      const outcome = await fuzzed(run, given);
      tell(outcome);
      held = outcome.growth.held;
    }
    console.log(`Held after the warm-up ${total(atFirst)} MB, at the end ${total([...held.values()])} MB.`);
    conclude(all, run.leaks());
  } finally {
    await run.close();
  }
}

const total = (megabytes: readonly number[]): number => megabytes.reduce((sum, each) => sum + each, 0);

const SHOWN = 20;
const QUIET_MS = 3000;

/** The probe's measurements without an attack. */
async function ordinary({ setting: { api } }: Run) {
  const deadline = Date.now() + QUIET_MS;
  while (Date.now() < deadline) await api.call('GET', '/api/v1/actions?limit=1');
  return { problems: [] };
}

async function fuzzed(run: Run, { seed, requests, request }: Arguments): Promise<Measured> {
  const fuzzer = openFuzzer(run.setting);
  await fuzzer.prepare();
  const from = request ?? 0;
  const to = request === undefined ? requests : request + 1;
  const warm = request === undefined ? Math.min(WARM_MOST, Math.round(requests * WARM_SHARE)) : 0;
  const first = await fuzzer.run({ seed, from, to: from + warm });
  const before = await heldBy(run.setting.target.processes());
  return measured(run, {
    name: 'fuzzed requests',
    before,
    async act() {
      const rest = await fuzzer.run({ seed, from: from + warm, to });
      return { ...rest, problems: [...first.problems, ...rest.problems] };
    },
  });
}

function conclude(all: readonly Measured[], leaks: readonly string[]): void {
  for (const leak of leaks) console.log(`A planted secret came back: ${leak}.`);
  const beyond = beyondGoal(all);
  if (beyond.length > 0) console.log(`/healthz or a turn of an event loop took longer than the goal of ${goal}:`);
  for (const line of beyond) console.log(`    ${line}`);
  const failed = all.filter(({ problems }) => problems.length > 0).length + (leaks.length > 0 ? 1 : 0);
  console.log(`${all.length + 1 - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

exitWhenTold();
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
