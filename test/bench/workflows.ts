import { referenceOfAction, withActions, type BenchAction } from './actions-over-http';
import type { Bench } from './bench';
import { ofJob, type Submission } from './submit';

/** A workflow for the bench: its name, its number of actions, and its definition. */
export interface BenchWorkflow {
  readonly name: string;
  readonly actions: number;
  readonly text: string;
  /** A workflow that this one runs. */
  readonly inner?: BenchWorkflow;
}

/** Sequential tasks. */
export const chain = (length: number): BenchWorkflow => ({
  name: `bench_chain_${length}`,
  actions: length,
  text: definition(
    Array.from({ length }, (_, n) => task(`step_${n}`, n + 1 < length ? [`    next: [{ do: step_${n + 1} }]`] : [])),
  ),
});

/** Parallel tasks and a final join. */
export const forkJoin = (width: number): BenchWorkflow => ({
  name: `bench_fork_${width}`,
  actions: width + 2,
  text: definition([
    task('fork', [`    next: [{ do: [${Array.from({ length: width }, (_, n) => `branch_${n}`).join(', ')}] }]`]),
    ...Array.from({ length: width }, (_, n) => task(`branch_${n}`, ['    next: [{ do: gather }]'])),
    task('gather', ['    join: all']),
  ]),
});

/** One task with a list of items. */
export const withItems = (count: number): BenchWorkflow => ({
  name: `bench_items_${count}`,
  actions: count,
  text: definition([task('each', [`    with: <% range(${count}) %>`])]),
});

/** Nested workflows, with an action in the innermost. */
export const nested = (depth: number, action = 'core.noop', name = 'bench_nested'): BenchWorkflow => {
  const inner = depth > 1 ? nested(depth - 1, action, name) : undefined;
  return {
    name: `${name}_${depth}`,
    actions: depth,
    text: definition([task('within', [], inner ? referenceOf(inner) : action)]),
    ...(inner ? { inner } : {}),
  };
};

/** Growing workflows, which show whether an action costs more in a larger one. @param scale factor for their sizes */
export const workflowShapes = (scale: number): BenchWorkflow[] => {
  const sized = (size: number) => Math.max(2, Math.ceil(size * scale));
  return [
    ...[100, 1000].map((length) => chain(sized(length))),
    forkJoin(sized(100)),
    ...[100, 1000, 10_000].map((count) => withItems(sized(count))),
    nested(5),
  ];
};

/** The actions are executions too, so the list is filtered by the workflow and polled less often. */
export const ofWorkflow = (workflow: BenchWorkflow): Submission => ({
  ...ofJob({ action: referenceOf(workflow) }),
  filter: `action=${referenceOf(workflow)}`,
  lookMs: 20,
});

const referenceOf = ({ name }: BenchWorkflow): string => referenceOfAction(name);

const definition = (tasks: readonly string[]): string => ['version: 1.0', 'tasks:', ...tasks, ''].join('\n');

const task = (name: string, lines: readonly string[], action = 'core.noop'): string =>
  [`  ${name}:`, `    action: ${action}`, ...lines].join('\n');

/** Creates the actions of these workflows. */
export const withWorkflows = (bench: Bench, workflows: readonly BenchWorkflow[]): Promise<void> =>
  withActions(bench, workflows.flatMap(withInner).map(actionOf));

function actionOf({ name, text }: BenchWorkflow): BenchAction {
  const file = `workflows/${name}.yaml`;
  return { name, runner_type: 'orquesta', entry_point: file, data_files: [{ file_path: file, content: text }] };
}

const withInner = (workflow: BenchWorkflow): BenchWorkflow[] => [
  workflow,
  ...(workflow.inner ? withInner(workflow.inner) : []),
];
