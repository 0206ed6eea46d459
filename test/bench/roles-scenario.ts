import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { login, type ApiCaller } from '../system/api-caller';
import { startSystem, type SystemProcess } from '../system/system-process';
import { SUBMITTERS } from './load';
import { median, rounded } from './measurement';
import { actionOf, PERMITTED, ROLE_USER, writeMoreRoles, writePacks, writeRoles } from './roles-content';
import { ofJob, runJobs } from './submit';

const EXECUTIONS = 1200;
/** Some of them are of each action. */
const FEWEST_EXECUTIONS = 600;
const MANY = { roles: 1000, assignments: 10_000 };
/** Requests of one kind, one after the other, between two looks at the processor time. */
const BATCH = 20;
const BATCHES = 40;
const WARM_UP = 15;
const HOUR_MS = 3_600_000;

/**
 * Compares the processor time of the same requests of the same user in a system without roles and in one where the user has a role for
 * some packs, then in one with many roles of others. Batches of each kind run in both systems by turns.
 */
export async function rolesScenario(target: 'embedded' | 'servers', scale: number): Promise<void> {
  if (target === 'servers') return console.log('Left out: it measures one process.');
  const open = await openPair(Math.max(FEWEST_EXECUTIONS, Math.ceil(EXECUTIONS * scale)));
  try {
    const kinds = requestsOf();
    const batches = Math.max(2, Math.ceil(BATCHES * scale));
    const few = await compared(open, kinds, batches);
    const many = { roles: Math.ceil(MANY.roles * scale), assignments: Math.ceil(MANY.assignments * scale) };
    writeMoreRoles(open.on.system.directory, many);
    await sync(open.on.system);
    const more = await compared(open, kinds, batches);
    console.table(few.map((row, index) => rowOf(row, more[index])));
    console.log(
      `${batches} batches of ${BATCH} requests each, ${many.roles} roles and ${many.assignments} assignments in the end; load ${rounded(loadavg()[0] ?? 0)}`,
    );
  } finally {
    await open.close();
  }
}

interface Side {
  readonly system: SystemProcess;
  readonly user: ApiCaller;
  /** Ids of a record of each kind in this system. */
  readonly ids: { readonly execution: string };
}

interface SystemPair {
  readonly off: Side;
  readonly on: Side;
  close(): Promise<void>;
}

async function openPair(executions: number): Promise<SystemPair> {
  const systems: SystemProcess[] = [];
  const close = async () => void (await Promise.all(systems.map((system) => system.stop())));
  const program = join(__dirname, 'reporting-system-main.js');
  const start = async (options: { directory?: string; config?: string } = {}) => {
    const system = await startSystem({ ...options, program });
    systems.push(system);
    return system;
  };
  try {
    const off = await start();
    await fill(off, executions);
    const before = await start();
    await fill(before, executions);
    writeRoles(before.directory);
    await sync(before);
    await before.stop({ keepData: true });
    const on = await start({ directory: before.directory, config: '[rbac]\nenable = True\nbackend = default\n' });
    return { off: await sideOf(off), on: await sideOf(on), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(system: SystemProcess, executions: number): Promise<void> {
  writePacks(system.directory);
  const admin = await login(system.api, system.auth);
  await expectStatus(admin, 200, 'POST', '/v1/packs/register', {});
  let next = 0;
  const jobs = {
    ...ofJob({ action: '' }),
    submit: (api: ApiCaller) => ofJob({ action: actionOf(next++) }).submit(api),
  };
  await runJobs(admin, jobs, executions, SUBMITTERS);
  admin.close();
}

async function sync(system: SystemProcess): Promise<void> {
  const admin = await login(system.api, system.auth);
  await expectStatus(admin, 200, 'POST', '/v1/rbac/sync', {});
  admin.close();
}

async function sideOf(system: SystemProcess): Promise<Side> {
  const user = await login(system.api, system.auth, ROLE_USER.name, ROLE_USER.password);
  const path = `/v1/executions?limit=1&action=${PERMITTED.action}`;
  const found = (await expectStatus(user, 200, 'GET', path)) as { id: string }[];
  return { system, user, ids: { execution: found[0]?.id ?? '' } };
}

async function expectStatus(caller: ApiCaller, status: number, ...call: Parameters<ApiCaller['call']>) {
  const answer = await caller.call(...call);
  if (answer.status !== status)
    throw new Error(`${call[0]} ${call[1]} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as unknown;
}

/** One kind of requests, which each system answers in the same way. */
interface Kind {
  readonly what: string;
  send(side: Side): Promise<unknown>;
}

function requestsOf(): Kind[] {
  const get = (what: string, path: (side: Side) => string): Kind => ({
    what,
    send: (side) => expectStatus(side.user, 200, 'GET', path(side)),
  });
  // Nothing but the request: the execution never starts.
  const waiting = { action: PERMITTED.action, parameters: { parameter_0: 'x' }, delay: HOUR_MS };
  return [
    get('one action', () => `/v1/actions/${PERMITTED.action}`),
    get('one execution', ({ ids }) => `/v1/executions/${ids.execution}`),
    get('one rule', () => `/v1/rules/${PERMITTED.rule}`),
    get('50 actions', () => '/v1/actions?limit=50'),
    get('50 executions', () => '/v1/executions?limit=50'),
    get('50 rules', () => '/v1/rules?limit=50'),
    {
      what: 'a request for an execution',
      send: ({ user }) => expectStatus(user, 201, 'POST', '/v1/executions', waiting),
    },
  ];
}

interface Compared {
  readonly what: string;
  /** Milliseconds for each request, by batch. */
  readonly off: readonly number[];
  readonly on: readonly number[];
}

async function compared({ off, on }: SystemPair, kinds: readonly Kind[], batches: number): Promise<Compared[]> {
  const found = kinds.map(({ what }) => ({ what, off: [] as number[], on: [] as number[] }));
  const measure = async (kind: Kind, side: Side) => {
    const before = await cpuMs(side.system);
    for (let sent = 0; sent < BATCH; sent++) await kind.send(side);
    return ((await cpuMs(side.system)) - before) / BATCH;
  };
  for (let batch = -Math.min(WARM_UP, batches); batch < batches; batch++) {
    for (const [index, kind] of kinds.entries()) {
      const taken = { off: 0, on: 0 };
      const order = batch % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const);
      for (const side of order) taken[side] = await measure(kind, side === 'off' ? off : on);
      if (batch < 0) continue;
      found[index]?.off.push(taken.off);
      found[index]?.on.push(taken.on);
    }
  }
  return found;
}

/** The processor time of a process since its start. */
async function cpuMs({ child }: SystemProcess): Promise<number> {
  const answer = once(child, 'message') as Promise<[NodeJS.CpuUsage]>;
  child.send('cpu');
  const [{ user, system }] = await answer;
  return (user + system) / 1000;
}

const rowOf = (few: Compared, many: Compared | undefined) => ({
  request: few.what,
  'off, ms': rounded(median(few.off)),
  'on, ms': rounded(median(few.on)),
  'more, median': more(few, median),
  'more, quartile': more(few, lowerQuartile),
  'many roles, ms': rounded(median(many?.on ?? [])),
  'more with many, median': many ? more(many, median) : '',
  'more with many, quartile': many ? more(many, lowerQuartile) : '',
});

/** Whatever disturbs a batch only makes it longer. */
function lowerQuartile(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}

const more = ({ off, on }: Compared, of: (values: readonly number[]) => number): string =>
  `${((of(on) / of(off) - 1) * 100).toFixed(0)} %`;
