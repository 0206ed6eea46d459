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
/** Each action has some of them. */
const FEWEST_EXECUTIONS = 600;
const MANY = { roles: 1000, assignments: 10_000 };
/** Requests of one kind between two looks at the processor time. */
const BATCH = 24;
/** So many of them are under way at a time: on a busy machine, single requests would mostly wait for their turn. */
const LANES = 4;
/** Two processes differ by some percent in how their code was compiled, whatever they do. So both systems are started several times. */
const STARTS = 5;
/** In each pair of processes. */
const BATCHES = 20;
const WARM_UP = 12;
const HOUR_MS = 3_600_000;

/**
 * Compares the processor time of the same requests of the same user in a system without roles and in one where the user
 * has a role for some packs, then in one with many roles of other users. Batches of each kind run alternately in both
 * systems.
 */
export async function rolesScenario(target: 'embedded' | 'servers', scale: number): Promise<void> {
  if (target === 'servers') return console.log('Left out: it measures one process.');
  const scaled = (count: number, fewest: number) => Math.max(fewest, Math.ceil(count * scale));
  const directories = await fillPair(scaled(EXECUTIONS, FEWEST_EXECUTIONS));
  const [starts, batches] = [scaled(STARTS, 2), scaled(BATCHES, 2)];
  const few = await comparedStarts(directories, starts, batches);
  const many = { roles: Math.ceil(MANY.roles * scale), assignments: Math.ceil(MANY.assignments * scale) };
  await withPair(directories, async ({ on }) => {
    writeMoreRoles(directories.on, many);
    await sync(on.system);
  });
  const more = await comparedStarts(directories, starts, batches, { isLast: true });
  console.table(few.map((row, index) => rowOf(row, more[index])));
  console.log(
    `${starts} times ${batches} batches of ${BATCH} requests each, ${many.roles} roles and ${many.assignments} assignments in the end; load ${rounded(loadavg()[0] ?? 0)}`,
  );
}

interface Side {
  readonly system: SystemProcess;
  readonly user: ApiCaller;
  /** The id of one record of each kind in this system. */
  readonly ids: { readonly execution: string };
}

interface SystemPair {
  readonly off: Side;
  readonly on: Side;
}

/** Where the systems of a pair have their data. */
type Directories = { readonly [S in keyof SystemPair]: string };

interface StartOptions {
  /** Whether the data is removed afterwards. */
  readonly isLast?: boolean;
}

const program = join(__dirname, 'reporting-system-main.js');
const WITH_ROLES = '[rbac]\nenable = True\nbackend = default\n';

/** Fills two systems with the same content. One of them gets roles, which are not turned on yet. */
async function fillPair(executions: number): Promise<Directories> {
  const filled = async (withRoles: boolean) => {
    const system = await startSystem({ program });
    try {
      await fill(system, executions);
      if (withRoles) {
        writeRoles(system.directory);
        await sync(system);
      }
    } catch (error) {
      await system.stop();
      throw error;
    }
    await system.stop({ keepData: true });
    return system.directory;
  };
  return { off: await filled(false), on: await filled(true) };
}

/** Starts both systems, one after the other. Roles are on in one of them. */
async function withPair<T>(
  { off, on }: Directories,
  use: (pair: SystemPair) => Promise<T>,
  { isLast = false }: StartOptions = {},
): Promise<T> {
  const systems: SystemProcess[] = [];
  const start = async (directory: string, config = '') => {
    const system = await startSystem({ directory, config, program });
    systems.push(system);
    return sideOf(system);
  };
  try {
    const pair = { off: await start(off), on: await start(on, WITH_ROLES) };
    return await use(pair).finally(() => {
      for (const { user } of Object.values(pair)) user.close();
    });
  } finally {
    await Promise.all(systems.map((system) => system.stop({ keepData: !isLast })));
  }
}

/** Compares the systems in several pairs of processes. */
async function comparedStarts(
  directories: Directories,
  starts: number,
  batches: number,
  { isLast = false }: StartOptions = {},
): Promise<Compared[]> {
  const found: Compared[] = requestsOf().map(({ what }) => ({ what, off: [], on: [], more: [] }));
  for (let start = 1; start <= starts; start++) {
    const measure = (pair: SystemPair) => compared(pair, requestsOf(), batches);
    const taken = await withPair(directories, measure, { isLast: isLast && start === starts });
    for (const [index, { off, on }] of taken.entries()) {
      found[index]?.off.push(median(off));
      found[index]?.on.push(median(on));
      found[index]?.more.push(median(on.map((ms, batch) => ms / (off[batch] ?? Number.NaN) - 1)));
    }
  }
  return found;
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

/** One kind of request, which both systems answer in the same way. */
interface Kind {
  readonly what: string;
  /** Whether work goes on after the response, which would count as that of other kinds. */
  readonly writes?: true;
  send(side: Side): Promise<unknown>;
}

function requestsOf(): Kind[] {
  const get = (what: string, path: (side: Side) => string): Kind => ({
    what,
    send: (side) => expectStatus(side.user, 200, 'GET', path(side)),
  });
  // Measures only the request: the execution never starts.
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
      writes: true,
      send: ({ user }) => expectStatus(user, 201, 'POST', '/v1/executions', waiting),
    },
  ];
}

interface Taken {
  /** Milliseconds for each request, by batch. */
  readonly off: readonly number[];
  readonly on: readonly number[];
}

/** A kind of requests, with the medians of each start. */
interface Compared {
  readonly what: string;
  readonly off: number[];
  readonly on: number[];
  /** How much longer requests take with roles: the median of neighbouring batches. */
  readonly more: number[];
}

async function compared({ off, on }: SystemPair, kinds: readonly Kind[], batches: number): Promise<Taken[]> {
  const found = kinds.map(() => ({ off: [] as number[], on: [] as number[] }));
  const measure = async (kind: Kind, side: Side) => {
    const before = await cpuMs(side.system);
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let sent = 0; sent < BATCH; sent += LANES) await kind.send(side);
      }),
    );
    return ((await cpuMs(side.system)) - before) / BATCH;
  };
  const turn = async (index: number, batch: number) => {
    const kind = kinds[index]!;
    const taken = { off: 0, on: 0 };
    const order = batch % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const);
    for (const side of order) taken[side] = await measure(kind, side === 'off' ? off : on);
    if (batch < 0) return;
    found[index]?.off.push(taken.off);
    found[index]?.on.push(taken.on);
  };
  const reading = [...kinds.keys()].filter((index) => !kinds[index]?.writes);
  const writing = [...kinds.keys()].filter((index) => kinds[index]?.writes);
  for (const group of [reading, writing])
    for (let batch = -Math.min(WARM_UP, batches); batch < batches; batch++)
      for (const index of group) await turn(index, batch);
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
  'more, median': percent(median(few.more)),
  'in single starts': spread(few.more),
  'many roles, ms': rounded(median(many?.on ?? [])),
  'more with many, median': percent(median(many?.more ?? [])),
  'with many, in single starts': spread(many?.more ?? []),
});

const spread = (values: readonly number[]): string =>
  `${percent(Math.min(...values))} to ${percent(Math.max(...values))}`;

const percent = (value: number): string => `${(value * 100).toFixed(0)} %`;
