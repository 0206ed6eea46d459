import { backoffMs, messageOf, SECOND_MS, type Backoff, type Clock, type Micros } from '@switchyard/base';
import { createOutputWriter, type ConfigFor, type Executions } from '@switchyard/executions';
import type { Tokens } from '@switchyard/identity';
import type { Publisher } from '@switchyard/messaging';
import { sameJson, type Claim, type ExecutionRecord, type Status } from '@switchyard/model';
import type { RunHandle, RunnerPlugin, RunResult } from '@switchyard/runners';
import { isUnreachable, type Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { createAbilities } from './abilities';
import { persistently } from './persistently';
import { pointers } from './pointers';
import { prepareRun, type RunSettings } from './prepare-run';

export interface RunDeps {
  store: Pick<Store, 'executions' | 'output' | 'definitions'>;
  executions: Executions;
  runners: ReadonlyMap<string, RunnerPlugin>;
  tokens: Pick<Tokens, 'issueToken' | 'revoke'>;
  configFor: ConfigFor;
  dispatch: Dispatch;
  publisher: Publisher;
  settings: RunSettings;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'time'>;
}

export type ClaimedExecution = ExecutionRecord & { claim: Claim };

/** A claimed execution while this process works on it. */
export interface Run {
  readonly execution: ClaimedExecution;
  /** Settles, never rejects, when the execution has its final status in the store, or belongs to somebody else. */
  readonly finished: Promise<void>;
  /** Stops the work: politely first, then by force. @param as the status it ends with */
  stop(as: 'canceled' | 'abandoned'): void;
}

/** From these a run may end. `canceling` is there because a run may be through before its cancel arrives. */
const WORKING: readonly Status[] = ['running', 'pausing', 'resuming', 'canceling'];

/** Works on a claimed execution to its end. The first cause of the end wins. */
export function startRun(deps: RunDeps, execution: ClaimedExecution): Run {
  let handle: RunHandle | undefined;
  let stopAs: 'canceled' | 'abandoned' | undefined;
  const work = async (): Promise<RunResult> => {
    const definition = await persistently(deps, execution, () => deps.store.definitions.get(execution.definition));
    if (!definition) return failure(`The definition of action "${execution.action_ref}" is not in the store.`);
    const prepared = await persistently(deps, execution, () => prepareRun(deps, execution, definition));
    const output = createOutputWriter(
      { ...deps, output: deps.store.output, announce: deps.executions.announce },
      execution,
      { bufferBytes: deps.settings.outputBufferBytes },
    );
    try {
      if (stopAs) return { status: stopAs, result: {} };
      handle = prepared.runner.run(prepared.request, createAbilities(deps, execution, output));
      return await handle.result;
    } finally {
      await output.finish();
      if (prepared.token) await revokeToken(deps, execution, prepared.token);
    }
  };
  const finish = async () => {
    const startMs = deps.clock.monotonicMs();
    deps.logger.audit('Launching action execution.', pointers(execution));
    const outcome = await work()
      .then((result) => persistently(deps, execution, () => checked(deps, execution, result)))
      .catch((error: unknown) => failure(messageOf(error)));
    await recordEnd(deps, execution, stopAs ? { ...outcome, status: stopAs } : outcome);
    measureRun(deps, execution, startMs);
  };
  return {
    execution,
    finished: finish().catch((error: unknown) => {
      deps.logger.error('The end of an execution could not be recorded; recovery will.', {
        ...pointers(execution),
        error,
      });
    }),
    stop(as) {
      stopAs ??= as;
      handle?.cancel();
    },
  };
}

function measureRun({ metrics, clock }: RunDeps, { action_ref: action }: ExecutionRecord, startMs: number): void {
  const durationMs = clock.monotonicMs() - startMs;
  metrics.time('action.executions', durationMs);
  metrics.time('action.{action}.executions', durationMs, { action });
}

/** The run does not wait for a store that is away: the token is revoked once it is back, or expires. */
async function revokeToken(deps: RunDeps, execution: ExecutionRecord, token: string): Promise<void> {
  const revoke = () => deps.tokens.revoke(token);
  await revoke().catch(() => {
    persistently(deps, execution, revoke).catch((error: unknown) =>
      deps.logger.warn('The token of a run could not be revoked; it will expire.', { ...pointers(execution), error }),
    );
  });
}

/** A success whose result is not what its schema promises is a failure. */
async function checked(deps: RunDeps, execution: ClaimedExecution, outcome: RunResult): Promise<RunResult> {
  if (outcome.status !== 'succeeded') return outcome;
  const wrong = await deps.executions.checkOutput(execution, outcome.result);
  return wrong ? { ...outcome, status: 'failed', result: wrong } : outcome;
}

const failure = (error: string): RunResult => ({ status: 'failed', result: { error } });

/** How long to wait before the end of a run is written once more, while the store does not answer. */
const RETRY: Backoff = { initialMs: 500, factor: 2, maxMs: 10 * SECOND_MS };

/** When a store that can be reached has refused a result so often, the result itself is taken for what cannot be stored. */
const TRIES_WITH_RESULT = 10;

/**
 * Writes the end, however long it takes. Nothing happens when the claim is no longer ours: somebody else has decided about
 * the execution.
 */
async function recordEnd(deps: RunDeps, execution: ClaimedExecution, outcome: RunResult): Promise<void> {
  const { clock, logger, metrics } = deps;
  let toStore = outcome;
  let refusals = 0;
  const at = clock.nowMicros();
  for (let attempt = 1; ; attempt++) {
    try {
      const startMs = clock.monotonicMs();
      const ended = await writeEnd(deps, execution, toStore, at);
      metrics.time('action.executions.update_status', clock.monotonicMs() - startMs);
      if (!ended)
        logger.warn('An execution was taken over by another process; its result is dropped.', pointers(execution));
      return;
    } catch (error) {
      logger.warn('The end of an execution could not be stored; trying again.', { ...pointers(execution), error });
      if (!isUnreachable(error) && ++refusals === TRIES_WITH_RESULT)
        toStore = failure(`The result could not be stored: ${messageOf(error)}`);
      await new Promise<void>((resolve) => clock.after(backoffMs(RETRY, attempt), resolve));
    }
  }
}

async function writeEnd(
  { store, executions }: RunDeps,
  execution: ClaimedExecution,
  { status, result, context }: RunResult,
  at: Micros,
): Promise<ExecutionRecord | undefined> {
  const { claim } = execution;
  const stored = status === 'canceled' ? { set: {}, unset: [] } : await executions.results.store(execution, result);
  const changes = {
    claim,
    at,
    set: { ...stored.set, ...contextChanges(context) },
    unset: [...stored.unset, 'process'],
  };
  const wanted = status === 'canceled' ? WORKING : WORKING.filter((from) => from !== 'canceling');
  const ended = await executions.transition(execution, status, { ...changes, from: wanted });
  // An earlier try has counted after all: its result is the one in the record.
  if (ended && sameJson(ended.result_blob, stored.set['result_blob'])) return ended;
  await executions.results.discard(stored);
  if (ended) return ended;
  // A cancel request came first: it stands, and so does the result that it left.
  const current = await store.executions.get(execution._id);
  if (current?.status !== 'canceling') return undefined;
  return executions.transition(current, 'canceled', { claim, from: ['canceling'], unset: ['process'] });
}

const contextChanges = (context: Record<string, unknown> | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(context ?? {}).map(([key, value]) => [`context.${key}`, value]));
