import { startCluster } from '../system/cluster-process';
import { missingServer, startRealServers } from '../system/real-servers';
import { startSystem } from '../system/system-process';

/** A system under test. */
export interface Target {
  readonly api: string;
  readonly auth: string;
  /** Its base path, which contains the packs. */
  readonly directory: string;
  /** The processes of the system, without the servers. */
  pids(): number[];
  stop(): Promise<void>;
}

/** Everything in one process on the embedded drivers. */
export async function embeddedTarget(): Promise<Target> {
  const system = await startSystem();
  const { api, auth, directory } = system;
  return { api, auth, directory, pids: () => [system.child.pid ?? 0], stop: () => system.stop() };
}

/** Each service in its own process, on RabbitMQ and a server with the MongoDB protocol. */
export async function serversTarget(runners: number): Promise<Target> {
  const missing = missingServer();
  if (missing !== undefined) throw new Error(`${missing} is needed for --target servers.`);
  const servers = await startRealServers();
  const options = { mongoUrl: servers.mongo.url, amqpUrl: servers.rabbit.url, runners };
  const cluster = await startCluster(options).catch(async (error: unknown) => {
    await servers.remove();
    throw error;
  });
  return {
    api: cluster.api,
    auth: cluster.auth,
    directory: cluster.directory,
    pids: () => cluster.services.flatMap(({ child }) => (child?.pid === undefined ? [] : [child.pid])),
    async stop() {
      await cluster.stop();
      await servers.remove();
    },
  };
}
