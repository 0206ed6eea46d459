import { ENGINE_COMMANDS, type TaskSpec, type TransitionSpec, type WorkflowSpec } from '../spec/model';
import type { ActionChain, ChainNode } from './read-chain';

/** Options of a chain run. */
export type ChainRunOptions = Pick<WorkflowSpec, 'failsUnrendered'>;

/**
 * Converts a chain to an equivalent workflow. Each node is a task with one transition for success and one for failure,
 * so that a failure with `on-failure` is handled and one without ends the run; both publish first. The node's result
 * becomes a variable of the node's name. `dialect` and `resultAs` express this for the conductor.
 * @param parameters names of the action's parameters, the initial variables of a run
 */
export function chainToWorkflow(
  chain: ActionChain,
  parameters: readonly string[],
  { failsUnrendered = false }: ChainRunOptions = {},
): WorkflowSpec {
  const taskName = taskNames(chain);
  const tasks = [...chain.nodes.values()].map((node) => taskOf(node, taskName));
  return {
    dialect: 'chain',
    ...(failsUnrendered ? { failsUnrendered } : {}),
    tags: [],
    input: parameters.map((name) => ({ name })),
    vars: chain.vars,
    tasks: new Map(tasks.map((task) => [task.name, task])),
    start: [taskName.get(chain.start) ?? 'fail'],
    output: [],
    finally: [],
  };
}

function taskOf(node: ChainNode, taskName: ReadonlyMap<string, string>): TaskSpec {
  const towards = (node: string | undefined): readonly string[] =>
    node === undefined ? ['continue'] : [taskName.get(node) ?? 'fail'];
  return {
    name: taskName.get(node.name) ?? node.name,
    action: node.ref,
    input: node.parameters,
    resultAs: node.name,
    next: [
      transition('<% succeeded() %>', node, towards(node.onSuccess)),
      transition('<% failed() %>', node, towards(node.onFailure)),
    ],
  };
}

const transition = (when: string, { publish }: ChainNode, to: readonly string[]): TransitionSpec => ({
  when,
  publish,
  do: to,
});

/** Task names by node name. A node may be named like an engine command, a task may not. */
function taskNames({ nodes }: ActionChain): ReadonlyMap<string, string> {
  const isTaken = (name: string): boolean => nodes.has(name) || (ENGINE_COMMANDS as readonly string[]).includes(name);
  const nameOf = (name: string): string => {
    if (!(ENGINE_COMMANDS as readonly string[]).includes(name)) return name;
    let other = `${name}_`;
    while (isTaken(other)) other += '_';
    return other;
  };
  return new Map([...nodes.keys()].map((name) => [name, nameOf(name)]));
}
