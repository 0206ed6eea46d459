import { deferred, type Deferred } from '@switchyard/base';
import { createClient, type Client, type Execution } from '@switchyard/client';
import { login, type ApiCaller } from '../api-caller';
import { startCluster } from '../cluster-process';
import { namesOnGivenServers, type ServersOfTest } from '../servers-of-test';
import { startSystem, type SystemProcess } from '../system-process';

export const MINUTES = 60_000;

export interface Ended extends Execution {
  // Results of any shape, so that tests need no casts.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  result: any;
}

export type Parameters = Record<string, unknown>;

/** A system that runs examples, and its user, who approves every inquiry. */
export interface Site {
  readonly client: Client;
  readonly api: ApiCaller;
  /** The directory of its files. */
  readonly directory: string;
  /** Requests an action of the pack, by its name. @returns the id of its execution */
  start(name: string, parameters?: Parameters): Promise<string>;
  /** Resolves with the first announced state of an execution that satisfies the condition, past states included. */
  until(holds: (execution: Ended) => boolean): Promise<Ended>;
  /** Waits for the end of an execution. A pause is not an end. */
  endOf(id: string): Promise<Ended>;
  run(name: string, parameters?: Parameters): Promise<Ended>;
  close(): Promise<void>;
}

/** On the embedded drivers, unless SVC_TEST_MONGODB_URL and SVC_TEST_AMQP_URL name servers. */
export async function openSite(): Promise<Site> {
  const servers = await namesOnGivenServers();
  const system = servers ? await startOnServers(servers) : await startSystem();
  const client = await clientOf(system);
  const api = await login(system.api, system.auth);
  const following = new AbortController();
  const { until, followed } = await follow(client, following.signal);
  const start: Site['start'] = async (name, parameters = {}) =>
    (await client.executions.create({ action: `examples.${name}`, parameters })).id;
  const endOf = (id: string) => until((execution) => execution.id === id && execution.end_timestamp !== undefined);
  return {
    client,
    api,
    directory: system.directory,
    start,
    until,
    endOf,
    run: async (name, parameters) => endOf(await start(name, parameters)),
    async close() {
      following.abort();
      await followed;
      api.close();
      await system.stop();
    },
  };
}

type Addresses = Pick<SystemProcess, 'api' | 'auth' | 'stream' | 'directory' | 'stop'>;

async function startOnServers(servers: ServersOfTest): Promise<Addresses> {
  const cluster = await startCluster(servers);
  return {
    ...cluster,
    async stop() {
      await cluster.stop();
      await servers.remove();
    },
  };
}

async function clientOf({ api, auth, stream }: Addresses): Promise<Client> {
  const options = { apiUrl: `${api}/v1`, authUrl: auth, streamUrl: `${stream}/v1` };
  const { token } = await createClient(options).tokens.create({ user: 'testu', password: 'testp' });
  return createClient({ ...options, token });
}

/** Follows all executions and answers their inquiries. */
async function follow(client: Client, signal: AbortSignal) {
  const seen = new Map<string, Ended[]>();
  const waiting = new Set<{ holds: (execution: Ended) => boolean; found: Deferred<Ended> }>();
  const answered = new Set<string>();
  const connected = deferred<void>();
  const events = client.events({ events: ['st2.execution__update'], onConnected: connected.resolve, signal });
  const read = async () => {
    for await (const { data } of events) {
      const execution = data as Ended;
      seen.set(execution.id, [...(seen.get(execution.id) ?? []), execution]);
      for (const { holds, found } of waiting) if (holds(execution)) found.resolve(execution);
      // Updates can announce the same inquiry again.
      if (execution.status !== 'pending' || answered.has(execution.id)) continue;
      answered.add(execution.id);
      await client.inquiries.respond(execution.id, answerTo(execution));
    }
  };
  const followed = read().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  await connected.promise;
  const until: Site['until'] = async (holds) => {
    const known = [...seen.values()].flat().find(holds);
    if (known) return known;
    const waiter = { holds, found: deferred<Ended>() };
    waiting.add(waiter);
    return waiter.found.promise.finally(() => waiting.delete(waiter));
  };
  return { until, followed };
}

const ANSWERS: Readonly<Record<string, unknown>> = { boolean: true, integer: 2, string: 'because' };

/** A value for every requested field. */
function answerTo({ parameters }: Execution): Record<string, unknown> {
  const { properties = {} } = (parameters?.['schema'] ?? {}) as { properties?: Record<string, { type: string }> };
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, ANSWERS[type]]));
}
