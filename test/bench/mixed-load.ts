import { withActions } from './actions-over-http';
import type { Bench } from './bench';
import { ECHO, NOOP } from './job-scenarios';
import type { Measurement } from './measurement';
import { greet, ofPython } from './python-action';
import { memoryAround } from './resource-scenarios';
import { runJobs, type Submission } from './submit';
import { ofWebhook, withWebhookRule } from './webhook';
import { chain, ofWorkflow, withItems, withWorkflows } from './workflows';

const HOUR_MS = 3_600_000;
/** Executions of one kind between two checks of the time. */
const PORTION = 20;
const SUBMITTERS_OF_EACH = 4;

/** The memory before and after an hour (at scale 1) of all kinds of work at once. */
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
  return memoryAround(bench, 'mixed load', async () => {
    const end = performance.now() + HOUR_MS * bench.scale;
    await Promise.all(kinds.map((kind) => repeatUntil(bench, kind, end)));
  });
}

/** The items of the lists would push the others off the page that the reader requests. */
const withoutChildren = (kind: Submission): Submission => ({ ...kind, filter: 'parent=null' });

async function repeatUntil(bench: Bench, kind: Submission, end: number): Promise<void> {
  do await runJobs(bench.api, kind, PORTION, SUBMITTERS_OF_EACH);
  while (performance.now() < end);
}
