import type { Micros } from '@switchyard/base';
import { SECOND_MICROS } from '@switchyard/base';
import {
  parseCorrelation,
  ripe,
  settled,
  stateLifeMicros,
  taken,
  type CorrelatedEvent,
  type RuleRecord,
  type RuleStateRecord,
} from '@switchyard/model';
import { instanceCause } from './cause';
import { nextState, stateOf } from './correlate';
import { enforce } from './enforce';
import type { EngineParts } from './rules-engine-parts';

const BATCH = 100;
/** If whoever has taken a match does not run it in this time, another engine does. */
const TAKEN_FOR = 5 * SECOND_MICROS;

/**
 * Runs the actions of matches whose quiet time is over. They are taken first, so that a later event no longer takes their
 * place; run, which may happen twice and counts once; and only then forgotten.
 * @returns when there is something to do again
 */
export async function fireDue(parts: EngineParts): Promise<Micros | undefined> {
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

/** A rule that makes no sense any more says so with the next event; what waits for it is given up. */
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

/** New matches may have come in the meantime. */
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
