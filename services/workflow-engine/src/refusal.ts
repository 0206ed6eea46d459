import { messageOf, type Fault } from '@switchyard/base';
import type { Order } from '@switchyard/executions';
import type { Run } from './run';

/** Why an action cannot be requested, in the words that clients know. */
export function refusalText({ definition }: Run, { task, action }: Order, fault: Fault): string {
  if (definition.chain)
    return isUnknown(fault)
      ? `Failed to run task "${task}". Action with reference "${action}" doesn't exist.`
      : `Failed running task "${task}". ${messageOf(fault)}`;
  return isUnknown(fault)
    ? `InvalidActionReferencedException: Unable to find action "${action}".`
    : `ValueError: ${messageOf(fault)}`;
}

/** There is no such action. */
export const isUnknown = ({ code }: Fault): boolean => code === 'execution.action-not-found';
