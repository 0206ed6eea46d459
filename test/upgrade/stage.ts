import { join } from 'node:path';
import { settled } from '../faults/checks';
import { journalProblems } from '../faults/journal';
import { startLoad } from '../faults/load';
import { burstOutcome, listen, untilDealtWith } from '../faults/webhook-checks';
import { judge, submitAll } from '../faults/workflows/judge';
import type { RandomWorkflow } from '../faults/workflows/random-workflows';
import type { ApiCaller } from '../system/api-caller';
import { sendEvents } from './events';

/** One stage of an upgrade: processes are replaced while executions, events and workflows are in progress. */
export interface Stage {
  readonly name: string;
  /** For the journal of the commands. It also marks their processes. */
  readonly directory: string;
  readonly random: () => number;
  readonly workflows: readonly RandomWorkflow[];
  /** The longest pause between two requests of a submitter. */
  readonly pauseMs: number;
  /** The API before the change. */
  readonly api: ApiCaller;
  /** Replaces processes. @returns the API afterwards */
  change(): Promise<ApiCaller>;
}

export interface StageReport {
  readonly name: string;
  readonly problems: readonly string[];
  readonly line: string;
}

/** Everything must have ended this long after a change, even on a busy machine. */
const SETTLE_MS = 120_000;
/** Requests and events after the change. */
const MORE = 20;

/** Nothing that was accepted may be lost, run twice, or have another outcome than without the change. */
export async function runStage(stage: Stage): Promise<StageReport> {
  const { name, directory, random, workflows, pauseMs } = stage;
  const hook = name.replaceAll(/\W+/g, '-');
  const journal = join(directory, `journal-${hook}`);
  const listener = await listen(stage.api, hook);
  const load = startLoad(stage.api, journal, random, pauseMs);
  const events = sendEvents(stage.api, hook, random, pauseMs);
  const submitted = await submitAll(stage.api, workflows);
  const api = await stage.change();
  load.endAfter(MORE);
  await load.stop();
  await events.stop();
  const after = await submitAll(api, workflows);
  const open = await untilDealtWith(api, listener, SETTLE_MS);
  const { line, problems } = await judge(api, [...submitted, ...after], { kills: [], directory });
  const ended = await settled(api, load.accepted, SETTLE_MS);
  const outcome = await burstOutcome(api, listener, events);
  return {
    name,
    problems: [
      ...open,
      ...problems,
      ...ended.problems,
      ...journalProblems(journal, ended.succeeded),
      ...outcome.problems,
    ],
    line: `${load.accepted.size} executions ${JSON.stringify(ended.statuses)}, ${events.answered.size} events, ${line}`,
  };
}
