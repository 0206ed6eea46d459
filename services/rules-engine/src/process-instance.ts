import { messageOf, MS_MICROS, SECOND_MS } from '@switchyard/base';
import { matchEvent, type EventMatch } from '@switchyard/expressions';
import type {
  CompiledRule,
  ExecutionRecord,
  RuleRecord,
  TriggerInstanceOutcome,
  TriggerInstanceRecord,
} from '@switchyard/model';
import { isUnreachable } from '@switchyard/storage';
import { collected, correlate } from './correlate';
import { enforce, instanceCause, recordEnforcement, type Enforcement, strangeTexts } from './enforce';
import type { TriggerPage } from './rule-book';
import type { EngineParts } from './rules-engine';

/*
 * Processes an instance: evaluates the rules of its trigger, runs the actions of those that match, and records the
 * outcome.
 *
 * 1. Evaluating rules changes nothing, so it needs no claim. Most instances match no rule: they end with one
 *    compare-and-set.
 * 2. Every step may be repeated from the beginning: after a crash, or because two engines took the instance. Executions,
 *    enforcements and decisions of correlations carry keys, so a second attempt finds the records of the first.
 * 3. The instance stays due until everything else is stored.
 * 4. While the store is unavailable nothing is decided. Any other failure of the instance as a whole ends it as
 *    `processing_failed` with a reason; it can be replayed from there.
 */

/** Processes an unclaimed instance. Claims it if there is something to do. */
export const processPending = (parts: EngineParts, instance: TriggerInstanceRecord): Promise<void> =>
  dealWith(parts, { instance, claimed: false, again: false });

/** Processes a claimed instance. @param again whether an earlier attempt may have done some of the work */
export const processInstance = (parts: EngineParts, instance: TriggerInstanceRecord, again: boolean): Promise<void> =>
  dealWith(parts, { instance, claimed: true, again });

interface Taken {
  readonly instance: TriggerInstanceRecord;
  readonly claimed: boolean;
  readonly again: boolean;
}

async function dealWith(parts: EngineParts, found: Taken): Promise<void> {
  const { clock, metrics } = parts;
  const startMs = clock.monotonicMs();
  const asked = await orReason(parts, found, () => ask(parts, found.instance));
  const taken = isUneventful(asked) ? found : await claimed(parts, found);
  if (!taken) return;
  const outcome = 'reason' in asked ? failure(asked) : await orReason(parts, taken, () => act(parts, taken, asked));
  await finish(parts, taken, 'matched' in outcome ? outcome : failure(outcome));
  const tookMs = clock.monotonicMs() - startMs;
  metrics.time('rule.processed', tookMs);
  metrics.time('trigger.{trigger}.processed', tookMs, { trigger: found.instance.trigger });
}

/** The reason why an instance as a whole could not be processed. */
interface Failure {
  readonly reason: string;
}

const failure = ({ reason }: Failure): TriggerInstanceOutcome => ({ matched: [], rules: 0, reason });

async function orReason<T>({ logger }: EngineParts, { instance }: Taken, run: () => Promise<T>): Promise<T | Failure> {
  try {
    return await run();
  } catch (error) {
    if (isUnreachable(error)) throw error;
    logger.error('Failed to process a trigger instance.', { trigger_instance: instance._id, error });
    return { reason: messageOf(error) };
  }
}

/** Evaluates the rules of a trigger for an instance. */
interface Asked {
  readonly page: TriggerPage;
  readonly match: EventMatch;
}

async function ask(
  { book, lookup, expressionLimits }: EngineParts,
  instance: TriggerInstanceRecord,
): Promise<Asked | Failure> {
  const page = await book.page(instance.trigger);
  if (!page.trigger && page.rules.rules.length === 0) return { reason: `There is no trigger "${instance.trigger}".` };
  const match = await matchEvent(page.rules, instance.payload, {
    // Ages of dates refer to the time of the event, so a later evaluation gives the same result.
    now: instance.occurrence_time,
    allowance: expressionLimits,
    ...(lookup ? { lookup } : {}),
  });
  return { page, match };
}

/** Only the end of the instance and, possibly, the trace that it begins are left to store. */
const isUneventful = (asked: Asked | Failure): boolean =>
  'reason' in asked || (asked.match.matched.length === 0 && asked.match.failed.length === 0);

async function claimed({ store, clock }: EngineParts, found: Taken): Promise<Taken | undefined> {
  if (found.claimed) return found;
  const instance = await store.triggerInstances.claim(found.instance._id, clock.nowMicros());
  return instance && { ...found, instance, claimed: true };
}

const matchingFailed = (parts: EngineParts, instance: TriggerInstanceRecord, rule: RuleRecord, reason: string) =>
  recordEnforcement(parts, instance, rule, {
    reason: `Failed to match rule "${rule.ref}" against trigger instance "${instance._id}": ${reason}`,
  });

