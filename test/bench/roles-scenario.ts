import { once } from 'node:events';
import { loadavg } from 'node:os';
import type { SystemProcess } from '../system/system-process';
import { median, rounded } from './measurement';
import { PERMITTED } from './roles-content';
import {
  addRoles,
  expectStatus,
  fillPair,
  withPair,
  type PairDirectories,
  type RolesSide,
  type PairOptions,
  type RolesPair,
} from './roles-pair';

const EXECUTIONS = 1200;
/** Each action has some of them. */
const FEWEST_EXECUTIONS = 600;
const MANY = { roles: 1000, assignments: 10_000 };
/**
 * Requests of one kind between two looks at the processor time. Short requests need many: the first ones after the other system had the
 * processor take longer, and the more code they run, the longer.
 */
const BATCH = { single: 600, list: 24, writing: 12 };
/** So many of them are under way at a time: on a busy machine, single requests would mostly wait for their turn. */
const LANES = 4;
/**
 * Two processes differ by some percent in how their code was compiled, whatever they do. So both systems are started several times, and
 * by turns each of them is the one with roles.
 */
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
  const [starts, batches] = [scaled(STARTS, 1), scaled(BATCHES, 1)];
  const few = await comparedStarts(directories, starts, batches);
  const many = { roles: Math.ceil(MANY.roles * scale), assignments: Math.ceil(MANY.assignments * scale) };
  await addRoles(directories, many);
  const more = await comparedStarts(directories, starts, batches, { isLast: true });
  console.table(few.map((row, index) => rowOf(row, more[index])));
  console.log(
    `${starts} times ${batches} batches of ${Object.values(BATCH).join(', ')} requests each, ${many.roles} roles and ${many.assignments} assignments in the end; load ${rounded(loadavg()[0] ?? 0)}`,
  );
}

/** Compares the systems in several pairs of processes. */
async function comparedStarts(
  directories: PairDirectories,
  starts: number,
  batches: number,
  { isLast = false }: Partial<PairOptions> = {},
): Promise<Compared[]> {
  const found: Compared[] = requestsOf().map(({ what }) => ({ what, off: [], on: [], more: [] }));
  for (let start = 1; start <= starts; start++) {
    const measure = (pair: RolesPair) => compared(pair, requestsOf(), batches);
    const taken = await withPair(directories, measure, { start, isLast: isLast && start === starts });
    for (const [index, { off, on }] of taken.entries()) {
      found[index]?.off.push(median(off));
      found[index]?.on.push(median(on));
      found[index]?.more.push(median(on.map((ms, batch) => ms / (off[batch] ?? Number.NaN) - 1)));
    }
  }
  return found;
}

/** One kind of request, which both systems answer in the same way. */
interface Kind {
  readonly what: string;
  /** After writing requests, work goes on after the response, which would count as that of other kinds. */
  readonly type: keyof typeof BATCH;
  send(side: RolesSide): Promise<unknown>;
}

function requestsOf(): Kind[] {
  const get = (type: keyof typeof BATCH, what: string, path: (side: RolesSide) => string): Kind => ({
    what,
    type,
    send: (side) => expectStatus(side.user, 200, 'GET', path(side)),
  });
  // Measures only the request: the execution never starts.
  const waiting = { action: PERMITTED.action, parameters: { parameter_0: 'x' }, delay: HOUR_MS };
  return [
    get('single', 'one action', () => `/v1/actions/${PERMITTED.action}`),
    get('single', 'one execution', ({ ids }) => `/v1/executions/${ids.execution}`),
    get('single', 'one rule', () => `/v1/rules/${PERMITTED.rule}`),
    get('list', '50 actions', () => '/v1/actions?limit=50'),
    get('list', '50 executions', () => '/v1/executions?limit=50'),
    get('list', '50 rules', () => '/v1/rules?limit=50'),
    {
      what: 'a request for an execution',
      type: 'writing',
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

async function compared({ off, on }: RolesPair, kinds: readonly Kind[], batches: number): Promise<Taken[]> {
  const found = kinds.map(() => ({ off: [] as number[], on: [] as number[] }));
  const measure = async (kind: Kind, side: RolesSide) => {
    const before = await cpuMs(side.system);
    const requests = BATCH[kind.type];
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let sent = 0; sent < requests; sent += LANES) await kind.send(side);
      }),
    );
    return ((await cpuMs(side.system)) - before) / requests;
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
  const reading = [...kinds.keys()].filter((index) => kinds[index]?.type !== 'writing');
  const writing = [...kinds.keys()].filter((index) => kinds[index]?.type === 'writing');
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
