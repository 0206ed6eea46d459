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
import { enforce, recordEnforcement } from './enforce';
import type { TriggerPage } from './rule-book';
import type { EngineParts } from './rules-engine-parts';
import { strangeTexts } from './strange-texts';

/**
 * Deals with an instance that was claimed: asks the rules of its trigger, runs the actions of those that match, and writes
 * down what came of it.
 *
 * 1. Whatever is done here may be done again, from the beginning: after a crash, or because two engines took the instance.
 *    Executions, enforcements and decisions of correlations bear keys, so that the second time finds what the first has made.
 * 2. The instance stays due until everything else is stored.
 * 3. When the store cannot be reached nothing is decided. Anything else that goes wrong with the instance as a whole ends it
 *    as `processing_failed` with a reason, from where it can be taken up again.
 *
 * @param again an earlier try may have done some of it
 */
export async function processInstance(
  parts: EngineParts,
  instance: TriggerInstanceRecord,
  again: boolean,
): Promise<void> {
  const { clock, metrics } = parts;
  const startMs = clock.monotonicMs();
  let outcome: TriggerInstanceOutcome;
  try {
    outcome = await applyRules(parts, instance, again);
  } catch (error) {
    if (isUnreachable(error)) throw error;
    parts.logger.error('A trigger instance could not be processed.', { trigger_instance: instance._id, error });
    outcome = { matched: [], rules: 0, reason: messageOf(error) };
  }
  await finish(parts, instance, outcome);
  metrics.time('rule.processed', clock.monotonicMs() - startMs);
  metrics.time('trigger.{trigger}.processed', clock.monotonicMs() - startMs, { trigger: instance.trigger });
}

async function applyRules(
  parts: EngineParts,
  instance: TriggerInstanceRecord,
  again: boolean,
): Promise<TriggerInstanceOutcome> {
  const { book, lookupFor, systemUser, metrics } = parts;
  const page = await book.page(instance.trigger);
  if (!page.trigger && page.rules.rules.length === 0)
    return { matched: [], rules: 0, reason: `There is no trigger "${instance.trigger}".` };
  const match = await matchEvent(page.rules, instance.payload, {
    // Ages of dates are those at the time of the event: asked again later, the answer is the same.
    now: instance.occurrence_time,
    ...(lookupFor ? { lookup: lookupFor({ user: systemUser }) } : {}),
  });
  for (const { rule, reason } of match.failed) await matchingFailed(parts, instance, rule.record, reason);
  for (const { record } of match.matched) {
    metrics.count('rule.matched');
    metrics.count('rule.{rule}.matched', { rule: record.ref });
  }
  return act(parts, instance, { page, match, again });
}

const matchingFailed = (parts: EngineParts, instance: TriggerInstanceRecord, rule: RuleRecord, reason: string) =>
  recordEnforcement(parts, instance, rule, {
    reason: `Failed to match rule "${rule.ref}" against trigger instance "${instance._id}": ${reason}`,
  });

interface Acting {
  readonly page: TriggerPage;
  readonly match: EventMatch;
  readonly again: boolean;
}

/** The matched rules act, one after the other; that one fails keeps no other from it. */
async function act(
  parts: EngineParts,
  instance: TriggerInstanceRecord,
  { page, match, again }: Acting,
): Promise<TriggerInstanceOutcome> {
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
    const execution = await enforce(parts, { rule: rule.record, instance, trace, cause, payload, again });
    acted.push(rule.record);
    if (execution) executions.push(execution);
    await touch();
  }
  await traces.noteInstance(trace, instance, { rules: acted, executions });
  return outcomeOf(match, suppressed);
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

async function finish(
  { store }: EngineParts,
  { _id }: TriggerInstanceRecord,
  outcome: TriggerInstanceOutcome,
): Promise<void> {
  const done = { status: outcome.reason === undefined ? 'processed' : 'processing_failed', outcome };
  await store.triggerInstances.change(_id, ['processing'], { set: done, unset: ['due', 'due_at'] });
}
