import { isFault, messageOf, type Micros } from '@switchyard/base';
import {
  problemText,
  ruleAsker,
  ruleEvent,
  type CompiledRule,
  type CriteriaDocument,
  type RuleAnswer,
  type RuleEvent,
  type RuleSet,
} from '@switchyard/model';
import { Allowance, type AllowanceLimits } from '../allowance';
import { Interruption } from '../evaluate/scope';
import type { DatastoreKey } from '../jinja';
import { DatastoreReader } from '../parameters/input';
import { Turns } from '../turns/turns';
import { eventPatterns } from './event-patterns';
import { steadyItems } from './steady-items';

export interface MatchEnv {
  readonly now: Micros;
  /** Reads a datastore item for a pattern. */
  readonly lookup?: (key: DatastoreKey) => Promise<string | undefined>;
  /** Limits what the patterns of one rule may cost together. */
  readonly allowance?: AllowanceLimits;
}

export interface EventMatch {
  /** How many rules were evaluated. */
  readonly asked: number;
  /** In the order in which they take effect. */
  readonly matched: readonly CompiledRule[];
  /** Rules that failed, because of a mistake in the rule or an unsuitable payload. */
  readonly failed: readonly { readonly rule: CompiledRule; readonly reason: string }[];
}

/**
 * Matches a payload against the rules of a trigger. Backstops are tried only if no other rule matches.
 * @throws what `lookup` rejects with
 */
export async function matchEvent(rules: RuleSet, payload: unknown, env: MatchEnv): Promise<EventMatch> {
  const event = ruleEvent(payload);
  const candidates = rules.candidates(event);
  const reader = new DatastoreReader(env.lookup ?? nothingThere);
  const items = steadyItems(rules);
  if (items.expected > 0) await items.fetch(reader);
  const asking = {
    ...{ reader, ask: asker(event, env.now, items.noting(reader)), limits: env.allowance },
    pace: new Allowance(),
  };
  const first = await askEach(candidates, false, asking);
  if (first.matched.length > 0 || rules.standard === rules.rules.length) return { asked: rules.standard, ...first };
  const second = await askEach(candidates, true, asking);
  return { asked: rules.rules.length, matched: second.matched, failed: [...first.failed, ...second.failed] };
}

const nothingThere = (): Promise<undefined> => Promise.resolve(undefined);

interface Asking {
  readonly reader: DatastoreReader;
  /** @throws Interruption, such as MissingItem when a pattern needs an item that must be fetched first */
  readonly ask: (rule: CompiledRule) => RuleAnswer;
  readonly limits: AllowanceLimits | undefined;
  /** Shared by all rules, to yield between them. */
  readonly pace: Allowance;
}

async function askEach(
  rules: readonly CompiledRule[],
  backstops: boolean,
  asking: Asking,
): Promise<Omit<EventMatch, 'asked'>> {
  const matched: CompiledRule[] = [];
  const failed: { rule: CompiledRule; reason: string }[] = [];
  for (const rule of rules) {
    if (rule.backstop !== backstops) continue;
    await asking.pace.rest();
    const own = allowed(asking);
    const turns = new Turns();
    const answer = askAtOnce(rule, own, turns) ?? (await askInTurns(rule, own, turns));
    if (answer.matched) matched.push(rule);
    else if (answer.problem) failed.push({ rule, reason: problemText(rule.record.ref, answer.problem) });
  }
  return { matched, failed };
}

/** Each rule has its own allowance, so that an expensive rule fails alone. */
function allowed(asking: Asking): Asking {
  const own = new Allowance(asking.limits);
  return { ...asking, ask: (rule) => asking.pace.run(() => own.run(() => asking.ask(rule))) };
}

/** Fast path: most rules read no datastore and take no time. */
function askAtOnce(rule: CompiledRule, { ask }: Asking, turns: Turns): RuleAnswer | undefined {
  try {
    return turns.attempt(() => ask(rule));
  } catch (error) {
    if (error instanceof Interruption) return undefined;
    throw error;
  }
}

/** An item that may not be read fails the rule; an unavailable datastore rejects. */
async function askInTurns(rule: CompiledRule, { reader, ask }: Asking, turns: Turns): Promise<RuleAnswer> {
  try {
    return await reader.supply(() => ask(rule), turns);
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return { matched: false, problem: { kind: 'operator', reason: error.message } };
  }
}

/** A failing rule does not affect others. This is synchronous, so the store cannot be the cause. */
function answerOf(ask: () => RuleAnswer): RuleAnswer {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Interruption) throw error;
    return { matched: false, problem: { kind: 'operator', reason: messageOf(error) } };
  }
}

function asker(event: RuleEvent, now: Micros, reader: Pick<DatastoreReader, 'read'>): Asking['ask'] {
  let interruption: Interruption | undefined;
  const patterns = eventPatterns(event, reader);
  const render = (pattern: string, document: CriteriaDocument): unknown => {
    try {
      return patterns.render(pattern, document);
    } catch (error) {
      if (error instanceof Interruption) interruption ??= error;
      throw error;
    }
  };
  const ask = ruleAsker(event, { now, render });
  return (rule) => {
    interruption = undefined;
    const answer = answerOf(() => {
      patterns.of(rule);
      return ask(rule);
    });
    // The result so far is incomplete: a value is missing.
    if (interruption) throw interruption as Interruption;
    patterns.answered();
    return answer;
  };
}
