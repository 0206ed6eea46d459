import { setTimeout as wait } from 'node:timers/promises';
import { percentiles } from '../../bench/measure';
import { scaled, unlike, type Attack, type Outcome, type Setting } from '../attack';
import { memberOf } from '../answer';
import { commandTakes, ended, request } from '../executions';

const ITEMS = 100_000;
const GROW_MS = 30_000;
/** Another user's command that takes longer counts as starved. */
const STARVED_MS = 60_000;
const CANCELED_MS = 300_000;

export const runawayAttacks: readonly Attack[] = [
  {
    name: 'runaway workflow',
    does: 'runs a workflow that calls itself twice, then cancels it, while others run commands',
    expects: 'commands of others that end, and a workflow that is canceled',
    run: (setting) => runaway(setting, 'hostile.twice', {}),
  },
  {
    name: 'many items',
    does: `runs a workflow over ${ITEMS} items, then cancels it, while others run commands`,
    expects: 'commands of others that end, and a workflow that is canceled',
    run: (setting) => runaway(setting, 'hostile.items', { count: scaled(ITEMS, setting.scale, 500) }),
  },
];

async function runaway({ api, scale }: Setting, action: string, parameters: object): Promise<Outcome> {
  const before = await commands(api, 0);
  const asked = await request(api, action, parameters);
  if (asked.status !== 201) return { problems: unlike('the request', [asked], (status) => status === 201) };
  const id = memberOf(asked, 'id');
  const meanwhile = await commands(api, scaled(GROW_MS, scale, 1000));
  await api.call('DELETE', `/api/v1/executions/${id}`);
  const canceling = performance.now();
  const [afterwards, status] = await Promise.all([commands(api, 0), ended(api, id, CANCELED_MS)]);
  const cancelMs = performance.now() - canceling;
  const all = [...before, ...meanwhile, ...afterwards];
  return {
    problems: [
      ...all
        .filter((each) => each.status !== 'succeeded')
        .map((each) => `a command of somebody else: "${each.status}"`),
      ...(['canceled', 'failed', 'succeeded'].includes(status)
        ? []
        : [`it is "${status}" ${cancelMs.toFixed(0)} ms after the cancel`]),
    ],
    note: `core.local took ${times(before)} before, ${times(meanwhile)} meanwhile, ${times(afterwards)} after the cancel; "${status}" after ${cancelMs.toFixed(0)} ms`,
  };
}

type Command = Awaited<ReturnType<typeof commandTakes>>;

/** Runs commands sequentially, at least three. */
async function commands(api: Setting['api'], forMs: number): Promise<Command[]> {
  const deadline = Date.now() + forMs;
  const taken: Command[] = [];
  while (taken.length < 3 || Date.now() < deadline) {
    const command = await commandTakes(api, STARVED_MS);
    taken.push(command);
    if (command.status !== 'succeeded') break;
    await wait(50);
  }
  return taken;
}

const times = (taken: readonly Command[]): string => {
  const durations = taken.map(({ durationMs }) => durationMs);
  return `${percentiles(durations).p50.toFixed(0)} ms (at most ${Math.max(...durations).toFixed(0)})`;
};
