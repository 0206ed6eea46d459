import { fieldsOfAttributes } from '@switchyard/executions';
import type { AttributeRules, AttributeSelection } from '@switchyard/http';
import { attributeNames, executionAnswer } from '@switchyard/model/resources';

/** The attributes of executions that clients can select. Masking needs the others. */
export const executionAttributes: AttributeRules = {
  known: attributeNames(executionAnswer),
  excludable: ['result', 'trigger_instance', 'status'],
  deep: ['result'],
};

/** Reduces a view, which has only the selected attributes, to their selected parts. */
export const selectedParts = (
  { included, apply }: AttributeSelection,
  view: Record<string, unknown>,
): Record<string, unknown> => (included ? apply(view) : view);

/** The stored fields that a selection needs; undefined for all of them. Large fields are read only on request. */
export const selectedFields = ({ included, excluded, wants }: AttributeSelection) =>
  included || excluded.size > 0 ? fieldsOfAttributes(wants) : undefined;
