import { createHash } from 'node:crypto';
import { MS_MICROS, SECOND_MICROS, type Id, type Micros } from '@switchyard/base';
import { inTurns, renderText } from '@switchyard/expressions';
import {
  decideCorrelation,
  nextRipe,
  parseCorrelation,
  ripe,
  settled,
  stateLifeMicros,
  taken,
  type CompiledRule,
  type CorrelatedEvent,
  type Correlation,
  type CorrelationState,
  type Decision,
  type RuleRecord,
  type RuleStateRecord,
  type TriggerInstanceRecord,
} from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import { enforce, instanceCause } from './enforce';
import type { EngineParts } from './rules-engine';

/** A rule with a correlation. */
type CorrelatedRule = Pick<CompiledRule, 'record'> & { readonly correlation: Correlation };

type Parts = Pick<EngineParts, 'store' | 'clock' | 'wakeAt'>;

/**
 * Decides whether a match runs its action, and stores the decision by compare-and-set, so that engines that decide at
 * the same time do so one after the other.
 * @throws JinjaError when the group cannot be rendered
 */
export async function correlate(
  { store, clock, wakeAt }: Parts,
  { record: { _id: rule }, correlation }: CorrelatedRule,
  { _id: instance, occurrence_time: at, payload }: TriggerInstanceRecord,
): Promise<Decision> {
  const { groupBy } = correlation;
  const group = groupBy === undefined ? '' : await inTurns(() => renderText(groupBy, { trigger: payload }));
  const id = stateId(rule, correlation, group);
  for (;;) {
    const before = await store.ruleStates.get(id);
    const now = clock.nowMicros();
    const decision = decideCorrelation(correlation, before && stateOf(before), { instance, at }, now);
    const { state } = decision;
    const due = nextRipe(state);
    if (due !== undefined) wakeAt(due);
    const fresh = { _id: id, rule, group: group.slice(0, SHOWN), revision: 0 };
    if (isSame(before, state)) return decision;
    if (await store.ruleStates.save(nextState(before ?? fresh, state, now, stateLifeMicros(correlation))))
      return decision;
  }
}

const SHOWN = 200;

const stateId = (rule: string, { name }: Correlation, group: string): string =>
  createHash('sha256').update(`${rule}:${name}:${group}`).digest('hex');

/** The part of a record that decisions use. */
const stateOf = ({ entries, batches, pending, floor }: RuleStateRecord): CorrelationState => ({
  entries,
  batches,
  pending,
  floor,
});

/** Decisions return unchanged lists as the same objects. */
const isSame = (before: RuleStateRecord | undefined, after: CorrelationState): boolean =>
  before !== undefined &&
  before.entries === after.entries &&
  before.batches === after.batches &&
  before.pending === after.pending &&
  before.floor === after.floor;

/** The next revision of a state. */
function nextState(
  { _id, rule, group, revision }: Pick<RuleStateRecord, '_id' | 'rule' | 'group' | 'revision'>,
  state: CorrelationState,
  now: number,
  lifeMicros: number,
): RuleStateRecord {
  const due = nextRipe(state);
  return {
    _id,
    rule,
    group,
    revision: revision + 1,
    ...state,
    ...(due === undefined ? {} : { due }),
    expires: new Date((Math.max(now, due ?? now) + lifeMicros) / MS_MICROS),
  };
}

const BATCH = 100;
/** If the engine that took a match does not run it within this time, another engine does. */
const TAKEN_FOR = 5 * SECOND_MICROS;

/**
 * Runs the actions of matches whose quiet time is over. A match is first taken, so that a later event cannot replace
 * it; then run, which may happen twice but counts once; and only then removed.
 * @returns when the next match is due
 */
export async function fireDueBatches(parts: EngineParts): Promise<Micros | undefined> {
  const { store, clock } = parts;
  for (;;) {
    const due = await store.ruleStates.due(clock.nowMicros(), BATCH);
    if (due.length === 0) return store.ruleStates.nextDue();
    for (const state of due) await fireState(parts, state);
  }
}

async function fireState(parts: EngineParts, found: RuleStateRecord): Promise<void> {
  const { store, clock } = parts;
  const now = clock.nowMicros();
  const events = ripe(stateOf(found), now);
  const held = nextState(found, taken(stateOf(found), events, now + TAKEN_FOR), now, KEPT_MICROS);
  if (!(await store.ruleStates.save(held))) return;
  const rule = await store.rules.get(found.rule);
  const correlation = rule?.enabled ? correlationOf(rule) : undefined;
  if (rule && correlation?.name === 'debounce') for (const event of events) await fire(parts, rule, event);
  await forget(parts, held, events, correlation ? stateLifeMicros(correlation) : KEPT_MICROS);
}

const KEPT_MICROS = 24 * 3600 * SECOND_MICROS;

/** A rule that is no longer valid reports that with the next event; its waiting matches are dropped. */
function correlationOf(rule: RuleRecord): ReturnType<typeof parseCorrelation> {
  try {
    return parseCorrelation(rule.correlation);
  } catch {
    return undefined;
  }
}

async function fire(parts: EngineParts, rule: RuleRecord, { instance: id }: CorrelatedEvent): Promise<void> {
  const { store, book, executions } = parts;
  const instance = await store.triggerInstances.get(id);
  if (!instance) return;
  const trace = await executions.traces.ofInstance(instance);
  const cause = instanceCause(instance, await book.page(instance.trigger));
  const execution = await enforce(parts, { rule, instance, trace, cause, payload: instance.payload, again: true });
  await executions.traces.noteInstance(trace, instance, { rules: [rule], executions: execution ? [execution] : [] });
}

/** New matches may have arrived in the meantime. */
async function forget(
  { store, clock }: EngineParts,
  held: RuleStateRecord,
  events: readonly CorrelatedEvent[],
  lifeMicros: number,
): Promise<void> {
  let record: RuleStateRecord | undefined = held;
  while (record) {
    if (await store.ruleStates.save(nextState(record, settled(stateOf(record), events), clock.nowMicros(), lifeMicros)))
      return;
    record = await store.ruleStates.get(held._id);
  }
}

/** The payload of the last instance, with the payloads of all instances as `events`, in order. */
export async function collected(
  { triggerInstances }: Pick<Store, 'triggerInstances'>,
  last: TriggerInstanceRecord,
  members: readonly Id[],
): Promise<Record<string, unknown>> {
  const records = await triggerInstances.list({ filter: { _id: isOneOf(members) } });
  const payloads = new Map(records.map(({ _id, payload }) => [_id, payload]));
  const events = members.flatMap((id) => payloads.get(id) ?? []);
  return { ...last.payload, events };
}
