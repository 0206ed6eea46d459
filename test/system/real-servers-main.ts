// Starts servers for the behaviour tests, prints their addresses as shell assignments, and removes the servers on termination.
// With `--check` it only reports whether they can be started.
import { once } from 'node:events';
import { missingServer, startRealServers } from './real-servers';

async function main(): Promise<void> {
  const missing = missingServer();
  if (missing !== undefined) throw new Error(`There is no ${missing} here.`);
  if (process.argv.includes('--check')) return;
  const told = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  // Signal handlers alone do not keep the process alive.
  const alive = setInterval(() => undefined, 2 ** 30);
  const servers = await startRealServers();
  console.log(`export SVC_TEST_MONGODB_URL='${servers.mongo.url}'`);
  console.log(`export SVC_TEST_AMQP_URL='${servers.rabbit.url}'`);
  await told;
  await servers.remove();
  clearInterval(alive);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
