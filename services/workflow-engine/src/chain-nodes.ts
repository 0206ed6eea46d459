import { messageOf, type Fault } from '@switchyard/base';
import type { PackConfig } from '@switchyard/executions';
import { readsSecret, templateReads } from '@switchyard/expressions';
import { notifyWithRoutes, type NotifySpec } from '@switchyard/model';
import type { ChainNode } from '@switchyard/workflow';
import type { ActionCommand, WorkflowDefinition } from '@switchyard/workflow-runs';

type TaskOfChain = Pick<ActionCommand, 'task'>;

/** The name of the node behind a task of an action chain. They differ when a node is named like an engine command. */
export const chainNodeOf = ({ spec }: WorkflowDefinition, { task }: TaskOfChain): string =>
  spec.tasks.get(task)?.resultAs ?? task;

const nodeOf = (definition: WorkflowDefinition, task: TaskOfChain): ChainNode | undefined =>
  definition.chain?.nodes.get(chainNodeOf(definition, task));

/** What the context of an execution says about its node: the node as written, with its templates. Missing members are null. */
export function chainContext(
  definition: WorkflowDefinition,
  task: TaskOfChain,
): Readonly<Record<string, unknown>> | undefined {
  const node = nodeOf(definition, task);
  return (
    node && Object.fromEntries(NODE_MEMBERS.map((member) => [member.replace('-', '_'), node.written[member] ?? null]))
  );
}

const NODE_MEMBERS = ['name', 'ref', 'params', 'parameters', 'on-success', 'on-failure', 'publish', 'notify'] as const;

/** The notifications of a node: its own, or those of the chain. */
export function chainNotify(definition: WorkflowDefinition, task: TaskOfChain, ofChain: NotifySpec): NotifySpec {
  const ofNode = nodeOf(definition, task)?.notify as NotifySpec | undefined;
  return ofNode ? notifyWithRoutes(ofNode) : ofChain;
}

/** Whether the template of a parameter of a node reads a secret from the configuration of the chain's pack. */
export const readsSecretConfig = (
  definition: WorkflowDefinition,
  task: TaskOfChain,
  parameter: string,
  { values, secrets }: PackConfig,
): boolean =>
  templateReads(nodeOf(definition, task)?.parameters[parameter]).some(
    ([name, ...steps]) => name === 'config_context' && readsSecret(steps, values, secrets),
  );

/** Why the action of a node cannot be requested, in the wording that clients of StackStorm expect. */
export const chainRefusal = ({ task, action }: ActionCommand, fault: Fault, isUnknown: boolean): string =>
  isUnknown
    ? `Failed to run task "${task}". Action with reference "${action}" doesn't exist.`
    : `Failed running task "${task}". ${messageOf(fault)}`;
