/// <reference types="jest" />
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Registers a function to run when the test ends. The last one registered runs first. */
export type Later = (release: () => unknown) => void;

/** How long released resources may take to disappear. */
const PATIENCE_MS = 3000;
const LOOK_MS = 10;

/**
 * Cleans up after each test of the surrounding block, and then fails the test if it left a child process, a socket, a
 * listener or a timer that keeps the process alive.
 * @param looks `all` if tests share a platform, whose number of connections to a server may grow: then it checks once, when
 * the block has ended and everything registered before its tests has been released
 */
export function leakCheck(looks: 'each' | 'all' = 'each'): Later {
  const releases: (() => unknown)[] = [];
  let shared = 0;
  let before: readonly string[] = [];
  const note = () => void (before = resources());
  const look = async () => expect(await leftAfter(before)).toEqual([]);
  if (looks === 'all') beforeAll(note);
  beforeEach(() => {
    if (looks === 'all') shared = releases.length;
    else note();
  });
  afterEach(async () => {
    await letGo(releases.splice(shared));
    if (looks === 'each') await look();
  });
  afterAll(async () => {
    await letGo(releases.splice(0));
    if (looks === 'all') await look();
  });
  return (release) => void releases.push(release);
}

async function letGo(releases: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const release of releases.toReversed()) {
    try {
      await release();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function leftAfter(before: readonly string[]): Promise<string[]> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = without(resources(), before);
    if (left.length === 0 || performance.now() > end) return left;
    await delay(LOOK_MS, undefined, { ref: false });
  }
}

/** Kinds of handles that a test might leave open. Those of Jest itself exist before the test. */
const WATCHED = /^(Timeout|ProcessWrap|PipeWrap|TCPSocketWrap|TCPServerWrap|TLSWrap|FSEventWrap|MessagePort|Worker)$/;

const resources = (): string[] => [
  ...process.getActiveResourcesInfo().filter((kind) => WATCHED.test(kind)),
  ...childProcesses(),
];

/** Processes that exist and are not children of this one. They never become children, so they are read once. */
let strangers: ReadonlySet<string> = new Set();
/** The newest process id when they were read. */
let newestBefore = 0;

/** The children of this process, including zombies that nobody has waited for. */
function childProcesses(): string[] {
  const parent = new RegExp(`^\\d+ \\(.*\\) \\w ${process.pid} `, 's');
  const newest = newestPid();
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const isStranger = (pid: string) => strangers.has(pid) && !isGivenBetween(Number(pid), newestBefore, newest);
  const children = pids.filter((pid) => !isStranger(pid) && parent.test(readIfThere(`/proc/${pid}/stat`)));
  strangers = new Set(pids.filter((pid) => !children.includes(pid)));
  newestBefore = newest;
  return children.map((pid) => `process ${pid}: ${readIfThere(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
}

/** The process id that the system gave out last. Reading the start times of all processes would take much longer. */
const newestPid = (): number => Number(readIfThere('/proc/loadavg').trim().split(' ').at(-1));

/**
 * Whether a process id was given out after one id and up to another, so that the process may be a new one. The system gives out free ids in
 * ascending order, and starts again from the lowest one after the highest.
 */
export const isGivenBetween = (pid: number, after: number, upTo: number): boolean =>
  after <= upTo ? pid > after && pid <= upTo : pid > after || pid <= upTo;

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function without(all: readonly string[], known: readonly string[]): string[] {
  const rest = [...known];
  return all.filter((item) => {
    const at = rest.indexOf(item);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
