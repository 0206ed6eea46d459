import { syntaxViolations } from '../syntax/definition-syntax';
import { DefinitionError } from './definition-error';
import type { WorkflowSpec } from './model';
import { readWorkflow } from './read-workflow';
import { rawDefinition, type DefinitionSource } from './source';

/**
 * The specification of a definition of sound shape, with its short forms written out. What is wrong beyond the shape, such
 * as an unknown task in `do`, is for `inspectWorkflow` to find.
 * @throws DefinitionError naming the first violation
 */
export function parseWorkflow(source: DefinitionSource): WorkflowSpec {
  const definition = rawDefinition(source);
  const [violation] = syntaxViolations(definition);
  if (violation) {
    const { message, path, cause } = violation;
    throw new DefinitionError(message, definition.text?.positionOf(cause === undefined ? path : [...path, cause]));
  }
  return readWorkflow(definition.raw);
}
