import type { WorkflowDefinitionRecord } from '@switchyard/model';
import {
  chainToWorkflow,
  parseActionChain,
  parseWorkflow,
  type ActionChain,
  type ChainRunOptions,
  type WorkflowSpec,
} from '@switchyard/workflow';

/** A definition, ready to be run. */
export interface WorkflowDefinition {
  readonly record: WorkflowDefinitionRecord;
  readonly spec: WorkflowSpec;
  /** Of an action chain, for what a workflow has no place for. */
  readonly chain?: ActionChain;
}

/** @param parameters names of the action's parameters: the variables of a chain @throws DefinitionError */
export function parseDefinition(
  record: WorkflowDefinitionRecord,
  parameters: readonly string[],
  options: ChainRunOptions = {},
): WorkflowDefinition {
  if (record.runner !== 'action-chain') return { record, spec: parseWorkflow(record.text) };
  const chain = parseActionChain(record.text);
  return { record, chain, spec: chainToWorkflow(chain, parameters, options) };
}
