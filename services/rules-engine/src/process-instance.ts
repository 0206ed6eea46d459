import { messageOf, SECOND_MS } from '@switchyard/base';
import { matchEvent, type EventMatch } from '@switchyard/expressions';
import type {
  CompiledRule,
  ExecutionRecord,
  RuleRecord,
  TriggerInstanceOutcome,
  TriggerInstanceRecord,
} from '@switchyard/model';
import { isUnreachable } from '@switchyard/storage';
import { instanceCause } from './cause';
import { collected } from './collected';
import { correlate, isCorrelated } from './correlate';
import { enforce, recordEnforcement, type Enforcement } from './enforce';
import type { TriggerPage } from './rule-book';
import type { EngineParts } from './rules-engine-parts';
import { strangeTexts } from './strange-texts';

/*
 * Dealing with an instance: the rules of its trigger are asked, the actions of those that match are run, and what came of it is
 * written down.
 *
 * 1. Asking rules changes nothing, so it needs no claim. Most instances concern no rule: they end with one compare-and-set.
 * 2. Whatever is done may be done again, from the beginning: after a crash, or because two engines took the instance.
 *    Executions, enforcements and decisions of correlations bear keys, so that the second time finds what the first has made.
 * 3. The instance stays due until everything else is stored.
 * 4. When the store cannot be reached nothing is decided. Anything else that goes wrong with the instance as a whole ends it
 *    as `processing_failed` with a reason, from where it can be taken up again.
 */

/** Deals with an instance that nobody has claimed; it is claimed if something has to be done for it. */
export const processPending = (parts: EngineParts, instance: TriggerInstanceRecord): Promise<void> =>
  dealWith(parts, { instance, claimed: false, again: false });

/** Deals with an instance that was claimed. @param again an earlier try may have done some of it */
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

/** Why an instance as a whole could not be dealt with. */
interface Failure {
  readonly reason: string;
}

const failure = ({ reason }: Failure): TriggerInstanceOutcome => ({ matched: [], rules: 0, reason });

async function orReason<T>({ logger }: EngineParts, { instance }: Taken, run: () => Promise<T>): Promise<T | Failure> {
  try {
    return await run();
  } catch (error) {
    if (isUnreachable(error)) throw error;
    logger.error('A trigger instance could not be processed.', { trigger_instance: instance._id, error });
    return { reason: messageOf(error) };
  }
}

/** What the rules of a trigger say about an instance. */
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
    // Ages of dates are those at the time of the event: asked again later, the answer is the same.
    now: instance.occurrence_time,
    allowance: expressionLimits,
    ...(lookup ? { lookup } : {}),
  });
  return { page, match };
}

/** Nothing is left to do but to write down that the instance has ended, and at most the trace that it begins. */
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

/** The matched rules act, one after the other; that one fails keeps no other from it. */
async function act(parts: EngineParts, { instance, again }: Taken, { page, match }: Asked) {
  for (const { rule, reason } of match.failed) await matchingFailed(parts, instance, rule.record, reason);
  count(parts, match);
  // Nothing joins the trace of such an instance, and it can be told from the instance itself.
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

/** Whatever is wrong with what a rule asks for is recorded at the rule. */
async function enforced(parts: EngineParts, enforcement: Enforcement): Promise<ExecutionRecord | undefined> {
  try {
    return await enforce(parts, enforcement);
  } catch (error) {
    if (isUnreachable(error)) throw error;
    const { rule, instance } = enforcement;
    parts.logger.error('A rule could not act.', { rule: rule.ref, trigger_instance: instance._id, error });
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

/** What the action of a rule sees of the instance; or that it does not run, because of others, or of a mistake. */
async function payloadFor(
  parts: EngineParts,
  instance: TriggerInstanceRecord,
  rule: CompiledRule,
): Promise<Readonly<Record<string, unknown>> | 'suppressed' | 'failed'> {
  if (!isCorrelated(rule)) return instance.payload;
  try {
    const { run, members } = await correlate(parts, rule, instance);
    if (!run) return 'suppressed';
    return members ? await collected(parts.store, instance, members) : instance.payload;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    const reason = `Failed to group trigger instance "${instance._id}" for rule "${rule.record.ref}": ${messageOf(error)}`;
    await recordEnforcement(parts, instance, rule.record, { reason });
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

/** Work that takes long keeps the instance from counting as left behind. */
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
