import { newId } from '@switchyard/base';
import { startEngine, TRIGGER, type EngineUnderTest } from './engine-under-test';
import { memory, percentiles } from './measure';
import { DATASTORE_ITEMS, eventPayload, RULE_WORKLOADS, workloadRule, type RuleWorkload } from './rule-workloads';

const RULES = [1, 100, 1000];
const EVENTS = 4000;
const DISPATCHERS = 50;
const SCOPE = 'st2kv.system';

/**
 * Measures events that match no rule, from dispatch to the recorded end, with a rules engine in this process.
 * @param scale factor for the number of events; the numbers of rules do not change
 */
export async function rulesScenario(target: 'embedded' | 'servers', scale: number): Promise<void> {
  const engine = await startEngine(target);
  try {
    for (const { name, value } of DATASTORE_ITEMS) {
      const uid = `key_value_pair:${SCOPE}:${name}`;
      await engine.store.keyValues.put({ _id: newId(), uid, scope: SCOPE, name, value, secret: false });
    }
    // Warm-up: the first events trigger compilation.
    await measured(engine, RULE_WORKLOADS[0]!, 1, Math.ceil(EVENTS * scale));
    const rows = [];
    for (const workload of RULE_WORKLOADS)
      for (const rules of RULES) rows.push(await measured(engine, workload, rules, Math.ceil(EVENTS * scale)));
    console.table(rows);
    console.log('Events a second from dispatch to recorded end, and the milliseconds until a dispatch has stored one.');
  } finally {
    await engine.stop();
  }
}

async function measured(engine: EngineUnderTest, workload: RuleWorkload, rules: number, events: number) {
  await withRules(engine, workload, rules);
  await run(engine, Math.ceil(events / 5));
  const cpu = process.cpuUsage();
  const start = performance.now();
  const times = await run(engine, events);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const { p50, p95, p99 } = percentiles(times);
  return {
    criteria: workload.name,
    rules,
    events,
    perSecond: (events / seconds).toFixed(0),
    p50: p50.toFixed(1),
    p95: p95.toFixed(1),
    p99: p99.toFixed(1),
    cpuPer1000: ((user + system) / 1000 / events).toFixed(2),
    peakMb: memory(process.pid).peakMb,
  };
}

async function withRules({ store }: EngineUnderTest, workload: RuleWorkload, count: number): Promise<void> {
  const before = await store.rules.list({ fields: ['_id'] });
  await Promise.all(before.map(({ _id }) => store.rules.remove(_id)));
  await Promise.all(Array.from({ length: count }, (_, n) => store.rules.insert(workloadRule(workload, n))));
}

/** Dispatches events and waits until the last of them is recorded as processed. @returns milliseconds of each dispatch */
async function run({ store, triggers }: EngineUnderTest, events: number): Promise<number[]> {
  const times: number[] = [];
  let sent = 0;
  const dispatch = async () => {
    while (sent < events) {
      const start = performance.now();
      await triggers.dispatch({ trigger: TRIGGER, payload: eventPayload(sent++) });
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: DISPATCHERS }, dispatch));
  const isLeft = async () => (await store.triggerInstances.overdue(Number.MAX_SAFE_INTEGER, 1)).length > 0;
  while (await isLeft()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return times;
}

const LOOK_MS = 5;
