import type { Clock, Id, Micros } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { ExecutionRecords } from '@switchyard/executions';
import { type ExecutionRecord, type Share, shareOwner, shareParts } from '@switchyard/model';
import { createQueues, type Queues, createWaitingShares, type WaitingShares, NO_SHARE } from './waiting-shares';

interface FairnessDeps {
  config: Pick<Config, 'scheduler'>;
  records: Pick<ExecutionRecords, 'nextShare' | 'backlogOf'>;
  clock: Clock;
}

/** The executions that could be released, and how many are wanted. */
interface Choice {
  readonly pool: string;
  /** By priority, then time. Contains more than are wanted when more wait than there is room for. */
  readonly known: readonly ExecutionRecord[];
  readonly wanted: number;
  readonly now: Micros;
}

interface Chosen {
  /** The executions to release come first. */
  readonly records: readonly ExecutionRecord[];
  /** Reports which of them were released: the turns of the others are taken back. */
  settle(handedOut: ReadonlySet<Id>): void;
}

/**
 * Decides who is next while more executions wait than there is room for.
 *
 * 1. Higher priorities go first, as always. Sharing applies to the room that is left for the lowest priority that gets
 *    any.
 * 2. There, users share by their weights. Within a user, direct requests and workflows share; among workflows, trees
 *    share evenly. Each of these queues is ordered by time.
 * 3. Each scheduler counts turns by itself, in memory. A restart loses one turn of each queue.
 */
export interface Fairness {
  choose(choice: Choice): Promise<Chosen>;
  /** Reports a request that waits in a queue. */
  heard(pool: string, share: Share | undefined): void;
}

export function createFairness({ config, records, clock }: FairnessDeps): Fairness {
  const pathOf = createPaths(config);
  const waiting = createWaitingShares(records, clock);
  const turns = new Map<string, ShareTurns>();
  return {
    async choose(choice) {
      const { known, wanted, pool } = choice;
      const last = known[wanted];
      if (last === undefined || wanted === 0) return { records: known, settle: () => undefined };
      const { priority } = last;
      const shares = new Set(await waiting.of(pool, priority));
      const queues = createQueues(records, { ...choice, priority });
      for (const share of queues.known) shares.add(share);
      const ofPool = turns.get(pool) ?? createTurns();
      turns.set(pool, ofPool);
      return take({ turns: ofPool, pathOf, waiting }, choice, { priority, shares, queues });
    },
    heard: (pool, share) => waiting.heard(pool, share ?? NO_SHARE),
  };
}

interface Contest {
  readonly priority: number;
  readonly shares: Set<Share>;
  readonly queues: Queues;
}

async function take(
  { turns, pathOf, waiting }: { turns: ShareTurns; pathOf: PathOf; waiting: WaitingShares },
  { known, wanted, pool }: Choice,
  { priority, shares, queues }: Contest,
): Promise<Chosen> {
  const sure = known.filter((record) => record.priority > priority);
  // On equal claims, such as at the beginning, direct requests go before workflows.
  const candidates = new Map(
    [...shares]
      .map((share) => ({ share, path: pathOf(share) }))
      .sort((a, b) => a.path.length - b.path.length)
      .map((candidate) => [candidate.share, candidate]),
  );
  const chosen = new Map<ExecutionRecord, Share>();
  while (sure.length + chosen.size < wanted && candidates.size > 0) {
    const { share, path } = turns.next([...candidates.values()]);
    const record = await queues.take(share, Math.ceil((wanted - sure.length - chosen.size) / candidates.size));
    if (record) chosen.set(record, share);
    else {
      turns.giveBack(path);
      candidates.delete(share);
      waiting.drop(pool, priority, share);
    }
  }
  const ids = new Set([...sure, ...chosen.keys()].map(({ _id }) => _id));
  return {
    records: [...sure, ...chosen.keys(), ...known.filter(({ _id }) => !ids.has(_id))],
    settle(handedOut) {
      for (const [{ _id }, share] of chosen) if (!handedOut.has(_id)) turns.giveBack(pathOf(share));
    },
  };
}

/** One step of the path to a queue: the branch, and its weight against the others. */
interface Branch {
  readonly key: string;
  readonly weight: number;
}

