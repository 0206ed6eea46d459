import type { Id } from '@switchyard/base';
import type { Run } from './run';

/** So many runs are kept in memory; others are read from their journals when something happens to them. */
const MOST_RUNS = 1000;

/** The runs in memory; the one that was not used for the longest time goes first. */
export class RunsAtHand {
  readonly #runs = new Map<Id, Run>();

  /** @param onChange told by how many there are more, or fewer */
  constructor(private readonly onChange: (by: number) => void) {}

  has = (workflow: Id): boolean => this.#runs.has(workflow);
  get = (workflow: Id): Run | undefined => this.#runs.get(workflow);

  keep(workflow: Id, run: Run): void {
    const before = this.#runs.size;
    this.#runs.delete(workflow);
    if (this.#runs.size >= MOST_RUNS) this.#runs.delete(this.#runs.keys().next().value as Id);
    this.#runs.set(workflow, run);
    if (this.#runs.size !== before) this.onChange(this.#runs.size - before);
  }

  drop(workflow: Id): void {
    if (this.#runs.delete(workflow)) this.onChange(-1);
  }

  /** Lets go of all of them. @returns which there were */
  clear(): Run[] {
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    if (runs.length > 0) this.onChange(-runs.length);
    return runs;
  }
}
