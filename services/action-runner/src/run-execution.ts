import { deferred, messageOf, type Clock, type Micros } from '@switchyard/base';
import {
  createOutputWriter,
  type ConfigFor,
  type Executions,
  type OutputWriter,
  type StoredResult,
} from '@switchyard/executions';
import { retrying } from '@switchyard/host';
import type { RunToken, Tokens } from '@switchyard/identity';
import { announcement, type Publisher } from '@switchyard/messaging';
import { sameJson, type Claim, type ExecutionRecord, type Status } from '@switchyard/model';
import type { RunAbilities, RunHandle, RunnerPlugin, RunResult } from '@switchyard/runners';
import { isUnreachable, type Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import { executionKey, type Dispatch } from '@switchyard/triggers';
import { prepareRun, type RunSettings } from './prepare-run';

export interface RunDeps {
  store: Pick<Store, 'output' | 'definitions'>;
  executions: Executions;
  runners: ReadonlyMap<string, RunnerPlugin>;
  tokens: Pick<Tokens, 'issueForRun'>;
  configFor: ConfigFor;
  dispatch: Dispatch;
  publisher: Publisher;
  /** Whether this process still owns an execution whose action is about to start. May wait until the store tells. */
  mayStart(execution: ClaimedExecution): Promise<boolean>;
  settings: RunSettings;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'time'>;
}

export type ClaimedExecution = ExecutionRecord & { claim: Claim };

/** A claimed execution that this process works on. */
export interface ActionRun {
  readonly execution: ClaimedExecution;
  /** Settles, and never rejects, when the final status is in the store or the execution belongs to another process. */
  readonly finished: Promise<void>;
  /** Whether its action is running. */
  isWorking(): boolean;
  /**
   * Stops the work: first gracefully, then by force. Does nothing once the work has ended by itself.
   * @param as the status that the execution ends with
   */
  stop(as: 'canceled' | 'abandoned'): void;
}

/** The statuses in which a run may end. `canceling` is included because a run may finish before its cancel arrives. */
const WORKING: readonly Status[] = ['running', 'pausing', 'resuming', 'canceling'];

/** Works on a claimed execution until it ends. The first cause of the end wins. */
export function startActionRun(deps: RunDeps, execution: ClaimedExecution): ActionRun {
  const { spans } = deps.executions;
  let handle: RunHandle | undefined;
  let stopAs: 'canceled' | 'abandoned' | undefined;
  let hasEnded = false;
  const stopped = deferred();
  const work = async (): Promise<RunResult> => {
    const definition = await persistently(deps, execution, () => deps.store.definitions.get(execution.definition));
    if (!definition) return failure(`The definition of action "${execution.action_ref}" is not in the store.`);
    const prepared = await persistently(deps, execution, () => prepareRun(deps, execution, definition));
    const dropToken = prepared.token && (await keepToken(deps, execution, prepared.token, prepared.runner));
    const output = createOutputWriter(
      { ...deps, output: deps.store.output, announce: deps.executions.announce },
      execution,
      { bufferBytes: deps.settings.outputBufferBytes },
    );
    try {
      const mayStart = persistently(deps, execution, () => deps.mayStart(execution));
      if (!(await Promise.race([mayStart, stopped.promise.then(() => false)]))) stopAs ??= 'abandoned';
      if (stopAs) return { status: stopAs, result: {} };
      handle = prepared.runner.run(prepared.request, createAbilities(deps, execution, output));
      return await handle.result;
    } finally {
      hasEnded = true;
      await Promise.all([output.finish(), dropToken?.()]);
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
    finished: spans.recorder.within(spans.ofRun(execution), finish).catch((error: unknown) => {
      deps.logger.error('Failed to record the end of an execution; recovery will complete it.', {
        ...pointers(execution),
        error,
      });
    }),
    isWorking: () => handle !== undefined && !hasEnded,
    stop(as) {
      if (hasEnded) return;
      stopAs ??= as;
      stopped.resolve();
      handle?.cancel();
    },
  };
}

/** The part of this service that the runner of one execution may use. */
export function createAbilities(deps: RunDeps, execution: ClaimedExecution, output: OutputWriter): RunAbilities {
  const { settings, dispatch, publisher, configFor } = deps;
  const { claim, _id: id, context } = execution;
  const pack = context['pack'];
  return {
    logger: deps.logger,
    config: settings,
    output: settings.streamOutput ? output.write : () => undefined,
    /** Stored at once: recovery ends this process group if this process dies. */
    async started({ pid, startTime, bootId }) {
      const process = { host: claim.host, pid, start_time: startTime, boot_id: bootId };
      const stored = await persistently(deps, execution, () => deps.executions.setProcess(execution, process));
      if (!stored) throw new Error('the execution was taken over by another process');
    },
    packConfig: async () => (typeof pack === 'string' ? (await configFor(pack, context)).values : {}),
    async dispatch(trigger, payload) {
      const traceContext = await deps.executions.traces.ofExecution(execution);
      const requestKey = executionKey(id, claim.number, trigger);
      await dispatch({ trigger, payload, requestKey, validate: false, traceContext });
    },
    async announce(route, payload) {
      const { id_, trace_tag } = await deps.executions.traces.ofExecution(execution);
      await publisher.publish(announcement({ route, payload, trace_context: { id_, trace_tag } }));
    },
  };
}

function measureRun({ metrics, clock }: RunDeps, { action_ref: action }: ExecutionRecord, startMs: number): void {
  const durationMs = clock.monotonicMs() - startMs;
  metrics.time('action.executions', durationMs);
  metrics.time('action.{action}.executions', durationMs, { action });
}

/** The token of a shorter run is not stored if it probably has not been used. */
const BRIEF_MS = 50;

/** Stores the token of a run that begins, or later if it lasts. @returns revokes it */
async function keepToken(
  deps: RunDeps,
  execution: ExecutionRecord,
  token: RunToken,
  { rarelyCallsApi }: RunnerPlugin,
): Promise<() => Promise<void>> {
  const store = () => persistently(deps, execution, () => token.store());
  const revoke = () => revokeToken(deps, execution, token);
  if (rarelyCallsApi !== true) {
    await store().catch(async (error: unknown) => {
      await revoke();
      throw error;
    });
    return revoke;
  }
  const failed = (error: unknown) =>
    deps.logger.warn('Failed to store the token of a run; requests with it will be refused.', {
      ...pointers(execution),
      error,
    });
  const isOver = deps.clock.after(BRIEF_MS, () => void store().catch(failed));
  return () => {
    isOver();
    return revoke();
  };
}

/** Revokes the token without making the run wait for the store: an unavailable store delays it, or the token expires. */
async function revokeToken(deps: RunDeps, execution: ExecutionRecord, token: RunToken): Promise<void> {
  await token.revoke().catch(() => {
    persistently(deps, execution, () => token.revoke()).catch((error: unknown) =>
      deps.logger.warn('Failed to revoke the token of a run; it will expire.', { ...pointers(execution), error }),
    );
  });
}

/** A success whose result violates the output schema becomes a failure. */
async function checked(deps: RunDeps, execution: ClaimedExecution, outcome: RunResult): Promise<RunResult> {
  if (outcome.status !== 'succeeded') return outcome;
  const wrong = await deps.executions.checkOutput(execution, outcome.result);
  return wrong ? { ...outcome, status: 'failed', result: wrong } : outcome;
}

const failure = (error: string): RunResult => ({ status: 'failed', result: { error } });

/** After this many refusals by a reachable store, the result is considered impossible to store. */
const TRIES_WITH_RESULT = 10;

/**
 * Writes the end, however long it takes. Does nothing if the claim no longer holds: another process has decided about
 * the execution.
 */
async function recordEnd(deps: RunDeps, execution: ClaimedExecution, outcome: RunResult): Promise<void> {
  const { clock, logger, metrics } = deps;
  let toStore = outcome;
  let refusals = 0;
  const at = clock.turnMicros(execution.claim.instance);
  const write = async () => {
    const startMs = clock.monotonicMs();
    const ended = await writeEnd(deps, execution, toStore, at);
    metrics.time('action.executions.update_status', clock.monotonicMs() - startMs);
    if (!ended)
      logger.warn('An execution was taken over by another process; discarding its result.', pointers(execution));
  };
  await retrying(write, {
    clock,
    again(error) {
      logger.warn('Failed to store the end of an execution; retrying.', { ...pointers(execution), error });
      if (!isUnreachable(error) && ++refusals === TRIES_WITH_RESULT)
        toStore = failure(`The result could not be stored: ${messageOf(error)}`);
      return true;
    },
  });
}

async function writeEnd(
  { executions }: RunDeps,
  execution: ClaimedExecution,
  { status, result, context }: RunResult,
  at: Micros,
): Promise<ExecutionRecord | undefined> {
  const { claim } = execution;
  const stored: StoredResult =
    status === 'canceled' ? { set: {}, unset: [] } : await executions.results.store(execution, result);
  const changes = {
    claim,
    at,
    known: execution,
    set: { ...stored.set, ...contextChanges(context) },
    unset: [...stored.unset, 'process'] as const,
  };
  const wanted = status === 'canceled' ? WORKING : WORKING.filter((from) => from !== 'canceling');
  const ended = await executions.transition(execution, status, { ...changes, from: wanted });
  // An earlier attempt was stored after all, so its result is in the record.
  if (ended && sameJson(ended.result_blob, stored.set['result_blob'])) return ended;
  await executions.results.discard(stored);
  if (ended) return ended;
  // A cancel request came first: it takes precedence, with its result.
  const current = await executions.records.get(execution._id);
  if (current?.status !== 'canceling') return undefined;
  return executions.transition(current, 'canceled', { claim, from: ['canceling'], unset: ['process'] });
}

const contextChanges = (context: Record<string, unknown> | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(context ?? {}).map(([key, value]) => [`context.${key}`, value]));

/** Number of attempts while the store is unavailable: about five minutes. */
const TRIES = 35;

/**
 * Retries while the store is unavailable, rather than failing a run that could continue. Any other error is rethrown at
 * once.
 */
export const persistently = <T>(
  { clock, logger }: Pick<RunDeps, 'clock' | 'logger'>,
  execution: ExecutionRecord,
  action: () => Promise<T>,
): Promise<T> =>
  retrying(action, {
    clock,
    again(error, attempt) {
      if (!isUnreachable(error) || attempt >= TRIES) return false;
      logger.warn('The store is unavailable; the run is waiting for it.', { ...pointers(execution), error });
      return true;
    },
  });

/** The fields of an execution that log lines carry. */
const pointers = ({ _id, liveaction_id, action_ref }: ExecutionRecord) => ({
  execution_id: _id,
  liveaction_id,
  action: action_ref,
});
