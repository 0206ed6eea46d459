import { parseWorkflow, type WorkflowSpec } from '@switchyard/workflow';
import type { Trace } from '../../../libs/workflow/test/conductor/trace';

/** A transition to one destination, and the variables that it publishes. */
interface TracedArrow {
  readonly from: string;
  readonly to: string;
  readonly publishes: readonly string[];
}

/** The arrows of a recorded workflow, and the variables that its parts read. */
export class TracedFlow {
  private readonly spec: WorkflowSpec;
  private readonly arrows: readonly TracedArrow[];

  constructor({ definition }: Trace) {
    this.spec = parseWorkflow(definition);
    this.arrows = [...this.spec.tasks.values()].flatMap(({ name: from, next }) =>
      next.flatMap(({ do: names, publish }) =>
        names.map((to) => ({ from, to, publishes: publish.map(({ name }) => name) })),
      ),
    );
  }

  /** Whether one task has a transition to the other. */
  leads(from: string, to: string): boolean {
    return this.arrows.some((arrow) => arrow.from === from && arrow.to === to);
  }

  /** The tasks that follow from a task, itself only in a loop. */
  below(task: string): ReadonlySet<string> {
    const found = new Set(this.next(task));
    for (const each of found) for (const to of this.next(each)) found.add(to);
    return found;
  }

  /** The tasks that a task follows from. */
  above(task: string): ReadonlySet<string> {
    return new Set([...this.spec.tasks.keys()].filter((each) => this.below(each).has(task)));
  }

  /** Whether a task is in a loop or follows from one. */
  isRepeated(task: string): boolean {
    return [...this.spec.tasks.keys()].some((each) => {
      const below = this.below(each);
      return below.has(each) && below.has(task);
    });
  }

  /** The variables that are published on the way out of these tasks. */
  publishedBy(tasks: ReadonlySet<string>): ReadonlySet<string> {
    return new Set(this.arrows.filter(({ from }) => tasks.has(from)).flatMap(({ publishes }) => publishes));
  }

  /** Tasks without a join in a loop that several transitions of one task lead to, with the variables these publish. */
  *metInLoops(): Generator<{ readonly task: string; readonly variables: ReadonlySet<string> }> {
    for (const { name: task, join } of this.spec.tasks.values()) {
      if (join !== undefined) continue;
      for (const from of this.below(task)) {
        const meeting = this.arrows.filter((arrow) => arrow.from === from && arrow.to === task);
        if (meeting.length > 1) yield { task, variables: new Set(meeting.flatMap(({ publishes }) => publishes)) };
      }
    }
  }

  /** The variables that conditions of a task read. */
  readByConditions(task: string): ReadonlySet<string> {
    return variablesIn(this.spec.tasks.get(task)?.next.map(({ when }) => when));
  }

  /** The variables that the input of a task reads. */
  readByInput(task: string): ReadonlySet<string> {
    return variablesIn(this.spec.tasks.get(task)?.input);
  }

  /** The variables that an output reads. */
  readByOutput(name: string): ReadonlySet<string> {
    return variablesIn(this.spec.output.filter((each) => each.name === name));
  }

  private next(task: string): readonly string[] {
    return this.arrows.filter(({ from }) => from === task).map(({ to }) => to);
  }
}

/** `ctx(x)`, `ctx('x')` and `ctx().x`. */
const variablesIn = (part: unknown): ReadonlySet<string> =>
  new Set([...(JSON.stringify(part) ?? '').matchAll(/ctx\(\)?[.']*(\w+)/g)].map(([, name = '']) => name));
