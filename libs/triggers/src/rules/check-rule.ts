import { fault } from '@switchyard/base';
import { checkCriteria, compileSchema, parseCorrelation, pythonRepr, type RuleRecord } from '@switchyard/model';
import { storedRef } from '../names';
import { ruleShape } from './rule-shape';
import { RULE_TYPES } from './rule-types';

/** A rule as it is asked for: with the type and the parameters of its trigger in place of the trigger. */
export interface RuleDraft extends Omit<RuleRecord, '_id' | 'ref' | 'uid' | 'trigger'> {
  trigger: { type: string; parameters: Record<string, unknown> };
}

const shape = compileSchema(ruleShape, { allowNone: true });

/**
 * Checks all of a rule that can be checked without looking anywhere else.
 * @throws Fault `schema.violated`, `rule.type-unknown`, `rule.correlation`, and those of the criteria
 */
export function checkRule(input: unknown, maxPatternLength?: number): RuleDraft {
  const rule = shape.assert(input) as Given;
  const { name, pack, enabled, trigger, criteria, action, type, tags, description, correlation } = rule;
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
    action: { ref, parameters, ...(typeof about === 'string' ? { description: about } : {}) },
    context: rule.context ?? {},
    tags: tags ?? [],
    metadata_file: rule.metadata_file ?? '',
    ...(correlation ? { correlation } : {}),
  };
}

/** What has passed the schema, defaults filled in. */
interface Given extends Omit<RuleDraft, 'description' | 'context' | 'metadata_file' | 'tags' | 'correlation'> {
  description?: string | null;
  context?: RuleDraft['context'] | null;
  metadata_file?: string | null;
  tags?: RuleDraft['tags'] | null;
  correlation?: Record<string, unknown> | null;
}
