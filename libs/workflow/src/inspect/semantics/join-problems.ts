import { nodesOnCycles, type Graph } from '../../graph';
import { type InspectionProblem, TASK } from '../finding';

/**
 * Finds joins whose branches do not run equally often: the splits above one of the sources differ from those above the
 * join, so that the level of the join is ambiguous.
 */
export function joinProblems(graph: Graph): InspectionProblem[] {
  const found = new Walk(graph).found();
  return [...found]
    .filter(([name]) => graph.tasks.get(name)?.barrier !== undefined)
    .filter(([, { splits, sources }]) => [...sources].some((source) => found.get(source)!.splits !== splits))
    .map(([name]) => ({ message: unreachable(name), path: ['tasks', name], schema: TASK }));
}

/** A set of splits, one bit each. */
type Splits = bigint;

interface Above {
  splits: Splits;
  readonly sources: Set<string>;
}

interface Step {
  readonly from?: string;
  readonly to: string;
  readonly splits: Splits;
}

/**
 * Follows the arrows from the start tasks, level by level. Only the arrows that reach a task on a cycle first count:
 * later ones, including its way back, do not make it run more often.
 */
class Walk {
  private readonly above = new Map<string, Above>();
  private readonly next: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly cyclic: ReadonlySet<string>;
  private readonly bits: ReadonlyMap<string, Splits>;
  private readonly queue: Step[];

  constructor({ tasks, starts }: Graph) {
    this.next = new Map([...tasks].map(([name, { next }]) => [name, new Set(next.map(({ to }) => to))]));
    this.cyclic = nodesOnCycles(new Map([...this.next].map(([name, next]) => [name, [...next]])));
    const splits = [...tasks.values()].filter(({ split }) => split);
    this.bits = new Map(splits.map(({ name }, index) => [name, 1n << BigInt(index)]));
    this.queue = starts.map((to) => ({ to, splits: 0n }));
  }

  found(): ReadonlyMap<string, Above> {
    for (const step of this.queue) this.take(step);
    return this.above;
  }

  private take({ from, to, splits }: Step): void {
    const known = this.above.get(to);
    const above = known ?? { splits: 0n, sources: new Set<string>() };
    const all = above.splits | splits | (this.bits.get(to) ?? 0n);
    const isNews = known === undefined || all !== above.splits;
    above.splits = all;
    if (from !== undefined) above.sources.add(from);
    this.above.set(to, above);
    if (isNews) this.follow(to, all);
  }

  private follow(from: string, splits: Splits): void {
    for (const to of this.next.get(from)!) {
      if (!this.above.has(to) || !this.cyclic.has(to)) this.queue.push({ from, to, splits });
    }
  }
}

const unreachable = (name: string): string =>
  `The join task "${name}" is unreachable. A join task is determined to be unreachable if there are nested forks from ` +
  'multi-referenced tasks that join on the said task. This is ambiguous to the workflow engine because it does not know ' +
  'at which level should the join occurs.';
