import { Type, type Static } from '@sinclair/typebox';
import {
  anyObject,
  described,
  flag,
  isoTime,
  micros,
  oneOfTexts,
  packContent,
  schemaByName,
  sortable,
  tag,
  text,
  whole,
} from './fields';

const ruleAction = Type.Object(
  { ref: text, parameters: anyObject, description: Type.Optional(text) },
  { title: 'RuleAction' },
);

export const ruleRecordSchema = Type.Object({
  ...packContent,
  enabled: sortable(flag),
  type: Type.Object({ ref: text, parameters: anyObject }),
  /** Reference of the trigger; the API shows its type and parameters. */
  trigger: sortable(text),
  criteria: schemaByName,
  action: sortable(ruleAction, { action: 'ref' }),
  context: sortable(anyObject, { user: 'user' }),
  tags: Type.Array(tag),
  metadata_file: text,
  correlation: Type.Optional(described(anyObject, 'How matches are combined before the action runs')),
  /** Why the action's parameters could not be opened; they are empty then, and nothing may run with them. Never stored. */
  problem: Type.Optional(text),
});
export type RuleRecord = Static<typeof ruleRecordSchema>;

const triggerOfRule = Type.Object(
  {
    type: text,
    parameters: anyObject,
    ref: text,
    description: Type.Optional(text),
  },
  { title: 'RuleTrigger' },
);

const { _id: ruleId, problem: _problem, ...shownOfRule } = ruleRecordSchema.properties;
/** A rule as the API shows it. */
export const ruleAnswer = Type.Object(
  {
    id: ruleId,
    ...shownOfRule,
    trigger: Type.Union([triggerOfRule, described(text, 'The reference of a deleted trigger')]),
    error: Type.Optional(described(text, 'Why the stored parameters cannot be decrypted; then none are shown')),
  },
  { title: 'Rule' },
);
export type Rule = Static<typeof ruleAnswer>;

/** The outcome of a matching rule. */
export const ruleEnforcementRecordSchema = Type.Object({
  /** Clients look for any resource by its name first. */
  _id: sortable(text, { id: '', name: '' }),
  trigger_instance_id: sortable(text, { trigger_instance: '' }),
  execution_id: sortable(Type.Optional(text), { execution: '' }),
  failure_reason: Type.Optional(text),
  rule: sortable(Type.Object({ ref: text, id: text, uid: text }), { rule_ref: 'ref', rule_id: 'id' }),
  enforced_at: sortable(micros),
  status: sortable(oneOfTexts(['succeeded', 'failed'] as const)),
  /** `instance:rule`, so that a retry finds the first attempt. */
  request_key: text,
});
export type RuleEnforcementRecord = Static<typeof ruleEnforcementRecordSchema>;

const { _id, request_key: _key, ...shown } = ruleEnforcementRecordSchema.properties;
/** An enforcement as the API shows it. */
export const ruleEnforcementAnswer = Type.Object(
  { id: _id, ...shown, enforced_at: isoTime },
  { title: 'RuleEnforcement' },
);
export type RuleEnforcement = Static<typeof ruleEnforcementAnswer>;

const backtestRun = Type.Object(
  {
    trigger_instance: text,
    occurrence_time: isoTime,
    action: Type.Optional(text),
    parameters: Type.Optional(anyObject),
    failure_reason: Type.Optional(text),
  },
  { title: 'BacktestRun' },
);
export type BacktestRun = Static<typeof backtestRun>;

/** What a rule would have run for past trigger instances. */
export const backtestAnswer = Type.Object(
  {
    trigger: described(text, 'Reference of the trigger whose instances were checked'),
    instances: described(whole, 'How many instances were checked'),
    complete: described(flag, 'False if there were more instances than the server checks or returns'),
    matched: whole,
    suppressed: described(whole, 'Matches that run nothing because of a correlation'),
    runs: Type.Array(backtestRun),
  },
  { title: 'Backtest' },
);
export type Backtest = Static<typeof backtestAnswer>;
