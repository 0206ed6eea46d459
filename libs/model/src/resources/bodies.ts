import { Type, type TObject, type TProperties } from '@sinclair/typebox';
import { actionAnswer } from './action';
import { actionAliasAnswer } from './action-alias';
import { anyObject, described, text } from './fields';
import { policyAnswer } from './policy';
import { ruleAnswer } from './rule';
import { triggerAnswer, triggerTypeAnswer } from './trigger';

/**
 * The bodies that clients send to create or replace a resource. Clients may send back a complete resource, so computed fields
 * are accepted and ignored. All fields that are not required have defaults.
 */
function bodyOf({ properties, title }: TObject, needed: readonly string[], others: TProperties = {}): TObject {
  const members = Object.entries({ ...properties, ...others });
  const asked = members.map(([name, schema]) => [name, needed.includes(name) ? schema : Type.Optional(schema)]);
  return Type.Object(Object.fromEntries(asked) as TProperties, { title: `${title}Body` });
}

const reference = { ref: text, parameters: Type.Optional(anyObject) };

export const actionBody = bodyOf(actionAnswer, ['name', 'runner_type'], {
  data_files: Type.Array(
    Type.Object(
      { file_path: described(text, 'Relative to the folder actions of the pack'), content: text },
      { title: 'ActionFile' },
    ),
    { description: 'Files of the action' },
  ),
});

export const actionAliasBody = bodyOf(actionAliasAnswer, ['name', 'pack', 'action_ref', 'formats']);

export const ruleBody = bodyOf(ruleAnswer, ['name', 'trigger', 'action'], {
  type: Type.Object(reference),
  trigger: Type.Object({ type: text, parameters: Type.Optional(anyObject), ref: Type.Optional(text) }),
  action: Type.Object({ ...reference, description: Type.Optional(text) }),
});

export const policyBody = bodyOf(policyAnswer, ['name', 'resource_ref', 'policy_type']);

export const triggerTypeBody = bodyOf(triggerTypeAnswer, ['name', 'pack']);

export const triggerBody = bodyOf(triggerAnswer, ['name', 'pack', 'type']);
