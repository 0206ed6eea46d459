import { isDeepStrictEqual } from 'node:util';
import type { Trace } from '../../../libs/workflow/test/conductor/trace';

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
  ['a rerun forgets errors of the former run', (it) => it.text.startsWith('errors: ') && hasRerun(it) && lacksOnly(it, /./)],
  ['a workflow that was canceled with a half-reached join is canceled', (it) => endsAs(it, 'failed', 'canceled')],
  ['a half-reached join fails a rerun, too', (it) => hasRerun(it) && hasJoin(it) && endsAs(it, 'succeeded', 'failed')],
  ['a workflow that ends when it is resumed keeps its values', (it) => isFinal(it) && endsByResuming(it)],
  ['a join runs once a round, with the sources of that round', (it) => differsInJoins(it)],
  ['a join after a rerun sees what all of its sources handed on', (it) => isFinal(it) && hasJoin(it) && hasRerun(it)],
  ['an older value does not hide a newer one at a join', (it) => isFinal(it) && hasJoin(it)],
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
const hasJoin = (difference: Difference): boolean =>
  Object.values(tasksOf(difference)).some(({ join }) => join !== undefined);

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

/** Whether only joins are scheduled earlier or later. */
function differsInJoins(difference: Difference): boolean {
  const { text, expected, given } = difference;
  if (!text.includes(': hand-out: ')) return false;
  const named = (side: unknown): Set<string> => new Set((side as { id: string }[]).map(({ id }) => id));
  const [wanted, got] = [named(expected), named(given)];
  const moved = [...wanted, ...got].filter((id) => !(wanted.has(id) && got.has(id)));
  return moved.length > 0 && moved.every((id) => tasksOf(difference)[id]?.join !== undefined);
}
