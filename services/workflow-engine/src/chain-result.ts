import { isPlainObject, microsToIso } from '@switchyard/base';
import { actionOfKey } from '@switchyard/executions';
import type { ExecutionRecord, TerminalStatus } from '@switchyard/model';
import { unrenderedNode, type ErrorEntry } from '@switchyard/workflow';
import type { Engine } from './engine';
import { nodeOf } from './place';
import type { Run } from './run';

/**
 * A chain tells what each of its nodes has given, and what was published; and, as it may have succeeded all the same, of which nodes the
 * parameters could not be rendered.
 */
export async function chainResult(engine: Engine, run: Run): Promise<Record<string, unknown>> {
  const children = await engine.store.executions.ofWorkflow(run.record._id);
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

/** An error that is about no node is about the variables, which come before all of them. */
function chainError(
  { definition }: Run,
  last: ExecutionRecord | undefined,
  { task_id: task, message }: ErrorEntry,
): string {
  if (task === undefined) return `Failed initializing \`\`vars\`\` in chain. ${message}`;
  return task === 'fail' ? lostLink(definition, last) : message;
}

/** A template in place of the next node is never rendered, and so names none. */
function lostLink(definition: Run['definition'], last: ExecutionRecord | undefined): string {
  const { nodes, start } = definition.chain!;
  const node = last && nodes.get(nodeName(definition, last));
  const next = node ? (last.status === 'succeeded' ? node.onSuccess : node.onFailure) : start;
  const lost = `Unable to find node with name "${next ?? ''}".`;
  return node ? `Failed to get next node "${node.name}". ${lost}` : lost;
}

/** A chain ends as its last node did: after a timeout that nothing follows, by timeout. */
export async function chainStatus({ store }: Engine, run: Run, status: TerminalStatus): Promise<TerminalStatus> {
  if (status !== 'failed' || run.conductor.errors.some(({ result }) => result === undefined)) return status;
  const children = await store.executions.ofWorkflow(run.record._id);
  return children.at(-1)?.status === 'timeout' ? 'timeout' : status;
}

const nodeName = (definition: Run['definition'], { request_key: key = '' }: ExecutionRecord): string =>
  nodeOf(definition, actionOfKey(key) ?? { task: '' });

async function nodeResult(engine: Engine, { definition }: Run, child: ExecutionRecord): Promise<NodeResult> {
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
    // As anybody may see it: the chain's own result does not know what of it is secret.
    result: (await engine.executions.results.load(child, false)) ?? {},
  };
}

/** Results of nodes are variables as well; they are not what was published. */
function publishedBy({ definition: { chain }, conductor }: Run): Record<string, unknown> {
  const names = new Set([...chain!.nodes.values()].flatMap(({ publish }) => publish.map(({ name }) => name)));
  const published = conductor.isCompleted ? conductor.published : conductor.publishedSoFar;
  return Object.fromEntries(Object.entries(published).filter(([name]) => names.has(name)));
}

/** Nodes that could not be requested have no execution; what kept them from it was noted as their result. */
function unrequested({ conductor, definition, history }: Run): NotRequested[] {
  const entries = [...history.times.values()];
  return conductor.errors
    .filter(({ message, result }) => isPlainObject(result) && result['error'] === message)
    .map(({ task_id: task = '', message }) => {
      const name = nodeOf(definition, { task });
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
