import { isFault, type Micros } from '@switchyard/base';
import {
  askRule,
  problemText,
  type CompiledRule,
  type CriteriaDocument,
  type RuleAnswer,
  type RuleSet,
} from '@switchyard/model';
import { MissingItem, type DatastoreKey } from '../jinja';
import { DatastoreReader } from '../parameters/datastore-reader';
import { renderPattern } from './render-pattern';
import { systemItems } from './system-items';

export interface MatchEnv {
  readonly now: Micros;
  /** Reads a datastore item for a pattern. */
  readonly lookup?: (key: DatastoreKey) => Promise<string | undefined>;
}

export interface EventMatch {
  /** How many rules were asked. */
  readonly asked: number;
  /** In the order in which they act. */
  readonly matched: readonly CompiledRule[];
  /** Rules that did not match because of something that is wrong with them, or does not fit the payload. */
  readonly failed: readonly { readonly rule: CompiledRule; readonly reason: string }[];
}

/**
 * Asks the rules of a trigger about a payload; backstops only if no other rule matches.
 * @throws what `lookup` rejects with
 */
export async function matchEvent(rules: RuleSet, payload: unknown, env: MatchEnv): Promise<EventMatch> {
  const asking = { payload, now: env.now, reader: new DatastoreReader(env.lookup ?? nothingThere) };
  const candidates = rules.candidates(payload);
  const standard = rules.rules.filter(({ backstop }) => !backstop).length;
  const first = await askEach(
    candidates.filter(({ backstop }) => !backstop),
    asking,
  );
  if (first.matched.length > 0) return { asked: standard, ...first };
  const second = await askEach(
    candidates.filter(({ backstop }) => backstop),
    asking,
  );
  return { asked: rules.rules.length, matched: second.matched, failed: [...first.failed, ...second.failed] };
}

const nothingThere = (): Promise<undefined> => Promise.resolve(undefined);

interface Asking {
  readonly payload: unknown;
  readonly now: Micros;
  readonly reader: DatastoreReader;
}

async function askEach(rules: readonly CompiledRule[], asking: Asking): Promise<Omit<EventMatch, 'asked'>> {
  const matched: CompiledRule[] = [];
  const failed: { rule: CompiledRule; reason: string }[] = [];
  for (const rule of rules) {
    const answer = askAtOnce(rule, asking) ?? (await askReading(rule, asking));
    if (answer.matched) matched.push(rule);
    else if (answer.problem) failed.push({ rule, reason: problemText(rule.record.ref, answer.problem) });
  }
  return { matched, failed };
}

/** Most rules read no datastore: nothing is waited for. */
function askAtOnce(rule: CompiledRule, asking: Asking): RuleAnswer | undefined {
  try {
    return ask(rule, asking);
  } catch (error) {
    if (error instanceof MissingItem) return undefined;
    throw error;
  }
}

/** An item that may not be read is a mistake of the rule; a datastore that does not answer is none. */
async function askReading(rule: CompiledRule, asking: Asking): Promise<RuleAnswer> {
  try {
    return await asking.reader.supply(() => ask(rule, asking));
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return { matched: false, problem: { kind: 'operator', reason: error.message } };
  }
}

/** @throws MissingItem when a pattern reads an item that has to be fetched first */
function ask(rule: CompiledRule, { payload, now, reader }: Asking): RuleAnswer {
  let missing: MissingItem | undefined;
  const render = (pattern: string, document: CriteriaDocument): unknown => {
    try {
      return renderPattern(pattern, { ...systemItems(pattern, reader), ...document }, { datastore: reader.read });
    } catch (error) {
      if (error instanceof MissingItem) missing ??= error;
      throw error;
    }
  };
  const answer = askRule(rule, payload, { now, render });
  if (missing) throw missing;
  return answer;
}
