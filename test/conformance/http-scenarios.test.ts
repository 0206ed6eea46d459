import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startCluster } from '../system/cluster-process';
import { missingServer, serversMissing, startRealServers } from '../system/real-servers';
import { ROOT, startSystem, USUAL_API, type SystemProcess } from '../system/system-process';
import { expectOutcome, notExpected, recordedSets, replayWith } from './replay-outcome';

const RECORDED = join(ROOT, 'test/conformance/recorded/http');

const MINUTES = 60_000;

/** What the recorded system had besides what ships. */
const packs = [join(RECORDED, '../packs/conformance')];
const environment = { SVC_SYSTEM__VALIDATE_OUTPUT_SCHEMA: 'true' };

/** What the scenarios are replayed against: the same services, on either side of the drivers. */
interface Side extends Pick<SystemProcess, 'api' | 'auth' | 'stream'> {
  end(): Promise<void>;
}

async function embeddedSide(): Promise<Side> {
  const system = await startSystem({ packs, environment });
  return { ...system, end: () => system.stop() };
}

async function serverSide(): Promise<Side> {
  const servers = await startRealServers();
  const cluster = await startCluster({
    mongoUrl: servers.mongo.url,
    amqpUrl: servers.rabbit.url,
    runners: 3,
    schedulers: 3,
    engines: 2,
    packs,
    environment,
  });
  return {
    ...cluster,
    async end() {
      await cluster.stop();
      await servers.remove();
    },
  };
}

const sides: [string, () => Promise<Side>][] = [['embedded drivers', embeddedSide]];
const missing = missingServer();
if (missing === undefined) sides.push(['RabbitMQ and MongoDB, each service a process', serverSide]);

const TESTS = 'recorded answers of the reference';

if (missing !== undefined) serversMissing(missing);
describe.each(sides)(`${TESTS} on %s`, (_, open) => {
  let side: Side;
  beforeAll(async () => {
    side = await open();
  }, 2 * MINUTES);
  afterAll(() => side.end(), MINUTES);

  it.each(recordedSets.filter((set) => set.endsWith('.jsonl')))(
    'of %s are given, less those that are listed',
    async (file) => {
      const scenarios = prepared(join(RECORDED, file), notExpected(file), side.api);
      const { api, auth, stream } = side;
      const addresses = ['--api', api, '--auth', auth, '--stream', stream];
      const program = join(RECORDED, 'replay.mjs');
      expectOutcome(file, await replayWith(process.execPath, [program, '--verbose', ...addresses, scenarios]));
    },
    15 * MINUTES,
  );
});

/**
 * The scenarios of a file, for one run: those that are not expected to pass do not wait long for what will not come.
 * @returns the path of the file to replay
 */
function prepared(file: string, listed: ReadonlySet<string>, api: string): string {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shortened = lines.map((line) => {
    const scenario = JSON.parse(line) as { name: string; steps: { within?: number }[] };
    if (listed.has(scenario.name)) for (const step of scenario.steps) step.within = 0.5;
    return JSON.stringify(scenario).replaceAll(USUAL_API, new URL(api).host);
  });
  const copy = join(mkdtempSync(join(tmpdir(), 'svc-scenarios-')), basename(file));
  writeFileSync(copy, `${shortened.join('\n')}\n`);
  return copy;
}
