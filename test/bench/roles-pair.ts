import { join } from 'node:path';
import { login, type ApiCaller } from '../system/api-caller';
import { startSystem, type SystemProcess } from '../system/system-process';
import { SUBMITTERS } from './load';
import {
  actionOf,
  PERMITTED,
  ROLE_USER,
  writeMoreRoles,
  writePacks,
  writeRoles,
  type RoleCounts,
} from './roles-content';
import { ofJob, runJobs } from './submit';

export interface RolesSide {
  readonly system: SystemProcess;
  readonly user: ApiCaller;
  /** The id of one record of each kind in this system. */
  readonly ids: { readonly execution: string };
}

export interface RolesPair {
  readonly off: RolesSide;
  readonly on: RolesSide;
}

/** Where the systems of a pair have their data. Both have the same content, with the same roles. */
export type PairDirectories = readonly [string, string];

export interface PairOptions {
  /** Counted from 1. */
  readonly start: number;
  /** Whether the data is removed afterwards. */
  readonly isLast: boolean;
}

const program = join(__dirname, 'reporting-system-main.js');
const WITH_ROLES = '[rbac]\nenable = True\nbackend = default\n';

/** Fills two systems with the same content. Their roles are not turned on yet. */
export async function fillPair(executions: number): Promise<PairDirectories> {
  const filled = async (system: SystemProcess) => {
    await fill(system, executions);
    writeRoles(system.directory);
    await sync(system);
  };
  return eachOf([undefined, undefined], filled);
}

/** Adds roles of other users to both systems. */
export const addRoles = (directories: PairDirectories, counts: RoleCounts): Promise<PairDirectories> =>
  eachOf(directories, async (system) => {
    writeMoreRoles(system.directory, counts);
    await sync(system);
  });

/** Starts systems without roles, one after the other, and keeps their data. @param directories undefined for a new system */
async function eachOf(
  directories: readonly (string | undefined)[],
  use: (system: SystemProcess) => Promise<void>,
): Promise<PairDirectories> {
  const used: string[] = [];
  for (const directory of directories) {
    const system = await startSystem({ program, ...(directory === undefined ? {} : { directory }) });
    used.push(system.directory);
    await use(system).catch(async (error: unknown) => {
      await system.stop();
      throw error;
    });
    await system.stop({ keepData: true });
  }
  return used as [string, string];
}

/** Starts both systems, one after the other. Roles are on in one of them, by turns. */
export async function withPair<T>(
  [one, other]: PairDirectories,
  use: (pair: RolesPair) => Promise<T>,
  { start: number, isLast }: PairOptions,
): Promise<T> {
  const systems: SystemProcess[] = [];
  const start = async (directory: string, config = '') => {
    const system = await startSystem({ directory, config, program });
    systems.push(system);
    return sideOf(system);
  };
  const started = async (): Promise<RolesPair> => {
    if (number % 2 === 1) return { off: await start(one), on: await start(other, WITH_ROLES) };
    return { on: await start(one, WITH_ROLES), off: await start(other) };
  };
  try {
    const pair = await started();
    return await use(pair).finally(() => {
      for (const { user } of Object.values(pair)) user.close();
    });
  } finally {
    await Promise.all(systems.map((system) => system.stop({ keepData: !isLast })));
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

async function sideOf(system: SystemProcess): Promise<RolesSide> {
  const user = await login(system.api, system.auth, ROLE_USER.name, ROLE_USER.password);
  const path = `/v1/executions?limit=1&action=${PERMITTED.action}`;
  const found = (await expectStatus(user, 200, 'GET', path)) as { id: string }[];
  return { system, user, ids: { execution: found[0]?.id ?? '' } };
}

/** @returns the body of the response */
export async function expectStatus(caller: ApiCaller, status: number, ...call: Parameters<ApiCaller['call']>) {
  const answer = await caller.call(...call);
  if (answer.status !== status)
    throw new Error(`${call[0]} ${call[1]} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as unknown;
}
