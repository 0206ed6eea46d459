import { MS_MICROS } from '@switchyard/base';
import { createOutputWriter, type OutputWriter, type StoredResult } from '@switchyard/executions';
import { isTerminal, mayMove, type ExecutionRecord, type Status, type TerminalStatus } from '@switchyard/model';
import type { Changes, Conductor, EntryDocument } from '@switchyard/workflow';
import { cancellerOfTree, hasPendingControl } from './control';
import type { Engine, WorkflowRun } from './run';
import { chainResult, chainStatus, workflowResult } from './run-result';
import { publishedSecrets } from './run-secrets';
import type { Submission } from './submissions';

/**
 * Brings the status of a run's execution in line with the run.
 * @param parentHears whether the outer workflow finds out by itself if the run ends now
 */
export async function syncExecution(engine: Engine, run: WorkflowRun, parentHears = false): Promise<void> {
  while (!isTerminal(run.execution.status)) {
    const { execution } = run;
    const aim = aimOf(run.conductor.status);
    if (execution.status === aim || (!isTerminal(aim) && hasPendingControl(run))) break;
    const moved =
      isTerminal(aim) && !showsResume(run)
        ? await end(engine, run, aim, parentHears)
        : await move(engine, run, stepTowards(execution.status, isTerminal(aim) ? 'running' : aim));
    run.execution = moved ?? (await engine.executions.records.get(execution._id)) ?? execution;
    if (!moved && run.execution.revision === execution.revision) break;
  }
  run.goesOn = false;
}

/** A run that goes on and ends in the same turn has run in between. */
const showsResume = ({ goesOn, execution: { status } }: WorkflowRun): boolean =>
  goesOn && (status === 'paused' || status === 'resuming');

/** Statuses of a run that its execution shows as running. */
const RUNNING: readonly string[] = ['unset', 'requested', 'scheduled', 'delayed', 'running', 'resuming', 'retrying'];

const aimOf = (status: string): Status => (RUNNING.includes(status) ? 'running' : (status as Status));

/** Some transitions need an intermediate status. */
function stepTowards(from: Status, aim: Status): Status {
  if (mayMove(from, aim)) return aim;
  return from === 'paused' ? 'resuming' : 'running';
}

/** Statuses that the parent workflow has to know. */
const TOLD: readonly Status[] = ['paused', 'running'];

/** A paused chain shows the results of its nodes so far. */
async function move(engine: Engine, run: WorkflowRun, to: Status): Promise<ExecutionRecord | undefined> {
  const { execution, definition } = run;
  const isTold = execution.workflow_execution !== undefined && TOLD.includes(to);
  const result = to === 'paused' && definition.chain ? await chainResult(engine, run) : undefined;
  const canceller = await cancellerOfTree(engine, run, to);
  return showing(engine, run, result, (stored) =>
    engine.executions.transition({ _id: execution._id }, to, {
      from: [execution.status],
      revision: execution.revision,
      known: execution,
      ...(isTold ? { due: ['workflow-engine'] } : {}),
      ...stored,
      set: { ...stored.set, ...canceller },
    }),
  );
}

/**
 * Stores a result for a transition. The former result is removed after the transition; the new one, if there is no
 * transition.
 */
async function showing(
  { executions: { results } }: Engine,
  { execution, definition, secrets }: WorkflowRun,
  result: Record<string, unknown> | undefined,
  work: (stored: Partial<StoredResult>) => Promise<ExecutionRecord | undefined>,
): Promise<ExecutionRecord | undefined> {
  if (result === undefined) return work({});
  const schema = definition.chain ? publishedSecrets(secrets, result) : undefined;
  const stored = await results.store(execution, result, schema);
  const moved = await work(stored);
  await (moved ? results.dropFormer(execution) : results.discard(stored));
  return moved;
}

async function end(
  engine: Engine,
  run: WorkflowRun,
  reached: TerminalStatus,
  parentHears: boolean,
): Promise<ExecutionRecord | undefined> {
  const { pool: _, workflow_execution: outer, ...subject } = run.execution;
  // Without it, the end is not due for the outer workflow.
  const record = parentHears || outer === undefined ? subject : { ...subject, workflow_execution: outer };
  const { executions } = engine;
  const status = run.definition.chain ? await chainStatus(engine, run, reached) : reached;
  const result = await workflowResult(engine, run);
  const { warnings, ...output } = result;
  if (warnings !== undefined) warnOf(engine, run, status);
  // Schemas of outputs say nothing about warnings.
  const failure = status === 'succeeded' ? await executions.checkOutput(run.execution, output) : undefined;
  const canceller = await cancellerOfTree(engine, run, status);
  const moved = await showing(engine, run, failure ?? result, async (stored) => {
    await run.progress.finish();
    return executions.transition(record, failure ? 'failed' : status, {
      from: [run.execution.status],
      revision: run.execution.revision,
      known: run.execution,
      ...stored,
      set: { ...stored.set, ...canceller },
    });
  });
  if (moved) recordEnd(engine, run);
  return moved;
}

