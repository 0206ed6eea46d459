import { newId, type Clock } from '@switchyard/base';
import type { Service } from '@switchyard/host';
import { triggerInstance } from '@switchyard/messaging';
import type { ExecutionRecord, RuleEnforcementRecord, RuleRecord, TriggerInstanceRecord } from '@switchyard/model';
import { eventually, startSystem, type SystemOptions, type TestSystem } from '@switchyard/testkit/system';
import { createRulesEngine } from '../../src';

export const TRIGGER = 'tests.happened';

export interface EngineFixture {
  readonly system: TestSystem;
  readonly store: TestSystem['platform']['store'];
  /** Starts one more engine. */
  addEngine(clock?: Clock): Promise<Service>;
  rule(given?: Partial<RuleRecord>): Promise<RuleRecord>;
  /** Stores an instance without sending its message. */
  stored(payload?: Record<string, unknown>, given?: Partial<TriggerInstanceRecord>): Promise<TriggerInstanceRecord>;
  tell(...instances: TriggerInstanceRecord[]): Promise<void>;
  /** Stores an instance, sends its message, and waits until it is processed. */
  happens(payload?: Record<string, unknown>, given?: Partial<TriggerInstanceRecord>): Promise<TriggerInstanceRecord>;
  /** Waits until an instance is processed. */
  dealtWith(id: string): Promise<TriggerInstanceRecord>;
  enforcements(rule?: RuleRecord): Promise<RuleEnforcementRecord[]>;
  executions(): Promise<ExecutionRecord[]>;
  close(): Promise<void>;
}

/** A system in which rules are evaluated and no action runs. */
export async function engineFixture(options: SystemOptions & { engines?: number } = {}): Promise<EngineFixture> {
  const system = await startSystem({ runners: [], schedulers: 0, notifiers: 0, ...options });
  const { store, bus, clock, config } = system.platform;
  const engines: Service[] = [];
  await system.register({ parameters: { text: { type: 'string' }, number: { type: 'integer' }, list: { type: 'array' } } }); // oxfmt-ignore
  await store.triggerTypes.insert({ _id: newId(), ref: TRIGGER, uid: `trigger_type:${TRIGGER}`, name: 'happened', pack: 'tests', payload_schema: {}, parameters_schema: {}, tags: [], metadata_file: '' }); // oxfmt-ignore
  await store.triggers.insert({ _id: newId(), ref: TRIGGER, uid: `trigger:${TRIGGER}`, name: 'happened', pack: 'tests', type: TRIGGER, parameters: {}, parameters_hash: '-' }); // oxfmt-ignore
  const { lookupFor } = options;

  const fixture: EngineFixture = {
    system,
    store,
    async addEngine(own: Clock = clock) {
      const engine = createRulesEngine({
        ...system.platform,
        config,
        clock: own,
        executions: system.executions,
        ...(lookupFor ? { lookupFor } : {}),
      });
      await engine.start();
      engines.push(engine);
      return engine;
    },
    rule: (given = {}) => store.rules.insert(aRule(given)),
    async stored(payload = { a: 1 }, given = {}) {
      const now = clock.nowMicros();
      const instance: TriggerInstanceRecord = {
        _id: newId(),
        trigger: TRIGGER,
        payload,
        occurrence_time: now,
        status: 'pending',
        due: ['rules-engine'],
        due_at: now,
        ...given,
      };
      return (await store.triggerInstances.insertOnce(instance)).record;
    },
    tell: (...instances) =>
      bus.publisher().publishAll(instances.map(({ _id, trigger }) => triggerInstance({ id: _id, ref: trigger }))),
    async happens(payload, given) {
      const instance = await fixture.stored(payload, given);
      await fixture.tell(instance);
      return fixture.dealtWith(instance._id);
    },
    dealtWith: (id) =>
      eventually(
        async () => {
          const now = await store.triggerInstances.get(id);
          return now !== undefined && !now.due && now;
        },
        () => `instance ${id} to be processed`,
      ),
    enforcements: (rule) =>
      store.ruleEnforcements.list({ filter: rule ? { 'rule.id': rule._id } : {}, sort: { enforced_at: 1 } }),
    executions: () => store.executions.list({ sort: { start_timestamp: 1 } }),
    async close() {
      for (const engine of engines.splice(0)) await engine.stop();
      await system.close();
    },
  };
  for (let i = 0; i < (options.engines ?? 1); i++) await fixture.addEngine();
  return fixture;
}

let count = 0;

/** An enabled rule on the fixture's trigger. */
export function aRule(given: Partial<RuleRecord> = {}): RuleRecord {
  const name = given.name ?? `rule${++count}`;
  return {
    _id: newId(),
    ref: `tests.${name}`,
    uid: `rule:tests:${name}`,
    name,
    pack: 'tests',
    enabled: true,
    type: { ref: 'standard', parameters: {} },
    trigger: TRIGGER,
    criteria: {},
    action: { ref: 'tests.action', parameters: {} },
    context: {},
    tags: [],
    metadata_file: '',
    ...given,
  };
}
