import type { ApiCaller } from '../../system/api-caller';
import { descendants } from '../checks';
import type { RoundReport } from '../round-report';
import { compare, longestStall, type Submitted } from './compare';
import type { RandomWorkflow } from './random-workflows';

/** After the last fault everything must end within this time plus a part per workflow. */
const SETTLE_MS = 60_000;
const EACH_MS = 1000;
const LOOK_MS = 200;
const SUBMITTERS = 8;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Requests an execution of each workflow, several at a time. */
export async function submitAll(api: ApiCaller, workflows: readonly RandomWorkflow[]): Promise<Submitted[]> {
  const waiting = [...workflows];
  const submitted: Submitted[] = [];
  const submitter = async () => {
    for (let workflow = waiting.shift(); workflow; workflow = waiting.shift()) {
      const { status, body } = await api.call('POST', '/v1/executions', { action: workflow.ref });
      if (status !== 201) throw new Error(`a workflow was refused with ${status}: ${JSON.stringify(body)}`);
      submitted.push({ workflow, id: body.id as string });
    }
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submitter));
  return submitted;
}

const OPEN = 'requested,scheduled,delayed,running,canceling,pausing,paused,pending,resuming';
const ENDED = ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled'];

export async function stillOpen(api: ApiCaller, submitted: readonly Submitted[]): Promise<Submitted[]> {
  const listed = await openIds(api);
  const open: Submitted[] = [];
  for (const each of submitted) if (listed.has(each.id) || !(await hasEnded(api, each))) open.push(each);
  return open;
}

/** A list can miss records that change while it is built. */
async function openIds(api: ApiCaller): Promise<Set<string>> {
  const { body } = await api.call('GET', `/v1/executions?status=${OPEN}&limit=-1&include_attributes=status`);
  return new Set((body as { id: string }[]).map(({ id }) => id));
}

async function hasEnded(api: ApiCaller, { id }: Submitted): Promise<boolean> {
  const { body } = await api.call('GET', `/v1/executions/${id}?include_attributes=status`);
  return ENDED.includes((body as { status: string }).status);
}

interface Happened {
  /** The times of the kills. */
  kills: readonly number[];
  /** Marks the processes of this run. */
  directory: string;
}

type Judgement = Omit<RoundReport, 'fault'>;

/** Waits until everything has ended and compares it with the expected outcomes. */
export async function judge(
  api: ApiCaller,
  submitted: Submitted[],
  { kills, directory }: Happened,
): Promise<Judgement> {
  const deadline = Date.now() + SETTLE_MS + EACH_MS * submitted.length;
  let open = await stillOpen(api, submitted);
  while (open.length > 0 && Date.now() < deadline) {
    await wait(LOOK_MS);
    open = await stillOpen(api, open);
  }
  // Actions that were running when a workflow failed end after it.
  while ((await openIds(api)).size > 0 && Date.now() < deadline) await wait(LOOK_MS);
  const comparisons = [];
  for (const each of submitted) if (!open.includes(each)) comparisons.push(await compare(api, each));
  const problems = [
    ...open.map(({ workflow, id }) => `${workflow.ref} ${id}: has not ended`),
    ...comparisons.flatMap(({ problems }) => problems),
    ...descendants(directory).map((pid) => `a process of an execution still lives: ${pid}`),
  ];
  const [begin, end] = [Math.min(...times(comparisons, 0)), Math.max(...times(comparisons, -1))];
  const actions = comparisons.reduce((sum, comparison) => sum + comparison.actions, 0);
  const tookMs = end - begin;
  const line =
    `${submitted.length} workflows with ${actions} actions in ${tookMs} ms, ${kills.length} kills; ` +
    `${longestStall(kills, comparisons)} ms at most from a kill to the next step of a workflow`;
  return { problems, tookMs, line };
}

const times = (comparisons: readonly { times: number[] }[], at: number): number[] =>
  comparisons.flatMap((comparison) => comparison.times.at(at) ?? []);
