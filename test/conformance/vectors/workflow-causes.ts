import { isDeepStrictEqual } from 'node:util';
import type { RecordedTask, Step, Trace } from '../../../libs/workflow/test/conductor/trace';
import { TracedFlow } from './traced-flow';

/** A difference in a recorded workflow, with the expected and actual values if known. */
export interface TracedDifference {
  readonly trace: Trace;
  readonly text: string;
  readonly step: number;
  readonly expected: unknown;
  readonly given: unknown;
}

export const stepsOf = ({ trace }: Trace): NonNullable<Trace['trace']> => trace ?? [];

type Tasks = Readonly<Record<string, { readonly join?: unknown; readonly with?: unknown }>>;
export const tasksOf = ({ trace }: TracedDifference): Tasks => trace.definition['tasks'] as Tasks;
export const joinsOf = (difference: TracedDifference): string[] =>
  Object.entries(tasksOf(difference)).flatMap(([name, { join }]) => (join === undefined ? [] : [name]));

export function endsAs({ expected, given }: TracedDifference, theirs: string, ours: string): boolean {
  const [wanted, got] = [expected, given].map((side) => side as { workflow?: string; tasks?: unknown } | undefined);
  return wanted?.workflow === theirs && got?.workflow === ours && isDeepStrictEqual(wanted.tasks, got.tasks);
}

type HandOuts = readonly [expected: readonly RecordedTask[], given: readonly RecordedTask[]];

/** What both sides run; undefined for a difference of another kind. */
function handOuts({ text, expected, given }: TracedDifference): HandOuts | undefined {
  const isKnown = text.includes(': hand-out: ') && Array.isArray(expected) && Array.isArray(given);
  return isKnown ? [expected as RecordedTask[], given as RecordedTask[]] : undefined;
}

/** Whether the tasks that only one side runs are joins for which a condition holds. */
export function movesJoins(
  difference: TracedDifference,
  holds: (difference: TracedDifference, join: string) => boolean,
): boolean {
  const sides = handOuts(difference);
  if (sides === undefined) return false;
  const [wanted = new Set<string>(), got = new Set<string>()] = sides.map((side) => new Set(side.map(({ id }) => id)));
  const moved = [...wanted, ...got].filter((id) => !(wanted.has(id) && got.has(id)));
  const isMeant = (id: string): boolean => tasksOf(difference)[id]?.join !== undefined && holds(difference, id);
  return moved.length > 0 && moved.every(isMeant);
}

/** Whether the reference reports a join that was reached halfway. */
export const hasUnreached = ({ trace }: TracedDifference): boolean =>
  trace.final?.errors.some(({ message }) => message?.startsWith('UnreachableJoinError')) === true;

/** Whether values that a source publishes towards the join could not be evaluated. */
export const isUnpublished = ({ trace }: TracedDifference, join: string): boolean =>
  trace.final?.errors.some(({ task_transition_id: id }) => id?.startsWith(`${join}__t`)) === true;

/** Whether the join may run more than once: in or after a loop, or after a rerun. */
export const isRepeated = (difference: TracedDifference, join: string): boolean =>
  isAfterRerun(difference) || new TracedFlow(difference.trace).isRepeated(join);

export const isAfterRerun = ({ trace, step }: TracedDifference): boolean =>
  stepsOf(trace)
    .slice(0, step < 0 ? undefined : step)
    .some(({ op }) => op === 'rerun');

/** Whether a rerun without tasks differs only in tasks that have succeeded since they failed. */
export function rerunsWhatSucceeded({ trace, text, step, expected, given }: TracedDifference): boolean {
  const now = trace.trace?.[step];
  if (now?.op !== 'rerun' || now.tasks !== undefined) return false;
  const before = statusesAt(trace, step - 1);
  const hasSucceeded = (task: string): boolean => before[task] === 'succeeded';
  if (text.includes('rerun: threw ConductorError'))
    return Object.values(before).every((status) => status === 'succeeded');
  const [wanted, got] = [expected, given].map((side) => (side as { tasks?: Statuses } | undefined)?.tasks ?? {});
  const moved = Object.keys(before).filter((task) => wanted?.[task] !== got?.[task]);
  return moved.length > 0 && moved.every(hasSucceeded);
}

type Statuses = Readonly<Record<string, string | null>>;

const statusesAt = ({ trace }: Trace, step: number): Statuses => trace?.[step]?.after.tasks ?? {};

/** Whether we run tasks in addition that were running when they were reached again, or items of such a list differ. */
export function differsInReached(difference: TracedDifference): boolean {
  const { trace, step } = difference;
  const sides = handOuts(difference);
  if (sides === undefined) return false;
  const [wanted, got] = sides;
  const isIn = (tasks: readonly RecordedTask[]) => (task: RecordedTask) =>
    tasks.some((each) => isDeepStrictEqual(each, task));
  const [less, more] = [wanted.filter((task) => !isIn(got)(task)), got.filter((task) => !isIn(wanted)(task))];
  const [flow, steps] = [new TracedFlow(trace), trace.trace!.slice(0, step)];
  const isList = ({ items_count: count }: RecordedTask): boolean => count !== undefined;
  return (
    less.length + more.length > 0 &&
    less.every((task) => isList(task) && wasReachedRunning(steps, task, flow)) &&
    more.every((task) => wasReachedRunning(steps, task, flow))
  );
}

