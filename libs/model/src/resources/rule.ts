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
  tag,
  text,
} from './fields';

const ruleAction = Type.Object({
  ref: text,
  parameters: anyObject,
  description: Type.Optional(text),
});

export const ruleRecordSchema = Type.Object({
  ...packContent,
  enabled: flag,
  type: Type.Object({ ref: text, parameters: anyObject }),
  /** Reference of the trigger; the API shows its type and parameters. */
  trigger: text,
  criteria: schemaByName,
  action: ruleAction,
  context: anyObject,
  tags: Type.Array(tag),
  metadata_file: text,
  correlation: Type.Optional(described(anyObject, 'How matches are put together before the action runs')),
  /** Why the action's parameters could not be opened; they are empty then, and nothing may run with them. Never stored. */
  problem: Type.Optional(text),
});
export type RuleRecord = Static<typeof ruleRecordSchema>;

const triggerOfRule = Type.Object({
  type: text,
  parameters: anyObject,
  ref: text,
  description: Type.Optional(text),
});

const { _id: ruleId, problem: _problem, ...shownOfRule } = ruleRecordSchema.properties;
/** A rule as the API shows it. */
export const ruleAnswer = Type.Object({
  id: ruleId,
  ...shownOfRule,
  trigger: Type.Union([triggerOfRule, described(text, 'The reference of a trigger that is gone')]),
  error: Type.Optional(described(text, 'Why the stored parameters cannot be opened; none are shown then')),
});

/** The outcome of a matching rule. */
export const ruleEnforcementRecordSchema = Type.Object({
  _id: text,
  trigger_instance_id: text,
  execution_id: Type.Optional(text),
  failure_reason: Type.Optional(text),
  rule: Type.Object({ ref: text, id: text, uid: text }),
  enforced_at: micros,
  status: oneOfTexts(['succeeded', 'failed'] as const),
  /** `instance:rule`, so that a retry finds the first attempt. */
  request_key: text,
});
export type RuleEnforcementRecord = Static<typeof ruleEnforcementRecordSchema>;

const { _id, request_key: _key, ...shown } = ruleEnforcementRecordSchema.properties;
/** An enforcement as the API shows it. */
export const ruleEnforcementAnswer = Type.Object({ id: _id, ...shown, enforced_at: isoTime });
