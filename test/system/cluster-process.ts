import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endsWithUs } from './ends-with-us';
import type { SystemProcess } from './system-process';
import { freePorts, htpasswd, installPacks, ROOT } from './system-process';

/** A process of one service, or of several. */
export interface StartOptions {
  /** The root of the compiled checkout to run from now on. */
  readonly checkout?: string | undefined;
  /** More environment variables for this time. */
  readonly more?: Readonly<Record<string, string>> | undefined;
}

export interface ServiceProcess {
  /** The service, or several with commas between them. */
  readonly name: string;
  /** The process, while it runs. */
  child: ChildProcess | undefined;
  start(options?: StartOptions): void;
  stop(signal?: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

/** All services, each in its own process, on real servers. */
export interface Cluster extends Pick<SystemProcess, 'api' | 'auth' | 'stream' | 'directory'> {
  readonly services: readonly ServiceProcess[];
  /** Adds a further process of a service that does not listen for clients. It is not started yet. */
  add(service: string): ServiceProcess;
  /** The database of the cluster on the MongoDB server. */
  readonly database: string;
  /** Waits until the API, auth and stream respond and an execution has run. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** The root of the compiled checkout to run. Default: this one. */
  checkout?: string;
  mongoUrl: string;
  amqpUrl: string;
  /** The name of the database and the prefix of the queues. Default: a random one. */
  name?: string | undefined;
  runners?: number;
  schedulers?: number;
  /** The number of workflow engines. */
  engines?: number;
  /** The services of each process, with commas between them, apart from further action runners. Default: one service each. */
  groups?: readonly string[];
  /** Directories of packs to install before the start. */
  packs?: readonly string[];
  config?: string;
  environment?: Record<string, string>;
  /** Further variables for single processes. @param index the position of the process among the services */
  environmentOf?: (service: string, index: number) => Record<string, string>;
}

const READY_MS = 180_000;

/** Starts all services at once, since none may depend on the start order. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { checkout = ROOT, runners = 1, schedulers = 1, engines = 1, environment, environmentOf } = options;
  const directory = mkdtempSync(join(tmpdir(), 'svc-cluster-'));
  const [api, auth, stream] = await freePorts(3);
  const name = options.name ?? `svc${Math.random().toString(36).slice(2, 8)}`;
  const configFile = join(directory, 'svc.conf');
  writeFileSync(join(directory, 'htpasswd'), htpasswd());
  installPacks(directory, api!, options.packs);
  writeFileSync(
    configFile,
    [
      `[system]\nbase_path = ${directory}`,
      `[storage]\ndriver = mongodb`,
      `[database]\nhost = ${options.mongoUrl}\ndb_name = ${name}`,
      `[messaging]\ndriver = rabbitmq\nurl = ${options.amqpUrl}\nprefix = ${name}`,
      `[api]\nport = ${api}`,
      `[auth]\nport = ${auth}\nbackend = flat_file\nbackend_kwargs = {"file_path": "${join(directory, 'htpasswd')}"}`,
      `[stream]\nport = ${stream}`,
      options.config ?? '',
    ].join('\n'),
  );
  const names = options.groups
    ? [...options.groups, ...Array<string>(runners - 1).fill('action-runner')]
    : [
        ...['auth', 'api', 'stream', 'notifier', 'timers', 'garbage-collector', 'rules-engine', 'sensor-container'],
        ...Array<string>(schedulers).fill('scheduler'),
        ...Array<string>(engines).fill('workflow-engine'),
        ...Array<string>(runners).fill('action-runner'),
      ];
  const services: ServiceProcess[] = [];
  const add = (service: string): ServiceProcess => {
    const index = services.length;
    const variables = { ...environment, ...environmentOf?.(service, index) };
    const added = serviceProcess({ checkout, configFile, log: join(directory, `${service}-${index}.log`) }, service, variables); // oxfmt-ignore
    services.push(added);
    return added;
  };
  for (const service of names) add(service).start();
  const cluster: Cluster = {
    api: `http://127.0.0.1:${api}`,
    auth: `http://127.0.0.1:${auth}`,
    stream: `http://127.0.0.1:${stream}`,
    directory,
    services,
    add,
    database: name,
    ready: () => untilReady([`http://127.0.0.1:${api}`, `http://127.0.0.1:${auth}`, `http://127.0.0.1:${stream}`]),
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
  try {
    await cluster.ready();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}

/** Starts a further process of a listening service of a cluster, on its own port. */
export async function startService(
  { directory }: Pick<Cluster, 'directory'>,
  name: 'auth' | 'api' | 'stream',
): Promise<ServiceProcess & { readonly url: string }> {
  const [port] = await freePorts(1);
  const shared = readFileSync(join(directory, 'svc.conf'), 'utf8');
  const configFile = join(directory, `${name}-${port}.conf`);
  writeFileSync(configFile, `${shared}\n[${name}]\nport = ${port}\n`);
  const service = serviceProcess({ checkout: ROOT, configFile, log: join(directory, `${name}-${port}.log`) }, name, {});
  service.start();
  const url = `http://127.0.0.1:${port}`;
  await untilReady([url]);
  return { ...service, url };
}

interface ProcessFiles {
  readonly checkout: string;
  readonly configFile: string;
  readonly log: string;
}

function serviceProcess(
  { checkout: first, configFile, log }: ProcessFiles,
  name: string,
  environment: Record<string, string>,
): ServiceProcess {
  let root = first;
  const service: ServiceProcess = {
    name,
    child: undefined,
    start({ checkout = root, more } = {}) {
      root = checkout;
      const program = join(root, 'services/all-in-one/dist/service-main.js');
      const output = openSync(log, 'a');
      service.child = spawn(process.execPath, [program, name, '--config-file', configFile], {
        env: { ...process.env, ...environment, ...more },
        stdio: ['ignore', output, output],
      });
      closeSync(output);
      endsWithUs(service.child);
    },
    async stop(signal = 'SIGTERM') {
      const { child } = service;
      service.child = undefined;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    signal(signal) {
      service.child?.kill(signal);
    },
  };
  return service;
}

async function untilReady(urls: readonly string[]): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (const url of urls) {
    for (;;) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      if (answer?.ok) break;
      if (Date.now() > deadline) throw new Error(`${url} is not ready: ${(await answer?.text()) ?? 'no answer'}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
