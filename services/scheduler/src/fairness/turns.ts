import type { Id, Micros } from '@switchyard/base';
import type { ExecutionRecords } from '@switchyard/executions';
import type { ExecutionRecord, Share } from '@switchyard/model';

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

/** On equal times, the branch with the older last turn is next. */
const isBefore = (a: Entered, b: Entered): boolean => (a.at === b.at ? a.turn < b.turn : a.at < b.at);

function forget(node: Node, waiting: ReadonlyMap<string, unknown>): void {
  if (node.branches.size <= MOST_KNOWN + waiting.size) return;
  for (const key of node.branches.keys()) if (!waiting.has(key)) node.branches.delete(key);
}

/** Only records of earlier versions lack it; they are treated as those of one additional user. */
export const NO_SHARE = '';

/** The queues of one priority, each ordered by time, read only as far as needed. */
export interface Queues {
  /** The queues whose first executions were already read. */
  readonly known: readonly Share[];
  /** @param ahead how many more may soon be taken from it @returns undefined when the queue is empty */
  take(share: Share, ahead: number): Promise<ExecutionRecord | undefined>;
}

interface Queue {
  readonly taken: Set<Id>;
  loaded: ExecutionRecord[];
  isWhole: boolean;
}

export function createQueues(
  records: Pick<ExecutionRecords, 'backlogOf'>,
  { pool, priority, known, now }: { pool: string; priority: number; known: readonly ExecutionRecord[]; now: Micros },
): Queues {
  const queues = new Map<Share, Queue>();
  const queueOf = (share: Share): Queue => {
    const queue = queues.get(share) ?? { taken: new Set(), loaded: [], isWhole: false };
    queues.set(share, queue);
    return queue;
  };
  for (const record of known) if (record.priority === priority) queueOf(record.share ?? NO_SHARE).loaded.push(record);

  async function readOn(share: Share, queue: Queue, ahead: number): Promise<void> {
    const limit = queue.taken.size + ahead;
    const of = { pool, priority, share: share === NO_SHARE ? undefined : share };
    const found = await records.backlogOf(of, now, limit);
    queue.isWhole = found.length < limit;
    queue.loaded = found.filter(({ _id }) => !queue.taken.has(_id));
  }

  return {
    known: [...queues.keys()],
    async take(share, ahead) {
      const queue = queueOf(share);
      if (queue.loaded.length === 0 && !queue.isWhole) await readOn(share, queue, Math.max(1, ahead));
      const record = queue.loaded.shift();
      if (record) queue.taken.add(record._id);
      return record;
    },
  };
}
