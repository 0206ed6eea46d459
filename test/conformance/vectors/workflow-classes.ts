import { isDeepStrictEqual } from 'node:util';
import type { RecordedTask, Step, Trace } from '../../../libs/workflow/test/conductor/trace';
import { TracedFlow } from './traced-flow';

/** A difference in a recorded workflow, with the expected and actual values if known. */
interface Difference {
  readonly trace: Trace;
  readonly text: string;
  readonly step: number;
  readonly expected: unknown;
  readonly given: unknown;
}

type Rule = readonly [name: string, holds: (difference: Difference) => boolean];

/** The causes; the first that matches applies. docs/compatibility.md explains each. */
const RULES: readonly Rule[] = [
  ['inspection tells a finding more or fewer times', (it) => isInspection(it) && isSame(findings(it.expected), findings(it.given))],
  ['inspection knows more variables in the output', (it) => isInspection(it) && lacksOnly(it, /^context output/)],
  ['inspection finds something else', (it) => isInspection(it)],
  ['a list that succeeded is run again', (it) => it.text.includes('rerun: expected a refusal') && rerunsList(it)],
  ['a rerun of all failures leaves out what has succeeded since', (it) => rerunsWhatSucceeded(it)],
  ['a task that is reached while it runs runs again', (it) => differsInReached(it)],
  ['a rerun forgets errors of the former run', (it) => it.text.startsWith('errors: ') && hasRerun(it) && lacksOnly(it, /./)],
  ['a workflow that was canceled with a half-reached join is canceled', (it) => endsAs(it, 'failed', 'canceled') && hasUnreached(it)],
  ['a half-reached join fails a rerun, too', (it) => hasRerun(it) && endsAs(it, 'succeeded', 'failed') && joinsOf(it).some((join) => isUnpublished(it, join))],
  ['a workflow that ends when it is resumed keeps its values', (it) => isFinal(it) && endsByResuming(it)],
  ['a source whose values could not be evaluated does not count at a join', (it) => movesJoins(it, isUnpublished)],
  ['a join runs once a round, with the sources of that round', (it) => movesJoins(it, isRepeated)],
  ['what followed from a rerun task no longer feeds the output', (it) => isOutput(it) && differsBelowRerun(it)],
  ['an older value does not hide a newer one in a loop', (it) => differsInLoop(it)],
  ['a join after a rerun sees what all of its sources handed on', (it) => isOutput(it) && hasJoin(it) && hasRerun(it)],
  ['an older value does not hide a newer one at a join', (it) => isOutput(it) && hasJoin(it)],
]; // prettier-ignore

/** Describes the cause of a difference, or returns `other` for an unknown one. */
export function classOfDifference(trace: Trace, text: string): string {
  const difference = { trace, text, step: Number(/^step (\d+)/.exec(text)?.[1] ?? -1), ...sidesOf(text) };
  return RULES.find(([, holds]) => holds(difference))?.[0] ?? 'other';
}

