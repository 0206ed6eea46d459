import { dropQueues, openTestSite } from '@switchyard/testkit/platform';
import { missingServer, startRealServers } from './real-servers';

/** Servers for a cluster of services, and the name that its database and queues get on them. */
export interface ServersOfTest {
  readonly mongoUrl: string;
  readonly amqpUrl: string;
  readonly name?: string;
  /** Removes what the test has on them, or the servers themselves. */
  remove(): Promise<void>;
}

/** The addresses in SVC_TEST_MONGODB_URL and SVC_TEST_AMQP_URL, unless one is missing. */
function givenServers(): { readonly mongoUrl: string; readonly amqpUrl: string } | undefined {
  const { SVC_TEST_MONGODB_URL: mongoUrl, SVC_TEST_AMQP_URL: amqpUrl } = process.env;
  return mongoUrl === undefined || amqpUrl === undefined ? undefined : { mongoUrl, amqpUrl };
}

/** Whether the given servers are to be verified. In CI they are busy with other tests, so that large systems get servers of their own. */
const isVerifying = (): boolean => process.env['SVC_TEST_SITES'] !== undefined;

/** What is missing for `openServersOfTest`, or undefined. */
export const missingForTest = (): string | undefined => (isVerifying() ? undefined : missingServer());

/** Servers for a large system: the given ones if they are to be verified, else new ones. */
export async function openServersOfTest(): Promise<ServersOfTest> {
  return (isVerifying() ? await namesOnGivenServers() : undefined) ?? startedServers();
}

/** Names on the servers in the environment. @returns undefined if it names none */
export async function namesOnGivenServers(): Promise<ServersOfTest | undefined> {
  const given = givenServers();
  if (!given) return undefined;
  const site = await openTestSite();
  const name = site.config.database.db_name;
  const remove = async () => {
    await site.remove();
    // The prefix of the site may be another one.
    await dropQueues(given.amqpUrl, name);
  };
  return { ...given, name, remove };
}

async function startedServers(): Promise<ServersOfTest> {
  const { mongo, rabbit, remove } = await startRealServers();
  return { mongoUrl: mongo.url, amqpUrl: rabbit.url, remove };
}
