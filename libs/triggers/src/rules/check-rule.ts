import { fault } from '@switchyard/base';
import {
  checkCriteria,
  checkReferenceParts,
  compileSchema,
  parseCorrelation,
  pythonRepr,
  wholeTags,
  type RuleRecord,
} from '@switchyard/model';
import { storedRef } from '../trigger-record';

/** Determines when a rule is evaluated. The types are fixed and not stored. */
export interface RuleType {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export const RULE_TYPES: readonly RuleType[] = [
  {
    id: '5157a9d10000000000000001',
    name: 'standard',
    description: 'Evaluated for each instance of its trigger.',
    enabled: true,
    parameters: {},
  },
  {
    id: '5157a9d10000000000000002',
    name: 'backstop',
    description: 'Evaluated when no other rule of the trigger matched.',
    enabled: true,
    parameters: {},
  },
];

const text = { type: 'string' };
const object = { type: 'object' };

/** Secret parameter values in rules are stored encrypted. */
const secretObject = { type: 'object', secret: true };

const reference = (parameters: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  properties: { ref: { ...text, required: true }, parameters, ...more },
  additionalProperties: false,
});

/** The schema of a rule in requests and files. Violations are reported in this order. */
export const ruleShape = {
  type: 'object',
  properties: {
    id: text,
    ref: text,
    uid: text,
    name: { ...text, required: true },
    pack: { ...text, default: 'default' },
    description: text,
    type: { type: ['object', 'null'], ...reference(object), default: { ref: 'standard', parameters: {} } },
    trigger: {
      ...object,
      required: true,
      properties: {
        type: { ...text, minLength: 1, required: true },
        parameters: { ...object, default: {} },
        ref: text,
        description: text,
      },
      additionalProperties: true,
    },
    criteria: { ...object, default: {} },
    action: { ...object, required: true, ...reference(secretObject, { description: text }) },
    context: object,
    enabled: { type: 'boolean', default: false },
    tags: {
      type: 'array',
      items: {
        ...object,
        properties: { name: text, value: text },
      },
    },
    metadata_file: text,
    correlation: object,
  },
  additionalProperties: false,
};

const shape = compileSchema(ruleShape, { allowNone: true });

/** A rule as requested: with the type and parameters of its trigger instead of the trigger's reference. */
export interface RuleDraft extends Omit<RuleRecord, '_id' | 'ref' | 'uid' | 'trigger'> {
  trigger: { type: string; parameters: Record<string, unknown> };
}

/**
 * Checks everything about a rule that does not need the store.
 * @throws Fault `schema.violated`, `resource.reference`, `resource.pack-dot`, `rule.type-unknown`, `rule.correlation`, and those of the criteria
 */
export function checkRule(input: unknown, maxPatternLength?: number): RuleDraft {
  const rule = shape.assert(input) as Given;
  const { name, pack, enabled, trigger, criteria, action, type, tags, description, correlation } = rule;
  checkReferenceParts(pack, name);
  const known = RULE_TYPES.map(({ name: each }) => each);
  if (!known.includes(type.ref)) throw fault('rule.type-unknown', { ref: type.ref, known: pythonRepr(known) });
  checkCriteria(criteria, maxPatternLength);
  parseCorrelation(correlation);
  const { ref, parameters, description: about } = action;
  return {
    name,
    pack,
    ...(typeof description === 'string' ? { description } : {}),
    enabled,
    type: { ref: type.ref, parameters: type.parameters ?? {} },
    trigger: { type: storedRef(trigger.type), parameters: trigger.parameters },
    criteria,
    action: { ref, parameters: parameters ?? {}, ...(typeof about === 'string' ? { description: about } : {}) },
    context: rule.context ?? {},
    tags: wholeTags(tags),
    metadata_file: rule.metadata_file ?? '',
    ...(correlation ? { correlation } : {}),
  };
}

/** A rule that passed the schema, with defaults filled in. */
interface Given extends Pick<RuleDraft, 'name' | 'pack' | 'enabled' | 'trigger' | 'criteria'> {
  type: GivenReference;
  action: GivenReference & { description?: string | null };
  description?: string | null;
  context?: RuleDraft['context'] | null;
  metadata_file?: string | null;
  tags?: RuleDraft['tags'] | null;
  correlation?: Record<string, unknown> | null;
}

interface GivenReference {
  ref: string;
  parameters?: Record<string, unknown> | null;
}
