import { newId } from '@switchyard/base';
import type { RuleRecord } from '@switchyard/model';
import { TRIGGER } from './engine-under-test';

/** Rules of one kind that match none of the events. */
export interface RuleWorkload {
  readonly name: string;
  /** The criteria of the rule with this number. */
  readonly criteria: (rule: number) => RuleRecord['criteria'];
}

const ITEMS = 10;
/** The datastore items that patterns read. */
export const DATASTORE_ITEMS = Array.from({ length: ITEMS }, (_, n) => ({ name: `site${n}`, value: `site ${n}` }));

export const RULE_WORKLOADS: readonly RuleWorkload[] = [
  { name: 'eq', criteria: (n) => ({ 'trigger.body.host': { type: 'eq', pattern: `db-${n}` } }) },
  { name: 'gt', criteria: (n) => ({ 'trigger.body.value': { type: 'gt', pattern: 1000 + n } }) },
  {
    name: 'regex',
    criteria: (n) => ({ 'trigger.body.message': { type: 'regex', pattern: `^alarm ${n}: .*(disk|memory) .*full` } }),
  },
  {
    name: 'template (event)',
    criteria: (n) => ({ 'trigger.body.host': { type: 'eq', pattern: `{{ trigger.body.region }}-${n}` } }),
  },
  {
    name: 'template (typed)',
    criteria: (n) => ({ 'trigger.body.value': { type: 'gt', pattern: `{{ trigger.body.limit + ${n} }}` } }),
  },
  {
    name: 'template (datastore)',
    criteria: (n) => ({
      'trigger.body.host': { type: 'eq', pattern: `{{ st2kv.system.site${n % ITEMS} }}-${n}` },
    }),
  },
  {
    name: 'mixed',
    criteria: (n) => ({
      'trigger.body.severity': { type: 'eq', pattern: 'warning' },
      'trigger.body.value': { type: 'gt', pattern: 1000 + n },
      'trigger.body.message': { type: 'regex', pattern: 'disk' },
    }),
  },
];

/** A payload like those of monitoring systems. */
export const eventPayload = (n: number): Record<string, unknown> => ({
  headers: { 'content-type': 'application/json', 'user-agent': 'monitor/1.0' },
  body: {
    host: `web-${n % 50}`,
    region: 'eu-central',
    severity: 'warning',
    value: n % 1000,
    limit: 5000,
    message: `check ${n}: the disk of web-${n % 50} is at ${n % 100} percent`,
    labels: { team: 'storage', service: 'shop', datacentre: 'fra1' },
    values: [n, n + 1, n + 2],
  },
});

export function workloadRule({ criteria }: RuleWorkload, n: number): RuleRecord {
  const name = `rule${n}`;
  return {
    _id: newId(),
    ref: `bench.${name}`,
    uid: `rule:bench:${name}`,
    name,
    pack: 'bench',
    enabled: true,
    type: { ref: 'standard', parameters: {} },
    trigger: TRIGGER,
    criteria: criteria(n),
    action: { ref: 'core.noop', parameters: {} },
    context: {},
    tags: [],
    metadata_file: '',
  };
}