/** The path to a queue: its user, the class, and for some the tree. */
export type SharePath = readonly Branch[];

/**
 * Decides whose turn it is among waiting queues. At each branching, the branch with the earliest time is next, and its
 * time advances by one turn divided by its weight (stride scheduling).
 *
 * 1. A branch that begins to wait, or waits again, starts at the time of the last turn. It is next, and has no credit from
 *    the past.
 * 2. No branch is more than one of its own turns ahead of that time. So using free capacity while no other branch waits
 *    costs nothing later.
 */
export interface ShareTurns {
  /** @returns one of the paths, of which there must be at least one; its turn has been counted */
  next<P extends { readonly path: SharePath }>(waiting: readonly P[]): P;
  /** Takes back a turn that was not used. */
  giveBack(path: SharePath): void;
}

interface Node {
  /** The time of the last turn. */
  time: number;
  readonly branches: Map<string, Entered>;
}

interface Entered {
  /** The time of its next turn. */
  at: number;
  /** The sequence number of its last turn. */
  turn: number;
  readonly below: Node;
}

/** Branches in which nothing waits are removed when there are more than this. */
const MOST_KNOWN = 1000;

export function createTurns(): ShareTurns {
  const root = newNode();
  let count = 0;

  function choose<P extends { readonly path: SharePath }>(node: Node, waiting: readonly P[], depth: number): P {
    const branches = groups(waiting, depth);
    const here = [...branches].map(([key, members]) => ({ key, members, branch: entered(node, key) }));
    const first = here.reduce((best, other) => (isBefore(other.branch, best.branch) ? other : best));
    const { branch, members } = first;
    node.time = branch.at;
    branch.at += 1 / members[0]!.path[depth]!.weight;
    branch.turn = ++count;
    forget(node, branches);
    const [only] = members;
    return only!.path.length === depth + 1 ? only! : choose(branch.below, members, depth + 1);
  }

  return {
    next: (waiting) => choose(root, waiting, 0),
    giveBack(path) {
      let node: Node | undefined = root;
      for (const { key, weight } of path) {
        const branch: Entered | undefined = node?.branches.get(key);
        if (branch) branch.at -= 1 / weight;
        node = branch?.below;
      }
    },
  };
}

const newNode = (): Node => ({ time: 0, branches: new Map() });

function groups<P extends { readonly path: SharePath }>(waiting: readonly P[], depth: number): Map<string, P[]> {
  const found = new Map<string, P[]>();
  for (const each of waiting) {
    const { key } = each.path[depth]!;
    const group = found.get(key);
    if (group) group.push(each);
    else found.set(key, [each]);
  }
  return found;
}

function entered(node: Node, key: string): Entered {
  const known = node.branches.get(key);
  if (known) {
    known.at = Math.max(known.at, node.time);
    return known;
  }
  const branch: Entered = { at: node.time, turn: 0, below: newNode() };
  node.branches.set(key, branch);
  return branch;
}

/** On equal times, the branch whose last turn was longer ago. */
const isBefore = (a: Entered, b: Entered): boolean => (a.at === b.at ? a.turn < b.turn : a.at < b.at);

function forget(node: Node, waiting: ReadonlyMap<string, unknown>): void {
  if (node.branches.size <= MOST_KNOWN + waiting.size) return;
  for (const key of node.branches.keys()) if (!waiting.has(key)) node.branches.delete(key);
}

/** The path to a queue, with the weights from the options: the user, then direct requests or workflows. */
type PathOf = (share: Share) => SharePath;

function createPaths({ scheduler }: Pick<Config, 'scheduler'>): PathOf {
  const weights = new Map(
    Object.entries(scheduler.user_weights).map(([user, weight]) => [shareOwner(user), Number(weight)]),
  );
  return (share) => {
    const { owner, root } = shareParts(share);
    const user = { key: owner, weight: weights.get(owner) ?? 1 };
    if (root === undefined) return [user, { key: 'interactive', weight: scheduler.interactive_weight }];
    return [user, { key: 'bulk', weight: 1 }, { key: root, weight: 1 }];
  };
}