const warnOf = ({ logger }: Engine, { execution }: WorkflowRun, status: TerminalStatus): void =>
  logger.warn(
    'The parameters of nodes of an action chain could not be rendered; "warnings" in its result names them.',
    {
      execution_id: execution._id,
      action: execution.action_ref,
      status,
    },
  );

const recordEnd = ({ metrics, clock }: Engine, { record }: WorkflowRun): void =>
  metrics.time('orquesta.workflow.executions', (clock.nowMicros() - record.started_at) / MS_MICROS);

/** More chunks of output than one step can give. */
const STEP_SEQUENCES = 2 ** 16;

/** The lines of a short workflow share one write. */
const PROGRESS_DELAY_MS = 250;

type RunStatus = Conductor['status'];

/** Progress lines of a run, written to the output of its execution. */
export interface Progress {
  /** The lines about a step that is about to be written. */
  of(run: WorkflowRun, changes: Changes, submissions: readonly Submission[]): readonly string[];
  /** Adds lines to the output, once their step is written. Readers have them soon; the run does not wait for that. */
  tell(run: WorkflowRun, lines: readonly string[]): void;
  /** Resolves when all lines are in the store. */
  finish(): Promise<void>;
}

/** @param known the status that was last written to the output */
export function createProgress(
  { config, output: stored, executions, clock, logger }: Engine,
  known: RunStatus,
): Progress {
  let output: OutputWriter | undefined;
  let status = known;
  // Lines come with steps, so the revision gives numbers that a previous owner of the run cannot have used.
  const writerFor = ({ execution, history }: WorkflowRun): OutputWriter =>
    createOutputWriter({ output: stored, announce: executions.announce, clock, logger }, execution, {
      before: history.revision * STEP_SEQUENCES,
      delayMs: PROGRESS_DELAY_MS,
    });
  return {
    of(run, changes, submissions) {
      const isFirst = run.history.revision === 0;
      const ended = endedIn(run, changes);
      return [
        ...(isFirst ? [`Workflow execution "${run.record._id}" is created.`] : []),
        ...ended.map((each) => `Task "${each.task}", route "${each.route}" has ended with status "${each.status}".`),
        ...nextLines(submissions, ended.length > 0),
        ...(isFirst && !run.conductor.isCompleted ? [] : statusLines(status, run.conductor.status)),
      ];
    },
    tell(run, lines) {
      status = run.conductor.status;
      if (lines.length === 0 || !config.actionrunner.stream_output) return;
      output ??= writerFor(run);
      void output.write('output', lines.map((line) => `${line}\n`).join(''));
    },
    finish: async () => output?.finish(),
  };
}

/** The tasks that end with a step that is about to be written. */
export function endedIn({ history }: WorkflowRun, { put }: Changes): EntryDocument[] {
  return put.filter(
    (document): document is EntryDocument =>
      document.kind === 'entry' &&
      document.status !== null &&
      isTerminal(document.status as Status) &&
      history.times.get(document.key)?.end === undefined,
  );
}

function nextLines(submissions: readonly Submission[], hasEnded: boolean): string[] {
  const tasks = new Map<string, Submission[]>();
  for (const submission of submissions) {
    const { task, route } = submission.command;
    const key = `${task} (route ${route})`;
    const others = tasks.get(key);
    if (others) others.push(submission);
    else tasks.set(key, [submission]);
  }
  if (tasks.size === 0) return hasEnded ? ['No tasks identified to execute next.'] : [];
  return [
    `Identified the following set of tasks to execute next: ${[...tasks.keys()].join(', ')}`,
    ...[...tasks.values()].map(requestLine),
  ];
}

function requestLine(submissions: readonly Submission[]): string {
  const { task, route, itemsCount } = submissions[0]!.command;
  const items = itemsCount === undefined ? '' : ` (${submissions.length} of ${itemsCount} items)`;
  return `Requesting execution for task "${task}", route "${route}"${items}.`;
}

function statusLines(before: RunStatus, status: RunStatus): string[] {
  if (status === before || status === 'unset') return [];
  return isTerminal(status as Status)
    ? [`The workflow execution is completed with status "${status}".`]
    : [`The status of the workflow execution is "${status}".`];
}
