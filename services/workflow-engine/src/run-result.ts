import { isPlainObject, microsToIso } from '@switchyard/base';
import type { ExecutionRecord, TerminalStatus } from '@switchyard/model';
import { unrenderedNode, type WorkflowError } from '@switchyard/workflow';
import { actionOfKey } from '@switchyard/workflow-runs';
import { type Engine, call, type WorkflowRun } from './run';
import { chainNodeOf } from './chain-nodes';

/** The result of the execution of a run that has ended. */
export async function workflowResult(engine: Engine, run: WorkflowRun): Promise<Record<string, unknown>> {
  const output = await outputOf(engine, run);
  if (run.definition.chain) return chainResult(engine, run);
  const { errors, status } = run.conductor;
  // Clients treat a result with errors as a failure, so errors that were handled or retried are left out.
  const areShown = ABENDED.includes(status) || (errors.length > 0 && undoes(run));
  return { output, ...(areShown ? { errors } : {}) };
}

const ABENDED: readonly string[] = ['failed', 'timeout', 'abandoned'];

/** A rollback that fails is shown whatever the status is. */
const undoes = ({ definition: { spec } }: WorkflowRun): boolean =>
  [...spec.tasks.values()].some(({ rollback }) => rollback !== undefined);

/** The output of a run that has ended; null if its inputs or variables could not be rendered. */
export const outputOf = async (engine: Engine, run: WorkflowRun): Promise<unknown> =>
  run.isStillborn ? null : call(engine, run, (options) => run.conductor.output(options));

/**
 * The result of a chain: the result of each node, what was published, and warnings about nodes whose
 * parameters could not be rendered, since the chain may have succeeded anyway.
 */
export async function chainResult(engine: Engine, run: WorkflowRun): Promise<Record<string, unknown>> {
  const children = await engine.executions.records.ofWorkflow(run.record._id);
  const tasks = await Promise.all(children.map((child) => nodeResult(engine, run, child)));
  const notRequested = unrequested(run);
  const warnings = notRequested.flatMap(({ name, result: { error } }) =>
    error.startsWith(unrenderedNode(name)) ? [error] : [],
  );
  const failure = run.conductor.errors.find(({ result }) => result === undefined);
  return {
    tasks: [...tasks, ...notRequested].sort(byStart),
    ...(run.record.options.display_published ? { published: publishedBy(run) } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(failure ? { error: chainError(run, children.at(-1), failure) } : {}),
  };
}

/** An error without a task is about the variables of the chain. */
function chainError(
  { definition }: WorkflowRun,
  last: ExecutionRecord | undefined,
  { task_id: task, message }: WorkflowError,
): string {
  if (task === undefined) return `Failed initializing \`\`vars\`\` in chain. ${message}`;
  return task === 'fail' ? lostLink(definition, last) : message;
}

/** A link to the next node is never rendered, so a template in it names no node. */
function lostLink(definition: WorkflowRun['definition'], last: ExecutionRecord | undefined): string {
  const { nodes, start } = definition.chain!;
  const node = last && nodes.get(nodeName(definition, last));
  const next = node ? (last.status === 'succeeded' ? node.onSuccess : node.onFailure) : start;
  const lost = `Unable to find node with name "${next ?? ''}".`;
  return node ? `Failed to get next node "${node.name}". ${lost}` : lost;
}

/** A chain whose last node timed out ends with the status `timeout`. */
export async function chainStatus(
  { executions }: Engine,
  run: WorkflowRun,
  status: TerminalStatus,
): Promise<TerminalStatus> {
  if (status !== 'failed' || run.conductor.errors.some(({ result }) => result === undefined)) return status;
  const children = await executions.records.ofWorkflow(run.record._id);
  return children.at(-1)?.status === 'timeout' ? 'timeout' : status;
}

const nodeName = (definition: WorkflowRun['definition'], { request_key: key = '' }: ExecutionRecord): string =>
  chainNodeOf(definition, actionOfKey(key) ?? { task: '' });

async function nodeResult(engine: Engine, { definition }: WorkflowRun, child: ExecutionRecord): Promise<NodeResult> {
  const name = nodeName(definition, child);
  return {
    id: name,
    name,
    execution_id: child._id,
    liveaction_id: child.liveaction_id,
    workflow: null,
    created_at: microsToIso(child.start_timestamp),
    updated_at: microsToIso(child.end_timestamp ?? child.log.at(-1)!.timestamp),
    state: child.status,
    // Masked, because the result of the chain does not know which parts are secret.
    result: (await engine.executions.results.load(child, false)) ?? {},
  };
}

/** Results of nodes are variables too, but they do not count as published. */
function publishedBy({ definition: { chain }, conductor }: WorkflowRun): Record<string, unknown> {
  const names = new Set([...chain!.nodes.values()].flatMap(({ publish }) => publish.map(({ name }) => name)));
  const published = conductor.isCompleted ? conductor.published : conductor.publishedSoFar;
  return Object.fromEntries(Object.entries(published).filter(([name]) => names.has(name)));
}

/** Nodes that could not be requested. They have no execution; the error is their result. */
function unrequested({ conductor, definition, history }: WorkflowRun): NotRequested[] {
  const entries = [...history.times.values()];
  return conductor.errors
    .filter(({ message, result }) => isPlainObject(result) && result['error'] === message)
    .map(({ task_id: task = '', message }) => {
      const name = chainNodeOf(definition, { task });
      const at = entries.findLast(({ entry }) => entry.task === task && entry.status === 'failed')?.start ?? 0;
      const times = { created_at: microsToIso(at), updated_at: microsToIso(at) };
      return {
        id: name,
        name,
        execution_id: null,
        liveaction_id: null,
        workflow: null,
        ...times,
        state: 'failed',
        result: { error: message },
      };
    });
}

interface NodeResult extends Record<string, unknown> {
  readonly created_at: string;
}

interface NotRequested extends NodeResult {
  readonly name: string;
  readonly result: { readonly error: string };
}

const byStart = (a: NodeResult, b: NodeResult): number =>
  a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at);
