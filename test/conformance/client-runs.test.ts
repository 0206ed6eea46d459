import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT, startSystem, type SystemProcess } from '../system/system-process';
import { referenceClient } from './reference-client';
import { expectOutcome, replayWith } from './replay-outcome';

const RECORDED = join(ROOT, 'test/conformance/recorded/cli');
const MINUTES = 60_000;
/** The clients mostly wait for executions. */
const JOBS = 2 * availableParallelism();

const client = referenceClient();
if ('missing' in client) {
  if (process.env['SVC_TEST_SERVERS'] === 'required') throw new Error(client.missing);
  console.warn(`Skipped: the recorded runs of the reference's client, because ${client.missing}.`);
}

const describeRuns = 'missing' in client ? describe.skip : describe;

describeRuns("recorded runs of the reference's client", () => {
  let system: SystemProcess;
  beforeAll(async () => {
    system = await startSystem();
  }, 2 * MINUTES);
  afterAll(() => system.stop(), MINUTES);

  it(
    'print their recorded output, except for listed differences',
    async () => {
      const { api, auth, stream } = system;
      const addresses = ['--api', `${api}/v1`, '--auth', auth, '--stream', `${stream}/v1`];
      const files = readdirSync(RECORDED).filter((name) => name.endsWith('.jsonl'));
      const outcome = await replayWith('python3', [
        join(RECORDED, 'replay.py'),
        ...['--verbose', '--jobs', String(JOBS), '--python', 'python' in client ? client.python : ''],
        ...addresses,
        ...files.map((name) => join(RECORDED, name)),
      ]);
      expectOutcome('cli', outcome);
    },
    15 * MINUTES,
  );
});
