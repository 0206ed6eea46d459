import type { ChildProcess } from 'node:child_process';
import { userInfo } from 'node:os';
import { login, type ApiCaller } from '../system/api-caller';
import { missingServer, startRealServers, type RealServers } from '../system/real-servers';
import { startSystem } from '../system/system-process';
import { treeCpuSeconds } from './process-tree';
import type { ServiceCalls } from './service-calls';
import { startServices } from './services-target';

/** A system under test. */
export interface Target {
  /** Its name in tables and lines. */
  readonly label: string;
  /** Base addresses, which `/v1/…` follows. */
  readonly api: string;
  readonly stream: string;
  login(): Promise<ApiCaller>;
  /** Absent for a system that the bench has not started. */
  readonly local?: LocalSystem;
  stop(): Promise<void>;
}

/** Operations on a system that the bench has started. */
export interface LocalSystem {
  /** The root of the checkout that it runs. */
  readonly checkout: string;
  readonly processes: readonly BenchedProcess[];
  readonly store: LocalStore;
  /**
   * Stops all processes and starts them again with their data. @param environment further variables for this start
   * @returns the start of each of them
   */
  restart(whileStopped?: () => Promise<void>, environment?: ExtraVariables): Promise<ReadonlyMap<string, ProcessStart>>;
  /** Starts or stops processes of a service until this many run, and waits until they are ready. On servers only. */
  readonly resize?: (service: string, count: number, environment?: ExtraVariables) => Promise<void>;
  /** The processes of the store and of the broker. On servers only. */
  readonly servers?: readonly BenchedProcess[];
  /** The calls of each process since the last query, if it was started to count them. */
  readonly calls?: () => ServiceCalls[];
}

/** Variables of the environment, such as options. */
export type ExtraVariables = Readonly<Record<string, string>>;

/** What it took until a process was ready. */
export interface ProcessStart {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export interface BenchedProcess {
  readonly name: string;
  readonly pid: number;
}

/** The location of the records. */
export type LocalStore =
  | { readonly driver: 'embedded'; readonly directory: string }
  | { readonly driver: 'mongodb'; readonly url: string; readonly database: string };

export interface OpenOptions {
  readonly label: string;
  readonly checkout: string;
  readonly runners: number;
  /** Whether calls of the store and the broker are counted, which takes CPU time. */
  readonly counted?: boolean;
  /** The services of each process. Default: one each. */
  readonly groups?: readonly string[];
}

export const pidsOf = ({ local }: Target): number[] => local?.processes.map(({ pid }) => pid) ?? [];

/** @throws Error if the target is at an address */
export function localOf({ local, label }: Target): LocalSystem {
  if (local === undefined) throw new Error(`This needs a system that the bench has started, and not ${label}.`);
  return local;
}

export const pidOf = (child: ChildProcess | undefined): number => child?.pid ?? 0;

/** @param start the time at which the process was started, of `performance.now()` */
export const startSince = (start: number, pid: number): ProcessStart => ({
  seconds: (performance.now() - start) / 1000,
  cpuSeconds: treeCpuSeconds([pid]),
});

/** Starts systems on one kind of drivers. */
export interface Targets {
  open(options: OpenOptions): Promise<Target>;
  /** Stops the servers that the systems share. */
  close(): Promise<void>;
}

/** Commands run as the user of the system, so `/bin/sh` runs them, as it does in the bare loop, and not bash. */
export const OWN_USER: ExtraVariables = { SVC_SYSTEM_USER__USER: userInfo().username };

/** Systems of one process on the embedded drivers. */
export const embeddedTargets = (): Targets => ({ open: openEmbeddedSystem, close: () => Promise.resolve() });

/** Systems with a process for each service, on the same RabbitMQ and the same server with the MongoDB protocol. */
export async function serversTargets(): Promise<Targets> {
  const servers = await startServers();
  return { open: (options) => startServices(servers, options), close: () => servers.remove() };
}

async function startServers(): Promise<RealServers> {
  const missing = missingServer();
  if (missing !== undefined) throw new Error(`${missing} is needed for --target servers.`);
  return startRealServers();
}

async function openEmbeddedSystem({ label, checkout }: OpenOptions): Promise<Target> {
  let system = await startSystem({ checkout, environment: OWN_USER });
  const { directory } = system;
  return {
    label,
    get api() {
      return system.api;
    },
    get stream() {
      return system.stream;
    },
    login: () => login(system.api, system.auth),
    local: {
      checkout,
      get processes() {
        return [{ name: 'system', pid: pidOf(system.child) }];
      },
      store: { driver: 'embedded', directory: `${directory}/store` },
      async restart(whileStopped, environment = {}) {
        await system.stop({ keepData: true });
        await whileStopped?.();
        const start = performance.now();
        system = await startSystem({ directory, checkout, environment: { ...OWN_USER, ...environment } });
        return new Map([['system', startSince(start, pidOf(system.child))]]);
      },
    },
    stop: () => system.stop(),
  };
}
