import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestServer } from '../system/test-server';
import { acceptsWrites } from './accepts-writes';
import { outOfMemory } from './action-memory';
import { fakeClock } from './fake-clock';
import type { NetworkPath } from './network-path';
import type { Work } from './loads/load';
import { limitOfDescriptors, openDescriptors, setLimitOfDescriptors } from './process-limits';
import { SERVER_NAMES, type ServerName, type Site, type SiteProcess } from './site/site';

/** Finds what a fault has left, once everything has ended. */
export type AfterFault = () => Promise<string[]>;

/** A kind of fault, for each part of a site that it can happen to. */
export interface FaultKind {
  readonly name: string;
  /** Whether recorded times are wrong afterwards. */
  readonly jumps?: true;
  /** How much more often than others it happens. */
  readonly weight?: number;
  readonly subjects: (site: Site) => readonly FaultSubject[];
}

export interface FaultSubject {
  readonly name: string;
  /** Resolves when the fault is over. */
  readonly happen: (work: Work) => Promise<void | AfterFault>;
}

const AWAY_MS = 1500;
/** Longer than the lease of a process, so that the others consider it dead. */
const LONG_MS = 8000;
/** Long enough for every process to meet the fault, and short enough for many rounds. */
const WHILE_MS = 4000;
const SLOW_MS = { least: 20, most: 300 };
/** Of jumps of a clock. */
const SECONDS = { least: 5, most: 3600 };
/** Descriptors that a process may open before it has none left. */
const SPARE_DESCRIPTORS = 2;

export const FAULTS: readonly FaultKind[] = [
  { name: 'kill -9', weight: 3, subjects: ofProcesses((process, { random }) => crash(process, random() * AWAY_MS)) },
  { name: 'SIGSTOP', subjects: ofProcesses(freeze) },
  { name: 'kill -9', weight: 2, subjects: ofServers(restart) },
  { name: 'connections cut', subjects: ofPaths(async (path, random) => path.cut(random * AWAY_MS)) },
  { name: 'silent connections', subjects: ofPaths((path) => path.silence(LONG_MS)) },
  { name: 'half-open connections', subjects: ofPaths(async (path) => path.abandon()) },
  { name: 'slow connections', subjects: ofPaths((path, random) => path.delay(between(SLOW_MS, random), WHILE_MS)) },
  { name: 'partition', weight: 2, subjects: ofOwnPaths((path) => path.silence(LONG_MS)) },
  { name: 'half-open connections', subjects: ofOwnPaths(async (path) => path.abandon()) },
  { name: 'clock jumps forward', jumps: true, subjects: ofClocks(1) },
  { name: 'clock jumps back', jumps: true, subjects: ofClocks(-1) },
  { name: 'full disk', subjects: fullDisk },
  { name: 'no file descriptors', subjects: ofProcesses(withoutDescriptors) },
  { name: 'out of memory', subjects: () => [{ name: 'actions', happen: outOfMemory }] },
];

/** A fault that can happen to a site. */
export interface Fault extends FaultSubject {
  readonly jumps: boolean;
}

/** @param only text that the name of the fault must contain @throws Error if no such fault can happen here */
export function chooseFault(site: Site, random: () => number, only: string): Fault {
  const possible = FAULTS.map(({ name, jumps = false, weight = 1, subjects }) => ({
    weight,
    faults: subjects(site)
      .map((subject): Fault => ({ ...subject, name: `${name}: ${subject.name}`, jumps }))
      .filter((fault) => fault.name.includes(only)),
  })).filter(({ faults }) => faults.length > 0);
  const weighted = possible.flatMap(({ weight, faults }) => Array.from({ length: weight }, () => faults));
  const faults = weighted[Math.floor(random() * weighted.length)];
  const chosen = faults?.[Math.floor(random() * faults.length)];
  if (!chosen) throw new Error(`--fault: no fault with "${only}" in its name can happen here`);
  return chosen;
}

type Happen<T> = (subject: T, work: Work) => Promise<void | AfterFault>;

function ofProcesses(happen: Happen<SiteProcess>): FaultKind['subjects'] {
  return ({ processes }) =>
    processes.map((process) => ({ name: process.name, happen: (work) => happen(process, work) }));
}

function ofServers(happen: (server: TestServer) => Promise<void>): FaultKind['subjects'] {
  return ({ servers }) =>
    SERVER_NAMES.flatMap((name) => {
      const server = servers[name];
      return server ? [{ name, happen: () => happen(server) }] : [];
    });
}

type OnPath = (path: NetworkPath, random: number) => Promise<void>;

/** Of all processes to one server. */
function ofPaths(happen: OnPath): FaultKind['subjects'] {
  return ({ processes }) =>
    SERVER_NAMES.flatMap((name) => {
      const paths = processes.flatMap((process) => process.paths[name] ?? []);
      return paths.length === 0 ? [] : [{ name, happen: ({ random }) => onAll(paths, happen, random()) }];
    });
}

async function onAll(paths: readonly NetworkPath[], happen: OnPath, random: number): Promise<void> {
  await Promise.all(paths.map((path) => happen(path, random)));
}

/** Of one process to one server. */
function ofOwnPaths(happen: OnPath): FaultKind['subjects'] {
  const named = ({ name, paths }: SiteProcess, server: ServerName) => {
    const path = paths[server];
    return path ? [{ name: `${name} from ${server}`, happen: ({ random }: Work) => happen(path, random()) }] : [];
  };
  return ({ processes }) => processes.flatMap((process) => SERVER_NAMES.flatMap((server) => named(process, server)));
}

async function crash(process: SiteProcess, awayMs: number): Promise<void> {
  await process.stop('SIGKILL');
  await wait(awayMs);
  process.start();
}

async function freeze(process: SiteProcess): Promise<void> {
  process.signal('SIGSTOP');
  await wait(LONG_MS);
  process.signal('SIGCONT');
}

async function restart(server: TestServer): Promise<void> {
  await server.stop('SIGKILL');
  await wait(AWAY_MS);
  await server.start();
}

const between = ({ least, most }: { least: number; most: number }, random: number): number =>
  Math.round(least + (most - least) * random);

/** The clock of a process jumps, and jumps back later. The process has a clock of its own until everything has been checked. */
function ofClocks(direction: 1 | -1): FaultKind['subjects'] {
  return (site) => {
    const clock = fakeClock(join(site.directory, 'clock'));
    if (!clock) return [];
    const happen = async (process: SiteProcess, { random }: Work) => {
      await process.stop('SIGTERM');
      process.start(clock.environment);
      await site.ready();
      clock.set(direction * between(SECONDS, random() ** 3));
      await wait(WHILE_MS);
      clock.set(0);
      return async () => {
        await process.stop('SIGTERM');
        process.start();
        await site.ready();
        return [];
      };
    };
    return ofProcesses(happen)(site);
  };
}

function fullDisk({ disk, servers: { MongoDB: server } }: Site): readonly FaultSubject[] {
  if (!disk) return [];
  const happen = async () => {
    disk.fill();
    await wait(WHILE_MS);
    disk.free();
    // If its storage engine gives up, MongoDB ends and is started again. The server here goes on, and refuses everything.
    if (server && !(await acceptsWrites(server.url))) await restart(server);
  };
  return [{ name: 'store', happen }];
}

async function withoutDescriptors({ pid }: SiteProcess): Promise<void> {
  const before = limitOfDescriptors(pid);
  setLimitOfDescriptors(pid, openDescriptors(pid) + SPARE_DESCRIPTORS);
  await wait(WHILE_MS);
  setLimitOfDescriptors(pid, before);
}
