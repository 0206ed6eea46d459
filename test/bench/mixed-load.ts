import { withActions } from './actions-over-http';
import type { Bench } from './bench';
import { ECHO, NOOP } from './job-scenarios';
import type { Measurement } from './measurement';
import { greet, ofPython } from './python-action';
import { memoryAround } from './resource-scenarios';
import { slicesOf } from './slices';
import { runJobs, type Submission } from './submit';
import { ofWebhook, withWebhookRule } from './webhook';
import { chain, ofWorkflow, withItems, withWorkflows } from './workflows';

const HOUR_MS = 3_600_000;
/** Executions of one kind between two checks of the time. */
const PORTION = 20;
const SUBMITTERS_OF_EACH = 4;
/** Of the time, at full speed, to find out what half of it is. */
const FULL_SPEED = 0.05;
/** A portion starts this many times as late after the previous one as at full speed. */
const SLOWER = 2;

/** All kinds of work at once at half of the maximum, for an hour at scale 1: whether anything grows or slows down. */
export async function mixedScenario(bench: Bench): Promise<Measurement[]> {
  const [steps, list] = [chain(3), withItems(30)];
  await withWorkflows(bench, [steps, list]);
  await withActions(bench, [greet]);
  await withWebhookRule(bench);
  const kinds: readonly Submission[] = [
    ...[NOOP, ECHO, ofPython('warm'), ofWebhook()].map(withoutChildren),
    ofWorkflow(steps),
    ofWorkflow(list),
  ];
  const lengthMs = HOUR_MS * bench.scale;
  let slices: Measurement[] = [];
  const memory = await memoryAround(bench, 'mixed load', async () => {
    const full = await Promise.all(kinds.map((kind) => portionMs(bench, kind, lengthMs * FULL_SPEED)));
    const load = Promise.all(kinds.map((kind, index) => repeatPaced(bench, kind, lengthMs, SLOWER * full[index]!)));
    [slices] = await Promise.all([slicesOf(bench, lengthMs), load]);
  });
  return [...slices, ...memory];
}

/** The items of the lists would push the others off the page that the reader requests. */
const withoutChildren = (kind: Submission): Submission => ({ ...kind, filter: 'parent=null' });

/** How long a portion takes at full speed, while the other kinds run as well. */
async function portionMs(bench: Bench, kind: Submission, forMs: number): Promise<number> {
  const start = performance.now();
  let portions = 0;
  do {
    await runJobs(bench.api, kind, PORTION, SUBMITTERS_OF_EACH);
    portions++;
  } while (performance.now() < start + forMs);
  return (performance.now() - start) / portions;
}

async function repeatPaced(bench: Bench, kind: Submission, forMs: number, everyMs: number): Promise<void> {
  const start = performance.now();
  for (let portion = 1; performance.now() < start + forMs; portion++) {
    await runJobs(bench.api, kind, PORTION, SUBMITTERS_OF_EACH);
    const pauseMs = Math.min(start + portion * everyMs, start + forMs) - performance.now();
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
