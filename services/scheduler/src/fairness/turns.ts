import type { Config } from '@switchyard/config';
import { shareOwner, shareParts, type Share } from '@switchyard/model';

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
export type PathOf = (share: Share) => SharePath;

/** Only records of earlier versions lack it; they are treated like those of one more user. */
export const NO_SHARE = '';

export function createPaths({ scheduler }: Pick<Config, 'scheduler'>): PathOf {
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
