import { withActions } from './actions-over-http';
import { bareApplication, bareLoop } from './bare';
import type { Bench } from './bench';
import { loadOf, measured, SUBMITTERS } from './load';
import type { Measurement } from './measurement';
import { greet, interpreterStart, ofPython } from './python-action';
import { withSshServer } from './ssh-server';
import { ofJob, runJobs } from './submit';
import { ofWebhook, withWebhookRule } from './webhook';
import { chain, ofWorkflow, withItems, withWorkflows, workflowShapes } from './workflows';

export const NOOP = ofJob({ action: 'core.noop' });
export const ECHO = ofJob({ action: 'core.local', parameters: { cmd: 'echo hello' } });
const NOOPS = 3000;
const ECHOES = 600;

/** The action that does nothing, and in the same minute an application that only stores its record. */
export async function noopScenario(bench: Bench): Promise<Measurement[]> {
  const rows = await loadOf(bench, 'noop', NOOP, NOOPS);
  if (bench.system.local === undefined) return rows;
  const bare = await bareApplication(Math.ceil(NOOPS * bench.scale));
  return [...rows, bare, shareOf('rate of noops by that of the bare application', rows.at(-1), bare, 'per second')];
}

export async function localScenario(bench: Bench): Promise<Measurement[]> {
  const rows = await loadOf(bench, 'local echo', ECHO, ECHOES);
  if (bench.system.local === undefined) return rows;
  const count = Math.max(100, Math.ceil(ECHOES * bench.scale));
  const [alone, together] = [await bareLoop(count, 1), await bareLoop(count, SUBMITTERS)];
  return [
    ...rows,
    alone,
    together,
    shareOf('time of a local echo, idle, by that of a bare sh -c', rows[0], alone, 'p50 ms'),
    shareOf(`rate of local echoes by that of bare sh -c, ${SUBMITTERS} at a time`, rows[1], together, 'per second'),
  ];
}

function shareOf(what: string, ours: Measurement | undefined, bare: Measurement, figure: string): Measurement {
  return { what, figures: { '%': (100 * (ours?.figures[figure] ?? Number.NaN)) / (bare.figures[figure] ?? 0) } };
}

/** Measures a trivial action in a warm worker. A system that the bench has started also runs it in its own interpreter. */
export async function pythonScenario(bench: Bench): Promise<Measurement[]> {
  const { api, scale, system } = bench;
  await withActions(bench, [greet]);
  const warm = await loadOf(bench, 'python, warm', ofPython('warm'), 1500);
  if (system.local === undefined) return warm;
  const rounds = Math.max(20, Math.ceil(60 * scale));
  const { bare, named } = await interpreterStart(rounds);
  return [
    await measured(bench, 'noop, idle', () => runJobs(api, NOOP, rounds, 1)),
    ...warm,
    ...(await loadOf(bench, 'python, isolated', ofPython('isolated'), 150)),
    { what: 'the bare interpreter', figures: { 'p50 ms': bare } },
    { what: 'the interpreter as it is found on the path', figures: { 'p50 ms': named } },
  ];
}

/** Measures a command on this machine over SSH; all but the first run reuse the connection. */
export async function sshScenario(bench: Bench): Promise<Measurement[]> {
  const ssh = await withSshServer(bench.api);
  if (ssh === undefined) return [];
  try {
    return await loadOf(bench, 'remote echo', ofJob(ssh.job), 600);
  } finally {
    await ssh.stop();
  }
}

export async function webhookScenario(bench: Bench): Promise<Measurement[]> {
  await withWebhookRule(bench);
  return loadOf(bench, 'webhook', ofWebhook(), 2000);
}

/** Three steps, one workflow and many at a time. */
export async function workflowScenario(bench: Bench): Promise<Measurement[]> {
  const steps = chain(3);
  await withWorkflows(bench, [steps]);
  return loadOf(bench, 'three steps', ofWorkflow(steps), 600);
}

/** Lists of items, one workflow at a time. The sizes are fixed; only the number of runs depends on the scale. */
export async function itemsScenario(bench: Bench): Promise<Measurement[]> {
  const { api, scale, system } = bench;
  const sizes = system.local === undefined ? [10, 30] : [10, 30, 1000];
  const lists = sizes.map(withItems);
  await withWorkflows(bench, lists);
  const rows: Measurement[] = [];
  for (const list of lists) {
    const rounds = Math.max(list.actions >= 1000 ? 1 : 3, Math.ceil((300 / list.actions) * scale));
    rows.push(await measured(bench, `${list.actions} items`, () => runJobs(api, ofWorkflow(list), rounds, 1)));
  }
  return rows;
}

/** Growing workflows, one at a time: an action must not cost more in a larger one. */
export async function shapesScenario(bench: Bench): Promise<Measurement[]> {
  const { api, scale } = bench;
  const shapes = workflowShapes(scale);
  await withWorkflows(bench, shapes);
  const rows: Measurement[] = [];
  for (const shape of shapes) {
    const rounds = Math.max(1, Math.ceil((1000 / shape.actions) * scale));
    const { what, figures } = await measured(bench, shape.name, () => runJobs(api, ofWorkflow(shape), rounds, 1));
    const perAction = {
      'ms an action': (figures['p50 ms'] ?? 0) / shape.actions,
      'CPU ms an action': (figures['CPU ms each'] ?? 0) / shape.actions,
    };
    rows.push({ what, figures: { ...figures, ...perAction } });
  }
  return rows;
}