/** Runs the matched rules one after the other. A rule that fails does not affect the others. */
async function act(parts: EngineParts, { instance, again }: Taken, { page, match }: Asked) {
  for (const { rule, reason } of match.failed) await matchingFailed(parts, instance, rule.record, reason);
  count(parts, match);
  // Nothing else joins the trace of such an instance, and the trace can be derived from the instance.
  if (match.matched.length === 0 && !instance.trace_context) return outcomeOf(match, []);
  const { traces } = parts.executions;
  const trace = await traces.ofInstance(instance);
  const touch = keptDue(parts, instance);
  const cause = match.matched.length > 0 ? instanceCause(instance, page) : {};
  const acted: RuleRecord[] = [];
  const executions: ExecutionRecord[] = [];
  const suppressed: { rule: string; by: string }[] = [];
  for (const rule of match.matched) {
    const payload = await payloadFor(parts, instance, rule);
    if (payload === 'suppressed') suppressed.push({ rule: rule.record.ref, by: rule.correlation?.name ?? '' });
    if (typeof payload === 'string') continue;
    const execution = await enforced(parts, { rule: rule.record, instance, trace, cause, payload, again });
    acted.push(rule.record);
    if (execution) executions.push(execution);
    await touch();
  }
  await traces.noteInstance(trace, instance, { rules: acted, executions });
  return outcomeOf(match, suppressed);
}

/** Errors in what a rule requests are recorded at the rule. */
async function enforced(parts: EngineParts, enforcement: Enforcement): Promise<ExecutionRecord | undefined> {
  try {
    return await enforce(parts, enforcement);
  } catch (error) {
    if (isUnreachable(error)) throw error;
    const { rule, instance } = enforcement;
    parts.logger.error('Failed to enforce a rule.', { rule: rule.ref, trigger_instance: instance._id, error });
    await recordEnforcement(parts, instance, rule, { reason: messageOf(error) });
    return undefined;
  }
}

function count({ metrics }: EngineParts, { matched }: EventMatch): void {
  for (const { record } of matched) {
    metrics.count('rule.matched');
    metrics.count('rule.{rule}.matched', { rule: record.ref });
  }
}

/** The data of the instance for the rule's action, or the reason why it does not run: its correlation, or an error. */
async function payloadFor(
  parts: EngineParts,
  instance: TriggerInstanceRecord,
  { record, correlation }: CompiledRule,
): Promise<Readonly<Record<string, unknown>> | 'suppressed' | 'failed'> {
  if (!correlation) return instance.payload;
  try {
    const { run, members } = await correlate(parts, { record, correlation }, instance);
    if (!run) return 'suppressed';
    return members ? await collected(parts.store, instance, members) : instance.payload;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    const reason = `Failed to group trigger instance "${instance._id}" for rule "${record.ref}": ${messageOf(error)}`;
    await recordEnforcement(parts, instance, record, { reason });
    return 'failed';
  }
}

function outcomeOf(match: EventMatch, suppressed: { rule: string; by: string }[]): TriggerInstanceOutcome {
  const warnings = match.matched.flatMap(({ record }) => strangeTexts(record));
  return {
    matched: match.matched.map(({ record }) => record.ref),
    rules: match.asked,
    ...(suppressed.length > 0 ? { suppressed } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** Refreshes the claim during long work, so that the instance does not count as abandoned. */
function keptDue({ store, clock }: EngineParts, { _id }: TriggerInstanceRecord): () => Promise<void> {
  let lastMs = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - lastMs < SECOND_MS) return;
    lastMs = clock.monotonicMs();
    await store.triggerInstances.postpone([_id], clock.nowMicros());
  };
}

function finish(
  { instances }: EngineParts,
  { instance, claimed }: Taken,
  outcome: TriggerInstanceOutcome,
): Promise<void> {
  const status = outcome.reason === undefined ? 'processed' : 'processing_failed';
  return instances.end({ id: instance._id, from: claimed ? 'processing' : 'pending', status, outcome });
}

const BATCH = 500;
const AT_A_TIME = 20;

/**
 * Picks up overdue instances: their message was lost, or their engine died.
 * @param pendingForMs how long an instance may be pending before its message counts as lost
 * @param silentForMs how long an instance may stay with an engine that does not refresh its claim
 */
export async function sweepInstances(
  parts: EngineParts,
  { pendingForMs, silentForMs }: { pendingForMs: number; silentForMs: number },
): Promise<void> {
  const { store, clock } = parts;
  const now = clock.nowMicros();
  for (;;) {
    const overdue = await store.triggerInstances.overdue(now - pendingForMs * MS_MICROS, BATCH);
    const left = overdue.filter(
      ({ status, due_at: dueAt = 0 }) => status === 'pending' || dueAt < now - silentForMs * MS_MICROS,
    );
    await takeUp(parts, left);
    if (overdue.length < BATCH || left.length === 0) return;
  }
}

async function takeUp(parts: EngineParts, instances: readonly TriggerInstanceRecord[]): Promise<void> {
  const waiting = [...instances];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const claimed = await parts.store.triggerInstances.reclaim(next, parts.clock.nowMicros());
      if (claimed) await processInstance(parts, claimed, next.status === 'processing');
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}