function sidesOf(text: string): { expected: unknown; given: unknown } {
  const [, expected = '', given = ''] = /expected (.*?), got (.*?)(?:; |$)/s.exec(text) ?? [];
  if (!text.startsWith('inspection: ')) return { expected: parsed(expected), given: parsed(given) };
  return { expected: expected.split(', '), given: given.split(', ') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isInspection = ({ text }: Difference): boolean => text.startsWith('inspection: ');
const isFinal = ({ step }: Difference): boolean => step < 0;
const hasRerun = ({ trace }: Difference): boolean => stepsOf(trace).some(({ op }) => op === 'rerun');
const stepsOf = ({ trace }: Trace): NonNullable<Trace['trace']> => trace ?? [];

const listOf = (side: unknown): readonly string[] => (Array.isArray(side) ? (side as string[]) : []);
const findings = (side: unknown): ReadonlySet<string> => new Set(listOf(side).filter((each) => each !== 'nothing'));
const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  isDeepStrictEqual([...a].sort(), [...b].sort());

function lacksOnly({ expected, given }: Difference, pattern: RegExp): boolean {
  const [wanted, got] = [findings(expected), findings(given)];
  const isMore = [...got].some((each) => !wanted.has(each));
  const lacking = [...wanted].filter((each) => !got.has(each));
  return !isMore && lacking.every((each) => pattern.test(each));
}

type Tasks = Readonly<Record<string, { readonly join?: unknown; readonly with?: unknown }>>;
const tasksOf = ({ trace }: Difference): Tasks => trace.definition['tasks'] as Tasks;
const joinsOf = (difference: Difference): string[] =>
  Object.entries(tasksOf(difference)).flatMap(([name, { join }]) => (join === undefined ? [] : [name]));
const hasJoin = (difference: Difference): boolean => joinsOf(difference).length > 0;

function rerunsList(difference: Difference): boolean {
  const step = stepsOf(difference.trace)[difference.step];
  const tasks = step?.op === 'rerun' ? (step.tasks ?? []) : [];
  return tasks.some(({ task_id }) => tasksOf(difference)[task_id]?.with !== undefined);
}

function endsAs({ expected, given }: Difference, theirs: string, ours: string): boolean {
  const [wanted, got] = [expected, given].map((side) => side as { workflow?: string; tasks?: unknown } | undefined);
  return wanted?.workflow === theirs && got?.workflow === ours && isDeepStrictEqual(wanted.tasks, got.tasks);
}

function endsByResuming({ trace }: Difference): boolean {
  const last = stepsOf(trace).findLast(({ op }) => op !== 'next_tasks');
  return last?.op === 'request_status' && (last.status === 'resuming' || last.status === 'running');
}

/** Whether the tasks that only one side runs are joins for which a condition holds. */
function movesJoins(difference: Difference, holds: (difference: Difference, join: string) => boolean): boolean {
  const { text, expected, given } = difference;
  if (!text.includes(': hand-out: ')) return false;
  const named = (side: unknown): Set<string> => new Set((side as { id: string }[]).map(({ id }) => id));
  const [wanted, got] = [named(expected), named(given)];
  const moved = [...wanted, ...got].filter((id) => !(wanted.has(id) && got.has(id)));
  const isMeant = (id: string): boolean => tasksOf(difference)[id]?.join !== undefined && holds(difference, id);
  return moved.length > 0 && moved.every(isMeant);
}

/** Whether the reference reports a join that was reached halfway. */
const hasUnreached = ({ trace }: Difference): boolean =>
  trace.final?.errors.some(({ message }) => message?.startsWith('UnreachableJoinError')) === true;

/** Whether values that a source publishes towards the join could not be evaluated. */
const isUnpublished = ({ trace }: Difference, join: string): boolean =>
  trace.final?.errors.some(({ task_transition_id: id }) => id?.startsWith(`${join}__t`)) === true;

/** Whether the join may run more than once: in or after a loop, or after a rerun. */
const isRepeated = ({ trace, step }: Difference, join: string): boolean =>
  trace.trace!.slice(0, step).some(({ op }) => op === 'rerun') || new TracedFlow(trace).isRepeated(join);

/** Whether a rerun without tasks differs only in tasks that have succeeded since they failed. */
function rerunsWhatSucceeded({ trace, text, step, expected, given }: Difference): boolean {
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
function differsInReached({ trace, text, step, expected, given }: Difference): boolean {
  if (!text.includes(': hand-out: ')) return false;
  const [wanted, got] = [expected as RecordedTask[], given as RecordedTask[]];
  const isIn = (tasks: RecordedTask[]) => (task: RecordedTask) => tasks.some((each) => isDeepStrictEqual(each, task));
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

const isOutput = ({ text }: Difference): boolean => text.startsWith('output: ') && !text.includes('; errors: ');

/** The variables that the different outputs read. */
function differingVariables({ expected, given }: Difference, flow: TracedFlow): ReadonlySet<string> {
  const [wanted, got] = [expected, given].map((side) => (side ?? {}) as Readonly<Record<string, unknown>>);
  const names = Object.keys({ ...wanted, ...got }).filter((name) => !isDeepStrictEqual(wanted?.[name], got?.[name]));
  return new Set(names.flatMap((name) => [...flow.readByOutput(name)]));
}

/** Whether the output differs in what was published further below a rerun task. */
function differsBelowRerun(difference: Difference): boolean {
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
function differsInLoop(difference: Difference): boolean {
  const flow = new TracedFlow(difference.trace);
  const differing = readVariables(difference, flow);
  return [...flow.metInLoops()].some(({ variables }) => [...differing].some((name) => variables.has(name)));
}

/** The variables that lead to a difference in a status, a rendered input or the output. */
function readVariables(difference: Difference, flow: TracedFlow): ReadonlySet<string> {
  const { trace, text, step, expected, given } = difference;
  if (isOutput(difference)) return differingVariables(difference, flow);
  const now = trace.trace?.[step];
  if (text.includes(': state: ') && now !== undefined && 'task' in now) return flow.readByConditions(now.task);
  if (!text.includes(': hand-out: ')) return new Set();
  const [wanted, got] = [expected as RecordedTask[], given as RecordedTask[]];
  const differing = wanted.filter((task, at) => !isDeepStrictEqual(task, got[at]));
  const isSameTask = ({ id, route }: RecordedTask): boolean =>
    got.some((task) => task.id === id && task.route === route);
  if (wanted.length !== got.length || !differing.every(isSameTask)) return new Set();
  return new Set(differing.flatMap(({ id }) => [...flow.readByInput(id)]));
}
