// `node scripts/run.mjs test/dist/deploy/record-levels-main.js LOAD`: starts a system whose pool has 40 slots, gives it the load in its own
// time (up to an hour), and writes what `/metrics` says about the pool to test/deploy/recorded-levels, until everything has ended.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { exitWhenTold } from '../system/ends-with-us';
import { login } from '../system/api-caller';
import { startSystem } from '../system/system-process';
import { LOAD_NAMES, LOADS, shortSeconds, type LoadName } from './pool-loads';
import { recordedFile, type RecordedLevels } from './recorded-levels';

const SLOTS = 40;
/** Schedulers measure in longer intervals. */
const LOOK_MS = 200;
/** Longer than such an interval. */
const MEASURED_SECONDS = 15;
const SECOND_MS = 1000;

async function record(load: LoadName): Promise<RecordedLevels> {
  const system = await startSystem({ config: `[actionrunner]\nactions_pool_size = ${SLOTS}` });
  const api = await login(system.api, system.auth);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / SECOND_MS;
  const changes: [number, number, number, number][] = [];
  let submittedAt = Infinity;
  const submitting = submit(LOADS[load], seconds, async (number) => {
    const parameters = { cmd: `sleep ${shortSeconds(number)}` };
    const { status } = await api.call('POST', '/v1/executions', { action: 'core.local', parameters });
    if (status !== 201) throw new Error(`execution ${number} was refused with status ${status}`);
  }).then(() => (submittedAt = seconds()));
  for (;;) {
    const page = await (await fetch(`${system.api}/metrics`)).text();
    const now = ['waiting', 'active', 'waiting_age_seconds'].map((name) => round(levelIn(page, `svc_pool_${name}`)));
    if (String(now) !== String(changes.at(-1)?.slice(1))) changes.push([round(seconds()), ...now] as (typeof changes)[0]); // oxfmt-ignore
    if (seconds() > submittedAt + MEASURED_SECONDS && now.every((level) => level === 0)) break;
    await wait(LOOK_MS);
  }
  await submitting;
  api.close();
  await system.stop();
  return { slots: SLOTS, changes };
}

/** Those of a second are spread over it. */
async function submit(
  arrivals: readonly number[],
  seconds: () => number,
  one: (number: number) => Promise<void>,
): Promise<void> {
  const submitted: Promise<void>[] = [];
  for (const [at, count] of arrivals.entries())
    for (let part = 0; part < count; part++) {
      await wait(Math.max(0, at + part / count - seconds()) * SECOND_MS);
      submitted.push(one(submitted.length));
    }
  await Promise.all(submitted);
}

const levelIn = (page: string, metric: string): number =>
  Number(new RegExp(`^${metric}\\{pool="default"\\} (\\S+)$`, 'm').exec(page)?.[1] ?? 0);

const round = (value: number): number => Math.round(value * 10) / 10;

async function main(): Promise<void> {
  const [load] = process.argv.slice(2) as [LoadName | undefined];
  if (load === undefined || !LOAD_NAMES.includes(load))
    throw new Error(`expected one of ${LOAD_NAMES.join(', ')}, got "${load ?? ''}"`);
  const file = recordedFile(load);
  const recorded = await record(load);
  mkdirSync(dirname(file), { recursive: true });
  const lines = recorded.changes.map((change) => `    ${JSON.stringify(change)}`).join(',\n');
  writeFileSync(file, `{\n  "slots": ${recorded.slots},\n  "changes": [\n${lines}\n  ]\n}\n`);
  console.log(`${recorded.changes.length} changes in ${file}`);
}

exitWhenTold();
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
