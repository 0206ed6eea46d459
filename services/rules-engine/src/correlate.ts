import { createHash } from 'node:crypto';
import { MS_MICROS } from '@switchyard/base';
import { inTurns, renderText } from '@switchyard/expressions';
import {
  decideCorrelation,
  nextRipe,
  stateLifeMicros,
  type CompiledRule,
  type Correlation,
  type CorrelationState,
  type Decision,
  type RuleStateRecord,
  type TriggerInstanceRecord,
} from '@switchyard/model';
import type { EngineParts } from './rules-engine-parts';

/** A rule that puts matches together. */
export type CorrelatedRule = CompiledRule & { readonly correlation: Correlation };

export const isCorrelated = (rule: CompiledRule): rule is CorrelatedRule => rule.correlation !== undefined;

type Parts = Pick<EngineParts, 'store' | 'clock' | 'wakeAt'>;

/**
 * Decides whether a match runs its action, and remembers it, by compare-and-set: engines that decide at the same time do so
 * one after the other.
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

/** The part of a record that decisions are about. */
export const stateOf = ({ entries, batches, pending, floor }: RuleStateRecord): CorrelationState => ({
  entries,
  batches,
  pending,
  floor,
});

/** Decisions keep the lists that they do not change. */
const isSame = (before: RuleStateRecord | undefined, after: CorrelationState): boolean =>
  before !== undefined &&
  before.entries === after.entries &&
  before.batches === after.batches &&
  before.pending === after.pending &&
  before.floor === after.floor;

/** The next revision of a state. */
export function nextState(
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
