import { Type, type TObject, type TProperties } from '@sinclair/typebox';
import { actionAnswer } from './action';
import { actionAliasAnswer } from './action-alias';
import { anyObject, described, tag, text, textOrNull } from './fields';
import { policyAnswer } from './policy';
import { givenGrantSchema, type GivenGrant } from './role';
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

/** Of a tag, the name or the value may be left out. */
const tags = Type.Array(Type.Partial(tag, { title: 'GivenTag' }));

const reference = { ref: text, parameters: Type.Optional(anyObject) };

export const actionBody = bodyOf(actionAnswer, ['name', 'runner_type'], {
  tags,
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
  tags,
  type: Type.Object(reference),
  trigger: Type.Object({ type: text, parameters: Type.Optional(anyObject), ref: Type.Optional(text) }),
  action: Type.Object({ ...reference, description: Type.Optional(text) }),
});

export const policyBody = bodyOf(policyAnswer, ['name', 'resource_ref', 'policy_type']);

export const triggerTypeBody = bodyOf(triggerTypeAnswer, ['name', 'pack'], { tags });

export const triggerBody = bodyOf(triggerAnswer, ['name', 'pack', 'type']);

/** The format of times in this API, in UTC. */
const TIME = String.raw`^\d{4}\-\d{2}\-\d{2}(\s|T)\d{2}:\d{2}:\d{2}(\.\d{3,6})?(Z|\+00|\+0000|\+00:00)$`;

const listOrNull = <T>(items: object) =>
  Type.Unsafe<T[] | null>({ type: ['array', 'null'], minItems: 1, maxItems: 1000, items });

/** An API key as clients send it. In a change, limits that are absent stay, and null removes one. */
const keyFields = {
  id: Type.Optional(Type.String()),
  uid: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  key_hash: Type.Optional(Type.String({ secret: true })),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { secret: true })),
  created_at: Type.Optional(Type.String({ pattern: TIME, description: 'Ignored' })),
  last_used_at: Type.Optional(Type.String({ pattern: TIME, description: 'Ignored' })),
  enabled: Type.Optional(Type.Boolean({ default: true })),
  role: Type.Optional(described(textOrNull, 'Null removes it')),
  permission_grants: Type.Optional(listOrNull<GivenGrant>(givenGrantSchema)),
  allowed_addresses: Type.Optional(listOrNull<string>({ type: 'string' })),
  expires_at: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: TIME })),
};
export const apiKeyBody = Type.Object(keyFields, { title: 'ApiKeyBody', additionalProperties: false });
