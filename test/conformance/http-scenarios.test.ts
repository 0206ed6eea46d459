import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startCluster } from '../system/cluster-process';
import { missingServer, serversMissing, startRealServers } from '../system/real-servers';
import { ROOT, startSystem, USUAL_API, type SystemProcess } from '../system/system-process';

const RECORDED = join(ROOT, 'test/conformance/recorded/http');

/** Scenarios that need what is not built yet, or that differ on purpose (docs/compatibility.md says why), by file. */
const expectations = JSON.parse(readFileSync(join(__dirname, 'not-expected.json'), 'utf8')) as Record<
  string,
  { later: Record<string, string[]>; different: Record<string, string> }
>;

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

  it.each(Object.keys(expectations))(
    'of %s are given, less those that are listed',
    async (file) => {
      const { later, different } = expectations[file] ?? { later: {}, different: {} };
      const listed = new Set([...Object.values(later).flat(), ...Object.keys(different)]);
      const outcome = await replay(side, prepared(join(RECORDED, file), listed, side.api));
      const unexpectedFailures = outcome.failed.filter(({ name }) => !listed.has(name));
      const unexpectedPasses = outcome.passed.filter((name) => listed.has(name));
      console.info(`${file}: ${outcome.passed.length} passed, ${listed.size} not expected to pass`);
      expect(unexpectedFailures.map(({ report }) => report)).toEqual([]);
      expect(unexpectedPasses).toEqual([]);
      expect(outcome.passed.length).toBeGreaterThan(0);
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

interface Outcome {
  passed: string[];
  failed: { name: string; report: string }[];
}

async function replay({ api, auth, stream }: Side, file: string): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    [join(RECORDED, 'replay.mjs'), '--verbose', '--api', api, '--auth', auth, '--stream', stream, file],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await new Promise((done) => child.once('close', done));
  const blocks = printed.split(/^(?=ok |not ok )/m);
  return {
    passed: blocks.filter((block) => block.startsWith('ok ')).map((block) => /^ok (\S+)/.exec(block)?.[1] ?? ''),
    failed: blocks
      .filter((block) => block.startsWith('not ok '))
      .map((block) => ({ name: /^not ok (\S+)/.exec(block)?.[1] ?? '', report: block.slice(0, 1500) })),
  };
}
