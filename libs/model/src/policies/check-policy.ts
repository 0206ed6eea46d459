import { fault } from '@switchyard/base';
import type { PolicyRecord } from '../resources/policy';
import { checkReferenceParts, parseReference, toReference, toUid } from '../records/reference';
import { compileSchema } from '../schema';
import { policyTypeOf, type PolicyTypeDeclaration } from './policy-types';

export type PolicyDraft = Omit<PolicyRecord, '_id'>;

const text = { type: 'string' };
const needed = { type: 'string', minLength: 1, required: true };

/** The value of a parameter: anything but null. */
const setting = {
  anyOf: ['array', 'boolean', 'integer', 'number', 'object', 'string'].map((type) => ({ type })),
};

/** The accepted form of a policy, in files and in requests. */
const policyShape = {
  type: 'object',
  properties: {
    name: { ...text, required: true },
    resource_ref: needed,
    policy_type: needed,
    pack: text,
    description: text,
    enabled: { type: 'boolean', default: true },
    parameters: { type: 'object', patternProperties: { [String.raw`^\w+$`]: setting } },
    metadata_file: text,
    // Computed by the system; given values are ignored.
    id: text,
    ref: text,
    uid: text,
  },
  additionalProperties: false,
};

type Given = Pick<PolicyRecord, 'name' | 'resource_ref' | 'policy_type' | 'enabled'> &
  Partial<Omit<PolicyRecord, 'parameters'>> & { readonly parameters?: PolicyRecord['parameters'] | null };

/**
 * Checks a policy and builds its record, without an id.
 * @param pack used if the policy names none
 * @throws Fault `schema.violated`, `resource.reference`, `resource.pack-dot`, `policy.reference`, `policy.type-unknown`
 */
export function checkPolicy(input: unknown, pack = 'default'): PolicyDraft {
  const { description, metadata_file: file, ...given } = compileSchema(policyShape, { allowNone: true }).assert(input) as Given; // oxfmt-ignore
  const place = given.pack ?? pack;
  checkReferenceParts(place, given.name);
  return {
    ref: toReference(place, given.name),
    uid: toUid('policy', place, given.name),
    name: given.name,
    pack: place,
    ...(description ? { description } : {}),
    enabled: given.enabled,
    resource_ref: given.resource_ref,
    policy_type: given.policy_type,
    parameters: checkParameters(findType(given.policy_type), given.parameters ?? {}),
    metadata_file: file ?? '',
  };
}

function findType(ref: string): PolicyTypeDeclaration {
  if (!parseReference(ref)) throw fault('policy.reference', { ref });
  const type = policyTypeOf(ref);
  if (!type) throw fault('policy.type-unknown', { ref });
  return type;
}

const schemas = new WeakMap<PolicyTypeDeclaration, Record<string, unknown>>();

function checkParameters(type: PolicyTypeDeclaration, parameters: Record<string, unknown>): Record<string, unknown> {
  const schema = schemas.get(type) ?? { type: 'object', properties: type.parameters, additionalProperties: false };
  schemas.set(type, schema);
  return compileSchema(schema).assert(parameters) as Record<string, unknown>;
}
