import { spawnSync } from 'node:child_process';
import { openTestSite, type TestSite } from '@switchyard/testkit/platform';
import { missingServer, startRealServers } from '../system/real-servers';

/** Set before any test: later the variables may name servers of a test's own. */
const isGiven = ['SVC_TEST_MONGODB_URL', 'SVC_TEST_AMQP_URL'].every((name) => process.env[name] !== undefined);

/** Whether there are servers for a site; says in one line what is left out without them. */
export function hasServers(purpose: string): boolean {
  const missing = isGiven ? undefined : missingServer();
  if (missing !== undefined) process.stderr.write(`${missing} is not installed: ${purpose} left out.\n`);
  return missing === undefined;
}

/** A site on the given servers, or on servers of its own. */
export async function openSiteOnServers(): Promise<TestSite> {
  if (isGiven) return openTestSite();
  const servers = await startRealServers();
  process.env['SVC_TEST_MONGODB_URL'] = servers.mongo.url;
  process.env['SVC_TEST_AMQP_URL'] = servers.rabbit.url;
  const site = await openTestSite();
  return {
    ...site,
    async remove() {
      await site.remove();
      await servers.remove();
    },
  };
}

export const ACCOUNT = { user: 'admin', password: 'a-good-one' };

/** A file of accounts with the one above, made like in the first lines of docker-compose.yml. */
export function htpasswd(): string {
  const { stdout, stderr } = spawnSync('openssl', ['passwd', '-6', '-stdin'], {
    input: ACCOUNT.password,
    encoding: 'utf8',
  });
  if (!stdout.startsWith('$6$')) throw new Error(`openssl: ${stderr}`);
  return `${ACCOUNT.user}:${stdout.trim()}\n`;
}
