// `npm run verify:servers -- mongodb://… amqp://…`: runs the tests of services on servers that somebody else runs. Every test takes a
// database, exchanges and queues with a random name, which are removed afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeBroker, describeStore, readNamedServers, removeLeftOvers, type NamedServers } from './named-servers';
import { ROOT } from './system-process';

async function main(): Promise<void> {
  const servers = readNamedServers(process.argv.slice(2));
  console.log(await describeStore(servers.mongoUrl));
  console.log(await describeBroker(servers.amqpUrl));
  const directory = mkdtempSync(join(tmpdir(), 'svc-verify-'));
  const names = join(directory, 'names');
  writeFileSync(names, '');
  try {
    process.exitCode = await runTests(servers, names);
  } finally {
    console.log(`Removed what ${await removeLeftOvers(servers, names)} tests had on the servers.`);
    rmSync(directory, { recursive: true });
  }
}

/** @returns the exit code of the tests */
async function runTests({ mongoUrl, amqpUrl }: NamedServers, names: string): Promise<number> {
  const env = {
    ...process.env,
    SVC_TEST_MONGODB_URL: mongoUrl,
    SVC_TEST_AMQP_URL: amqpUrl,
    SVC_TEST_SITES: names,
    SVC_TEST_SERVERS: 'required',
  };
  const words = [join(ROOT, 'scripts/test.mjs'), '--side=given-servers'];
  // In a process group, so that a signal ends everything that the tests have started.
  const tests = spawn(process.execPath, words, { env, stdio: 'inherit', detached: true });
  const end = () => void process.kill(-(tests.pid as number), 'SIGKILL');
  for (const signal of SIGNALS) process.on(signal, end);
  const [code] = (await once(tests, 'exit')) as [number | null];
  for (const signal of SIGNALS) process.off(signal, end);
  return code ?? 1;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

main().catch((error: unknown) => {
  console.error(`ERROR: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