/** Whether a task ran while one that leads to it ended. A task that is no list must have ended later. */
function wasReachedRunning(
  steps: readonly Step[],
  { id, route, items_count }: RecordedTask,
  flow: TracedFlow,
): boolean {
  const isRunning = (step?: Step): boolean => step?.after.tasks[`${id}:${route}`] === 'running';
  const leads = (step: Step): boolean => 'task' in step && 'result' in step && flow.leads(step.task, id);
  const hasEnded = items_count !== undefined || !isRunning(steps.at(-1));
  return hasEnded && steps.some((step) => leads(step) && isRunning(step));
}

export const isOutput = ({ text }: TracedDifference): boolean =>
  text.startsWith('output: ') && !text.includes('; errors: ');

/** The variables that the different outputs read. */
function differingVariables({ expected, given }: TracedDifference, flow: TracedFlow): ReadonlySet<string> {
  const [wanted, got] = [expected, given].map((side) => (side ?? {}) as Readonly<Record<string, unknown>>);
  const names = Object.keys({ ...wanted, ...got }).filter((name) => !isDeepStrictEqual(wanted?.[name], got?.[name]));
  return new Set(names.flatMap((name) => [...flow.readByOutput(name)]));
}

/** Whether the output differs in what was published further below a rerun task. */
export function differsBelowRerun(difference: TracedDifference): boolean {
  const { trace } = difference;
  const roots = stepsOf(trace).flatMap((step, at) => (step.op === 'rerun' ? rerunTasks(trace, at) : []));
  if (roots.length === 0) return false;
  const flow = new TracedFlow(trace);
  const published = roots.map((root) => flow.publishedBy(flow.below(root)));
  const differing = [...differingVariables(difference, flow)];
  return differing.length > 0 && differing.every((name) => published.some((names) => names.has(name)));
}

/** The tasks of a rerun: those named, or those that had failed. */
function rerunTasks(trace: Trace, at: number): string[] {
  const step = trace.trace![at];
  if (step?.op === 'rerun' && step.tasks !== undefined) return step.tasks.map(({ task_id }) => task_id);
  const failed = Object.entries(statusesAt(trace, at - 1)).filter(([, status]) => FAILED.has(status));
  return failed.map(([task]) => task.replace(/:\d+$/, ''));
}

const FAILED: ReadonlySet<string | null> = new Set(['failed', 'timeout', 'abandoned']);

/** Whether values differ that several transitions of one task hand to a task in a loop. */
export function differsInLoop(difference: TracedDifference): boolean {
  const flow = new TracedFlow(difference.trace);
  const { variables: differing } = readingOf(difference, flow);
  return [...flow.metInLoops()].some(({ variables }) => [...differing].some((name) => variables.has(name)));
}

/** Whether values differ that were published on the way to a join, and are read by it or after it. */
export function differsAtJoin(difference: TracedDifference): boolean {
  const flow = new TracedFlow(difference.trace);
  const { tasks, variables } = readingOf(difference, flow);
  return joinsOf(difference).some((join) => {
    const published = flow.publishedBy(flow.above(join));
    const below = flow.below(join);
    const isRead = tasks.every((task) => task === join || below.has(task));
    return isRead && [...variables].some((name) => published.has(name));
  });
}

/** The variables that lead to a difference, and the tasks that read them; none for the output. */
interface Reading {
  readonly tasks: readonly string[];
  readonly variables: ReadonlySet<string>;
}

const NOTHING: Reading = { tasks: [], variables: new Set() };

/** What leads to a different status, rendered input or output. */
function readingOf(difference: TracedDifference, flow: TracedFlow): Reading {
  const { trace, text, step } = difference;
  if (isOutput(difference)) return { tasks: [], variables: differingVariables(difference, flow) };
  const now = trace.trace?.[step];
  if (text.includes(': state: ') && now !== undefined && 'task' in now)
    return { tasks: [now.task], variables: flow.readByConditions(now.task) };
  const sides = handOuts(difference);
  if (sides === undefined) return NOTHING;
  const [wanted, got] = sides;
  const differing = wanted.filter((task, at) => !isDeepStrictEqual(task, got[at]));
  const isSameTask = ({ id, route }: RecordedTask): boolean =>
    got.some((task) => task.id === id && task.route === route);
  if (wanted.length !== got.length || !differing.every(isSameTask)) return NOTHING;
  const tasks = differing.map(({ id }) => id);
  return { tasks, variables: new Set(tasks.flatMap((task) => [...flow.readByInput(task)])) };
}
