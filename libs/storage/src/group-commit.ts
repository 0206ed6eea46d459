import { SHARED_CALL_WAIT_MS } from '@switchyard/base';

/** The outcome of one of several writes; `alone` if it has to be repeated alone, so that its caller gets its own
 * error. */
export type GroupedOutcome<R> = { readonly value: R } | 'alone';

export interface GroupCommitOptions<W, R> {
  write(one: W): Promise<R>;
  /** Writes several with a fixed number of calls. @returns their outcomes, in order. If it rejects, all of them have failed */
  writeTogether(several: readonly W[]): Promise<readonly GroupedOutcome<R>[]>;
  /** From this number on, writing together takes fewer calls. */
  readonly fewest: number;
}

interface Waiting<W, R> {
  readonly write: W;
  resolve(value: R): void;
  reject(error: unknown): void;
}

/** More would make a call of megabytes, and a long turn of the event loop. */
const MOST = 100;

/**
 * Groups writes so that they share calls.
 *
 * 1. A write waits for the other writes of the same event, such as the arrival of several messages, and for the group
 *    in progress, if there is one.
 * 2. Two writes to the same record are never in the same group, so neither of them sees an effect of the other.
 * 3. An error of one write concerns only its caller.
 */
export function groupCommit<W extends { readonly _id: string }, R>(
  options: GroupCommitOptions<W, R>,
): (write: W) => Promise<R> {
  let waiting: Waiting<W, R>[] = [];
  let underWay = 0;
  let planned = false;
  let timer: NodeJS.Timeout | undefined;

  /** A tick comes after the promises that the event has settled. */
  const plan = () => {
    if (!planned) process.nextTick(send);
    planned = true;
  };
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    planned = false;
    const group = firstOfEach(waiting);
    if (group.size === 0) return;
    waiting = waiting.filter((each) => !group.has(each));
    underWay += 1;
    void writeGroup(options, [...group]).finally(() => {
      underWay -= 1;
      if (waiting.length > 0) plan();
    });
    if (waiting.length > 0) timer = setTimeout(plan, SHARED_CALL_WAIT_MS);
  };
  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      if (underWay === 0) plan();
      else timer ??= setTimeout(plan, SHARED_CALL_WAIT_MS);
    });
}

/** At most one write for each record. */
function firstOfEach<W extends { readonly _id: string }, R>(waiting: readonly Waiting<W, R>[]): Set<Waiting<W, R>> {
  const ids = new Set<string>();
  const group = new Set<Waiting<W, R>>();
  for (const each of waiting) {
    if (group.size === MOST) break;
    if (ids.has(each.write._id)) continue;
    ids.add(each.write._id);
    group.add(each);
  }
  return group;
}

async function writeGroup<W, R>(
  { write, writeTogether, fewest }: GroupCommitOptions<W, R>,
  group: readonly Waiting<W, R>[],
): Promise<void> {
  const alone = (each: Waiting<W, R>) => write(each.write).then(each.resolve, each.reject);
  if (group.length < fewest) return void (await Promise.all(group.map(alone)));
  try {
    const outcomes = await writeTogether(group.map((each) => each.write));
    const left = group.filter((each, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome === 'alone') return true;
      each.resolve(outcome.value);
      return false;
    });
    await Promise.all(left.map(alone));
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
