import { messageOf, SECOND_MS, type Fault } from '@switchyard/base';
import type { ExecutionRequest, FoundDefinitions, PackConfig } from '@switchyard/executions';
import { readsSecret, templateReads } from '@switchyard/expressions';
import { notifyWithRoutes, SecretTexts, type NotifySpec } from '@switchyard/model';
import type { ChainNode } from '@switchyard/workflow';
import { requestKeyOf, taskIdOf, type ActionCommand } from '@switchyard/workflow-runs';
import { alongWith, userOf, type WorkflowRun } from './run';
import type { RunSecrets } from './run-secrets';

/** The request for the action of a command. @param found definitions that other commands of the same step have found */
export function requestOf(run: WorkflowRun, command: ActionCommand, found: FoundDefinitions): ExecutionRequest {
  const { record, execution } = run;
  const user = userOf(execution);
  return {
    action: command.action,
    parameters: { ...command.input },
    // The workflow has rendered them. Anything that still looks like a template is data.
    literal: Object.keys(command.input),
    derivedSecrets: secretInputs(
      run.secrets,
      command,
      run.definition.chain?.nodes.get(chainNodeOf(run.definition, command)),
    ),
    user,
    context: contextOf(run, command),
    requestKey: requestKeyOf(record._id, command),
    priority: execution.priority,
    workflow: {
      ...{ workflow: record._id, task: taskIdOf(record._id, command), parent: execution },
      isApart: execution.status === 'canceling',
      ...{ user, notify: notifyOf(run, command), found },
    },
    ...(command.delay === undefined ? {} : { delay: Math.round(command.delay * SECOND_MS) }),
  };
}

/**
 * Names of a task's inputs that contain a secret: their templates read one from the configuration, or one was found in
 * their values. A value that was derived from a secret through a variable is not found if the secret cannot be
 * recognized in it.
 * @param node of a chain
 */
function secretInputs({ texts, config }: RunSecrets, { input }: ActionCommand, node: ChainNode | undefined): string[] {
  if (texts.length === 0) return [];
  const secrets = new SecretTexts(texts);
  return Object.keys(input).filter(
    (name) => (config && reads(config, node?.parameters[name])) || secrets.holdsSecret(input[name]),
  );
}

const reads = ({ values, secrets }: PackConfig, template: unknown): boolean =>
  templateReads(template).some(([name, ...steps]) => name === 'config_context' && readsSecret(steps, values, secrets));

function contextOf({ record, execution, definition }: WorkflowRun, command: ActionCommand): Record<string, unknown> {
  const { user, pack } = execution.context;
  const along = alongWith(execution.context);
  const parent = { execution_id: execution._id, user, pack, ...along };
  if (definition.chain)
    return { parent, chain: chainContext(definition.chain.nodes.get(chainNodeOf(definition, command))), ...along };
  return {
    parent,
    orquesta: {
      workflow_execution_id: record._id,
      task_execution_id: taskIdOf(record._id, command),
      task_name: command.task,
      task_id: command.task,
      task_route: command.route,
      ...(command.item === undefined ? {} : { item_id: command.item, items_count: command.itemsCount }),
    },
    ...along,
  };
}

/** The name of the node behind a task. They differ when a node is named like an engine command. */
export const chainNodeOf = ({ spec }: WorkflowRun['definition'], { task }: Pick<ActionCommand, 'task'>): string =>
  spec.tasks.get(task)?.resultAs ?? task;

/** A node as written, with its templates. Missing members are null. */
const chainContext = (node: ChainNode | undefined) =>
  node && Object.fromEntries(NODE_MEMBERS.map((member) => [member.replace('-', '_'), node.written[member] ?? null]));

const NODE_MEMBERS = ['name', 'ref', 'params', 'parameters', 'on-success', 'on-failure', 'publish', 'notify'] as const;

/** The workflow decides which of its tasks send notifications. */
function notifyOf({ record: { options }, execution, definition }: WorkflowRun, command: ActionCommand): NotifySpec {
  const own = execution.notify ?? {};
  if (!definition.chain) return options.notify.includes(command.task) ? own : {};
  const name = chainNodeOf(definition, command);
  if (options.skip_notify.includes(name)) return {};
  const ofNode = definition.chain.nodes.get(name)?.notify as NotifySpec | undefined;
  return ofNode ? notifyWithRoutes(ofNode) : own;
}

/** The reason why an action cannot be requested, in the wording that clients of StackStorm expect. */
export function refusalText({ definition }: WorkflowRun, { task, action }: ActionCommand, fault: Fault): string {
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
