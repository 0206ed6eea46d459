import { isDeepStrictEqual } from 'node:util';
import type { Trace } from '../../../libs/workflow/test/conductor/trace';
import {
  differsAtJoin,
  differsBelowRerun,
  differsInLoop,
  differsInReached,
  endsAs,
  hasUnreached,
  isAfterRerun,
  isOutput,
  isRepeated,
  isUnpublished,
  joinsOf,
  movesJoins,
  rerunsWhatSucceeded,
  stepsOf,
  tasksOf,
  type TracedDifference,
} from './workflow-causes';

type Rule = readonly [name: string, holds: (difference: TracedDifference) => boolean];

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
  ['a join after a rerun sees what all of its sources handed on', (it) => isAfterRerun(it) && differsAtJoin(it)],
  ['an older value does not hide a newer one at a join', (it) => differsAtJoin(it)],
]; // oxfmt-ignore

/**
 * Describes the cause of a difference, or returns `other` for an unknown one. Of several differences at the end of a
 * run, each needs a cause.
 */
export function classOfDifference(trace: Trace, text: string): string {
  const causes = [text, ...text.split(/; (?=(?:output|errors): )/)].map((part) => causeOf(trace, part));
  const [whole, first = 'other', ...more] = causes;
  return whole ?? (more.includes(undefined) ? 'other' : first);
}

function causeOf(trace: Trace, text: string): string | undefined {
  const difference = { trace, text, step: Number(/^step (\d+)/.exec(text)?.[1] ?? -1), ...sidesOf(text) };
  return RULES.find(([, holds]) => holds(difference))?.[0];
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

const isInspection = ({ text }: TracedDifference): boolean => text.startsWith('inspection: ');
const isFinal = ({ step }: TracedDifference): boolean => step < 0;
const hasRerun = ({ trace }: TracedDifference): boolean => stepsOf(trace).some(({ op }) => op === 'rerun');
const listOf = (side: unknown): readonly string[] => (Array.isArray(side) ? (side as string[]) : []);
const findings = (side: unknown): ReadonlySet<string> => new Set(listOf(side).filter((each) => each !== 'nothing'));
const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  isDeepStrictEqual([...a].sort(), [...b].sort());

function lacksOnly({ expected, given }: TracedDifference, pattern: RegExp): boolean {
  const [wanted, got] = [findings(expected), findings(given)];
  const isMore = [...got].some((each) => !wanted.has(each));
  const lacking = [...wanted].filter((each) => !got.has(each));
  return !isMore && lacking.every((each) => pattern.test(each));
}

function rerunsList(difference: TracedDifference): boolean {
  const step = stepsOf(difference.trace)[difference.step];
  const tasks = step?.op === 'rerun' ? (step.tasks ?? []) : [];
  return tasks.some(({ task_id }) => tasksOf(difference)[task_id]?.with !== undefined);
}

function endsByResuming({ trace }: TracedDifference): boolean {
  const last = stepsOf(trace).findLast(({ op }) => op !== 'next_tasks');
  return last?.op === 'request_status' && (last.status === 'resuming' || last.status === 'running');
}
