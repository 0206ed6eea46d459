import { EXECUTION_ATTRIBUTES, fieldsOfAttributes } from '@switchyard/executions';
import type { AttributeRules, AttributeSelection } from '@switchyard/http';

/** Which attributes of executions can be chosen. Leaving out others would take away what masking needs to know. */
export const executionAttributes: AttributeRules = {
  known: EXECUTION_ATTRIBUTES,
  excludable: ['result', 'trigger_instance', 'status'],
  deep: ['result'],
};

/** Cuts a view, which has the selected attributes only, down to their selected parts. */
export const selectedParts = (
  { included, apply }: AttributeSelection,
  view: Record<string, unknown>,
): Record<string, unknown> => (included ? apply(view) : view);

/** The stored fields behind a selection; undefined for all of them. Large ones are read only when they are wanted. */
export const selectedFields = ({ included, excluded, wants }: AttributeSelection): string[] | undefined =>
  included || excluded.size > 0 ? fieldsOfAttributes(wants) : undefined;
