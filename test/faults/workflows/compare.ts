import { isDeepStrictEqual } from 'node:util';
import type { ApiCaller } from '../../system/api-caller';
import { actionKey } from './expectation';
import { INNER_ACTIONS } from './random-definition';
import type { RandomWorkflow } from './random-workflows';

export interface Submitted {
  readonly workflow: RandomWorkflow;
  /** The id of its execution. */
  readonly id: string;
}

/** The outcome of a workflow. */
export interface Comparison {
  readonly problems: string[];
  /** The times of its events in order, in milliseconds since the epoch. */
  readonly times: number[];
  readonly actions: number;
}

interface Execution {
  id: string;
  status: string;
  action: { ref: string };
  context: { orquesta?: { task_name: string; item_id?: number } };
  result?: { output?: unknown; errors?: unknown };
  log: { timestamp: string; status: string }[];
}

/** Compares an ended workflow with its expected outcome. */
export async function compare(api: ApiCaller, { workflow, id }: Submitted): Promise<Comparison> {
  const { body } = await api.call('GET', `/v1/executions/${id}`);
  const shown = body as Execution;
  const children = await childrenOf(api, id);
  const { expected } = workflow;
  const problems = [
    ...differences('status', expected.status, shown.status),
    ...differences('output', expected.output, shown.result?.output),
    ...differences('actions', sorted(expected.actions), sorted(countOf(children))),
    ...children.flatMap((child) => (ENDS.includes(child.status) ? [] : [`${child.id} is ${child.status}`])),
  ];
  let actions = children.length;
  for (const child of children) {
    const expectedActions = INNER_ACTIONS[child.action.ref];
    if (expectedActions === undefined) continue;
    const inner = (await childrenOf(api, child.id)).length;
    problems.push(...differences(`actions of ${child.action.ref} ${child.id}`, expectedActions, inner));
    actions += inner;
  }
  const times = [shown, ...children].flatMap(({ log }) => log.map(({ timestamp }) => Date.parse(timestamp)));
  if (problems.length > 0) problems.push(`errors: ${JSON.stringify(shown.result?.errors)}`);
  return {
    problems: problems.map((problem) => `${workflow.ref} ${id}: ${problem}`),
    times: times.sort((a, b) => a - b),
    actions,
  };
}

const ENDS = ['succeeded', 'failed'];

const childrenOf = async (api: ApiCaller, id: string): Promise<Execution[]> =>
  (await api.call('GET', `/v1/executions?parent=${id}&limit=-1&exclude_attributes=result,trigger_instance`))
    .body as Execution[];

function countOf(children: readonly Execution[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { context } of children) {
    const key = actionKey(context.orquesta?.task_name ?? '', context.orquesta?.item_id);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));

const differences = (what: string, expected: unknown, found: unknown): string[] =>
  isDeepStrictEqual(expected, found)
    ? []
    : [`${what} should be ${JSON.stringify(expected)} and is ${JSON.stringify(found)}`];

/** The longest time from a kill to the next event of a workflow that was running then. */
export function longestStall(kills: readonly number[], comparisons: readonly Comparison[]): number {
  let longest = 0;
  for (const { times } of comparisons)
    for (const at of kills.filter((kill) => kill >= (times[0] ?? Infinity))) {
      const next = times.find((time) => time >= at);
      if (next !== undefined) longest = Math.max(longest, next - at);
    }
  return longest;
}
