import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiCaller } from '../system/api-caller';

const PACK = 'fault_trees';
const ACTION = `${PACK}.tree`;
const LOOK_MS = 200;

/** A workflow with two nested workflows, in each of them commands and further workflows with a command. No command ends by itself in time. */
export interface Tree {
  readonly root: string;
  /** The number of executions. */
  readonly size: number;
}

const definition = (commands: number, count = 0, inner?: string): object => ({
  version: 1.0,
  tasks: {
    many: { with: `<% range(${commands}) %>`, action: `${PACK}.wait` },
    ...(inner === undefined ? {} : { within: { with: `<% range(${count}) %>`, action: `${PACK}.${inner}` } }),
  },
});

/** Nested workflows with one command each, per command of the tree. */
const DEEP_SHARE = 0.05;

/** @param scale the approximate number of commands */
export async function installTree(directory: string, api: ApiCaller, scale: number): Promise<Omit<Tree, 'root'>> {
  const [outer, inner, deep] = [Math.ceil(scale / 2), Math.ceil(scale / 4), Math.ceil(scale * DEEP_SHARE)];
  const actions = join(directory, 'packs', PACK, 'actions');
  mkdirSync(join(actions, 'workflows'), { recursive: true });
  const put = (path: string, content: object) => writeFileSync(join(actions, path), JSON.stringify(content));
  const pack = { name: PACK, ref: PACK, description: 'Canceled.', version: '1.0.0', author: 'faults' };
  put('../pack.yaml', { ...pack, email: 'faults@example.org' });
  const cmd = { default: 'sleep 600', immutable: true };
  put('wait.yaml', { name: 'wait', runner_type: 'local-shell-cmd', enabled: true, parameters: { cmd } });
  for (const [name, content] of [
    ['deep', definition(1)],
    ['inner', definition(inner, deep, 'deep')],
    ['tree', definition(outer, 2, 'inner')],
  ] as const) {
    put(`workflows/${name}.yaml`, content);
    put(`${name}.yaml`, { name, runner_type: 'orquesta', entry_point: `workflows/${name}.yaml`, enabled: true });
  }
  const { status, body } = await api.call('POST', '/v1/packs/register', { packs: [PACK], types: ['action'] });
  if (status !== 200) throw new Error(`the pack was refused with ${status}: ${JSON.stringify(body)}`);
  return { size: 3 + outer + 2 * (inner + 2 * deep) };
}

/** Requests the tree and waits until it is complete. @param others the number of other executions */
export async function growTree(api: ApiCaller, size: number, limitMs: number): Promise<Tree> {
  const others = await count(api, '');
  const { status, body } = await api.call('POST', '/v1/executions', { action: ACTION });
  if (status !== 201) throw new Error(`the workflow was refused with ${status}: ${JSON.stringify(body)}`);
  const deadline = Date.now() + limitMs;
  while ((await count(api, '')) < others + size) {
    if (Date.now() > deadline) throw new Error(`the tree has not grown in ${limitMs} ms`);
    await wait(LOOK_MS);
  }
  return { root: body.id as string, size };
}

/** Waits until no execution is open, or until the time limit. */
export async function untilEnded(api: ApiCaller, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while ((await count(api, `&status=${OPEN}`)) > 0 && Date.now() < deadline) await wait(LOOK_MS);
}

const OPEN = 'requested,scheduled,delayed,running,canceling,pausing,paused,pending,resuming';

async function count(api: ApiCaller, filter: string): Promise<number> {
  const { headers } = await api.call('GET', `/v1/executions?limit=1&include_attributes=status${filter}`);
  return Number(headers['x-total-count']);
}

interface Shown {
  id: string;
  status: string;
  parent?: string;
  context: { cancelled_by?: string };
  end_timestamp?: string;
  log: { timestamp: string; status: string }[];
}

/** The problems of a canceled tree. @param user the user who canceled it */
export async function treeProblems(api: ApiCaller, { root, size }: Tree, user: string): Promise<string[]> {
  const found = await family(api, root);
  return [
    ...(found.length === size ? [] : [`${found.length} executions where there should be ${size}`]),
    ...found.flatMap((each) => problemsOf(each, user).map((problem) => `${each.id}: ${problem}`)),
  ];
}

async function family(api: ApiCaller, root: string): Promise<Shown[]> {
  const { body: top } = await api.call('GET', `/v1/executions/${root}`);
  const found = [top as Shown];
  for (let at = 0; at < found.length; at++) {
    if (at > 0 && !('workflow_execution' in found[at]!.context)) continue;
    const fields = 'status,parent,context,end_timestamp,log';
    const path = `/v1/executions?parent=${found[at]!.id}&limit=-1&include_attributes=${fields}`;
    found.push(...((await api.call('GET', path)).body as Shown[]));
  }
  return found;
}

function problemsOf({ status, context, log, end_timestamp: end }: Shown, user: string): string[] {
  // The runner was killed before it was told to stop.
  if (status === 'abandoned' && log.some((entry) => entry.status === 'running')) return [];
  const ends = log.filter((entry) => entry.status === 'canceled');
  return [
    ...(status === 'canceled' ? [] : [`is ${status}`]),
    ...(ends.length === 1 ? [] : [`was canceled ${ends.length} times`]),
    ...(end !== undefined && end === log.at(-1)?.timestamp
      ? []
      : [`ended at ${end}, by its log at ${log.at(-1)?.timestamp}`]),
    ...(context.cancelled_by === user ? [] : [`canceled by ${context.cancelled_by}`]),
  ];
}
