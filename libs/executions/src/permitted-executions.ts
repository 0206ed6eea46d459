import { uidOfReference, type ExecutionRecord, type GrantedResources } from '@switchyard/model';
import { isOneOf, startingWith, where, type Filter } from '@switchyard/storage';

/** The executions that grants permit: users who may view an action may view its executions. At least one filter must
 * match. */
export const permittedExecutions = (granted: GrantedResources): Filter<ExecutionRecord>[] => [
  ...some('_id', granted.names('execution')),
  ...executionsOfActions(granted),
];

/** The executions of granted actions, and of the actions in granted packs. */
export const executionsOfActions = (granted: GrantedResources): Filter<ExecutionRecord>[] => [
  ...some('action_ref', granted.refs('action')),
  ...granted.names('pack').map((pack) => where<ExecutionRecord>('action_ref', startingWith(`${pack}.`))),
];

const some = (field: '_id' | 'action_ref', values: readonly string[]): Filter<ExecutionRecord>[] =>
  values.length > 0 ? [where<ExecutionRecord>(field, isOneOf(values))] : [];

/** The uids of the resources whose grants apply to an execution as well. Its pack is that of its action. */
export const parentsOfExecution = ({ action_ref: ref }: Pick<ExecutionRecord, 'action_ref'>): string[] => [
  uidOfReference('action', ref),
];
