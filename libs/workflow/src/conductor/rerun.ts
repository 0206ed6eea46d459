import { ENGINE_COMMANDS } from '../spec/model';
import { ABENDED, COMPLETED } from '../machines';
import type { WorkflowError, HeadDocument } from '../state/documents';
import type { TaskEntry } from '../state/entries';
import { pointer } from '../state/staging';
import type { Core } from './core';
import { setDeadline } from './begin';
import { notRerunnable } from './errors';
import { fresh } from './joins';
import { retryOf } from './entry';

export interface TaskRerun {
  readonly task: string;
  /** Default: 0. */
  readonly route?: number;
  /** Whether a with-items task restarts its list instead of running only items that have not succeeded. */
  readonly resetItems?: boolean;
}

interface Rerun {
  readonly entry: TaskEntry;
  readonly resetItems: boolean;
}

/**
 * Reopens tasks of a run that has ended.
 * @param requests undefined: every end that is a failure
 * @throws ConductorError when one of them has not run
 */
export function rerun(core: Core, requests: readonly TaskRerun[] | undefined, now: number | undefined): void {
  const { state } = core;
  const wanted = requests === undefined ? failedEnds(core) : requested(core, requests);
  const roots = wanted.filter(({ entry }) => !isBelow(core, entry, wanted));
  if (roots.length === 0 && !hasLeftovers(core)) throw notRerunnable([]);
  markStale(core, roots);
  for (const { entry } of roots) forgetEnds(core, entry);
  forgetNotStarted(core);
  state.errors.forget((error) => isOfFormerRun(core, error));
  for (const routes of state.entries.latest.values()) {
    for (const entry of routes.values())
      if (entry.status === 'canceled' && entry.waived !== true) state.entries.waive(entry);
  }
  for (const root of roots) reopen(core, root);
  state.setHead({ reruns: state.head.reruns + 1, output: null, outputRendered: false, status: 'resuming' });
  state.setHead({ cleanUp: undefined, deadline: undefined } as unknown as Partial<HeadDocument>);
  setDeadline(core, state.contexts.resolve(0), now);
}

/** Whether tasks were reached and not started when the run ended, or lists were in the middle. */
const hasLeftovers = ({ state: { staging, entries } }: Core): boolean =>
  staging.ready.size > 0 || entries.feeding.size > 0;

function failedEnds(core: Core): Rerun[] {
  const ends = core.state.entries.all.filter(
    (entry) =>
      entry.phase === 'body' &&
      entry.terminal &&
      ABENDED.has(entry.status) &&
      core.state.entries.latestOf(entry.task, entry.route) === entry,
  );
  return ends.filter(({ task }) => !isCommand(task)).map((entry) => ({ entry, resetItems: false }));
}

const isCommand = (task: string): boolean => (ENGINE_COMMANDS as readonly string[]).includes(task);

function requested(core: Core, requests: readonly TaskRerun[]): Rerun[] {
  const found = new Map<string, Rerun>();
  const missing: string[] = [];
  for (const { task, route = 0, resetItems = false } of requests) {
    const entry = isCommand(task) ? undefined : core.state.entries.latestOf(task, route);
    if (entry === undefined || !isRerunnable(core, entry)) missing.push(`${task}|${route}`);
    else found.set(pointer(task, route), { entry, resetItems });
  }
  if (missing.length > 0) throw notRerunnable(missing);
  return [...found.values()];
}

const isRerunnable = (core: Core, entry: TaskEntry): boolean =>
  entry.phase === 'body' && (entry.status === null || COMPLETED.has(entry.status) || isIdleList(core, entry));

/** Whether a list was in the middle when the run ended, and none of its items is at work. */
function isIdleList({ state: { entries, items } }: Core, entry: TaskEntry): boolean {
  const { active, paused } = items.of(entry.items)?.counts ?? NONE;
  return entries.feeding.has(entry) && active === 0 && paused === 0;
}

const NONE = { active: 0, paused: 0 };

/** Whether an entry follows from one of the reruns. */
function isBelow(core: Core, entry: TaskEntry, reruns: readonly Rerun[]): boolean {
  const others = new Set(reruns.map((rerun) => rerun.entry.index).filter((index) => index !== entry.index));
  const above = new Set(Object.values(entry.prev));
  for (const index of above) {
    if (others.has(index)) return true;
    for (const source of Object.values(core.state.entries.all[index]!.prev)) above.add(source);
  }
  return false;
}

/** Entries of rerun tasks, and those that follow from them, no longer count as sources of a join. */
function markStale(core: Core, roots: readonly Rerun[]): void {
  const { entries } = core.state;
  const stale = new Set(roots.map(({ entry }) => entry.index));
  for (const entry of entries.all) {
    const isStale = stale.has(entry.index) || Object.values(entry.prev).some((source) => stale.has(source));
    if (!isStale || entries.feeding.has(entry)) continue;
    stale.add(entry.index);
    if (entry.stale !== true) entries.patch(entry, { stale: true });
  }
}

/** Drops the ends of the former run: only new ends feed the output. */
function forgetEnds(core: Core, root: TaskEntry): void {
  const { state } = core;
  state.errors.forget(({ task_id }) => task_id === root.task);
  state.entries.patch(root, { terminal: false });
  for (const entry of state.entries.all) {
    const leadsOn = Object.values(entry.next).some(Boolean);
    if (entry.terminal && (entry.stale === true || leadsOn)) state.entries.patch(entry, { terminal: false });
  }
}

/** Tasks that could not be started are tried again. */
function forgetNotStarted({ state }: Core): void {
  for (const staged of state.staging.all.values())
    if (staged.isEnd === true) state.staging.patch(staged, { isEnd: false });
}

/**
 * Whether an error is about the workflow itself or something that follows from rerun tasks. It is logged again if it
 * recurs.
 */
function isOfFormerRun({ state }: Core, { task_id: task, route = 0 }: WorkflowError): boolean {
  if (task === undefined) return true;
  const latest = state.entries.latestOf(task, route);
  return latest?.stale === true;
}

function reopen(core: Core, { entry, resetItems }: Rerun): void {
  if (core.state.staging.againOf(entry) !== undefined) return;
  const set = core.state.items.of(entry.items);
  if (set === undefined) return reopenPlain(core, entry);
  set.reset(resetItems);
  if (core.state.entries.feeding.has(entry)) return;
  if (set.started === set.size) set.reset(true);
  const { task, route, context, prev } = entry;
  core.state.staging.add({ ...fresh(core, task, route), context, prev, ready: true, items: set.document.index });
}

function reopenPlain(core: Core, { task, route, context, prev }: TaskEntry): void {
  const retry = retryOf(core, { task, route, context });
  const leftover = core.state.staging.of(task, route);
  const again = core.state.entries.add({
    ...{ ...fresh(core, task, route), context, prev, next: {}, out: {}, status: null, terminal: false },
    ...(retry === undefined ? {} : { retry }),
  });
  core.state.staging.add({ ...fresh(core, task, route), round: again.round, again: true, context, prev, ready: true });
  if (leftover !== undefined) core.state.staging.patch(leftover, { round: again.round + 1 });
}
