import { microsToIso, type Micros } from '@switchyard/base';
import { expressionLimits } from '@switchyard/config';
import { isTemplate, matchEvent } from '@switchyard/expressions';
import {
  compileRule,
  createRuleSet,
  withBoundRole,
  type RuleRecord,
  type TriggerInstanceRecord,
} from '@switchyard/model';
import { atLeast } from '@switchyard/storage';
import type { ApiDependencies } from '../../api-dependencies';
import { rehearsedRun, type RehearsedRun } from './rehearsed-run';
import { rehearseCorrelation, type ReadyRun } from './rehearse-correlation';

export interface BacktestRange {
  readonly from: Micros;
  readonly reader: Reader;
  /** Stops the backtest when aborted. */
  readonly signal?: AbortSignal;
}

/** The user for whom templates read items of the datastore. */
export interface Reader {
  readonly user: string;
  readonly role: string | undefined;
}

export interface BacktestReport {
  trigger: string;
  /** Number of instances that were evaluated. */
  instances: number;
  /** False when there were more instances, or more runs, than the limits allow: the earliest are kept. */
  complete: boolean;
  matched: number;
  /** Matches that run nothing, because of the rule's correlation. */
  suppressed: number;
  runs: (RehearsedRun | FailedMatch)[];
}

interface FailedMatch {
  trigger_instance: string;
  occurrence_time: string;
  failure_reason: string;
}

const PAGE = 200;
const MOST_INSTANCES = 10_000;
const MOST_RUNS = 500;

type Deps = Pick<ApiDependencies, 'store' | 'executions' | 'datastore' | 'config'>;

/** Evaluates a rule for stored instances of its trigger, in the order in which they occurred. Writes and runs nothing. */
export async function backtest(
  deps: Deps,
  rule: RuleRecord,
  { from, reader, signal }: BacktestRange,
): Promise<BacktestReport> {
  const ask = asking(deps, rule, reader);
  const correlation = rehearseCorrelation(deps.store, ask.rule);
  const { report, show, showFailure } = reporting(deps, rule, reader);
  for await (const instance of instancesOf(deps, rule.trigger, from)) {
    signal?.throwIfAborted();
    report.complete &&= report.instances < MOST_INSTANCES;
    if (report.instances === MOST_INSTANCES) break;
    report.instances += 1;
    await show(correlation.before(instance.occurrence_time));
    const { matched, failed } = await ask.about(instance);
    for (const { reason } of failed) showFailure(instance, reason);
    if (matched.length === 0) continue;
    report.matched += 1;
    await show(await correlation.match(instance));
  }
  await show(correlation.before(Number.POSITIVE_INFINITY));
  return { ...report, suppressed: correlation.suppressed() };
}

/** A backstop is evaluated like any other rule: the other rules have changed since. */
function asking({ datastore, config }: Deps, record: RuleRecord, { user, role }: Reader) {
  const rule = compileRule({ ...record, type: { ref: 'standard', parameters: {} } }, isTemplate);
  const rules = createRuleSet([rule]);
  const lookup = datastore.lookupFor(withBoundRole({ user }, role));
  const about = ({ payload, occurrence_time: now }: TriggerInstanceRecord) =>
    matchEvent(rules, payload, { now, lookup, allowance: expressionLimits(config) });
  return { rule, about };
}

function reporting(deps: Deps, rule: RuleRecord, reader: Reader) {
  const report: BacktestReport = {
    trigger: rule.trigger,
    instances: 0,
    complete: true,
    matched: 0,
    suppressed: 0,
    runs: [],
  };
  const hasRoom = (): boolean => {
    const room = report.runs.length < MOST_RUNS;
    report.complete &&= room;
    return room;
  };
  return {
    report,
    async show(ready: readonly ReadyRun[]) {
      for (const run of ready) if (hasRoom()) report.runs.push(await rehearsedRun(deps, rule, { ...run, reader }));
    },
    showFailure({ _id, occurrence_time: at }: TriggerInstanceRecord, reason: string) {
      if (hasRoom())
        report.runs.push({ trigger_instance: _id, occurrence_time: microsToIso(at), failure_reason: reason });
    },
  };
}

/** Reads page by page: the next page continues after the last instance by time and id. */
async function* instancesOf(
  { store }: Deps,
  trigger: string,
  from: Micros,
): AsyncGenerator<TriggerInstanceRecord, void> {
  let [time, seen]: [Micros, Set<string>] = [from, new Set()];
  for (;;) {
    const page = await store.triggerInstances.list({
      filter: { trigger, occurrence_time: atLeast(time) },
      sort: { occurrence_time: 1 },
      limit: PAGE + seen.size,
    });
    const fresh = page.filter(({ _id }) => !seen.has(_id)).sort(inOrder);
    yield* fresh;
    const last = fresh.at(-1)?.occurrence_time;
    if (last === undefined || fresh.length < PAGE) return;
    const atLast = page.filter(({ occurrence_time: at }) => at === last).map(({ _id }) => _id);
    seen = new Set(last === time ? [...seen, ...atLast] : atLast);
    time = last;
  }
}

/** The store returns instances of the same microsecond in any order. */
const inOrder = (a: TriggerInstanceRecord, b: TriggerInstanceRecord): number =>
  a.occurrence_time - b.occurrence_time || (a._id < b._id ? -1 : 1);
