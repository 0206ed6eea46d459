import { microsToIso } from '@switchyard/base';
import { actionOfKey } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import type { ErrorEntry } from '@switchyard/workflow';
import type { Engine } from './engine';
import { nodeOf } from './place';
import { call, type Run } from './run';

/** What the execution of a run shows when it has ended. */
export async function resultOf(engine: Engine, run: Run): Promise<Record<string, unknown>> {
  const output = await call(engine, run, (options) => run.conductor.output(options));
  if (run.definition.chain) return chainResult(engine, run);
  const { errors } = run.conductor;
  return { output, ...(errors.length > 0 ? { errors } : {}) };
}

/** A chain tells what each of its nodes has given, and what was published. */
async function chainResult(engine: Engine, run: Run): Promise<Record<string, unknown>> {
  const children = await engine.store.executions.ofWorkflow(run.record._id);
  const tasks = await Promise.all(children.map((child) => nodeResult(engine, run, child)));
  const failure = run.conductor.errors.find(({ result }) => result === undefined);
  return {
    tasks,
    ...(run.record.options.display_published ? { published: publishedBy(run) } : {}),
    ...(failure ? { error: chainError(failure) } : {}),
  };
}

/** An error that is about no node is about the variables, which come before all of them. */
const chainError = ({ task_id: node, message }: ErrorEntry): string =>
  node === undefined ? `Failed initializing \`\`vars\`\` in chain. ${message}` : message;

async function nodeResult(
  engine: Engine,
  { definition }: Run,
  child: ExecutionRecord,
): Promise<Record<string, unknown>> {
  const { task } = actionOfKey(child.request_key ?? '') ?? { task: '' };
  const name = nodeOf(definition, { task });
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
  return Object.fromEntries(Object.entries(conductor.published).filter(([name]) => names.has(name)));
}
