import { Conductor, type HandOut, type WorkflowSpec } from '@switchyard/workflow';
import { Store } from '../store';
import type { Chance } from './chance';

interface Running {
  readonly task: string;
  readonly route: number;
  readonly round: number;
  readonly attempt: number;
  readonly item?: number;
}

export interface Ending {
  readonly status: string;
  /** What should never happen. */
  readonly complaints: readonly string[];
}

const MOST_STEPS = 3_000;

/** Runs a workflow with outcomes, pauses, cancellations and reruns by chance, and watches it. */
export class RandomRun {
  private conductor: Conductor;
  /** Taken from the store anew before every call. */
  private restored: Conductor;
  private readonly store = new Store();
  private readonly running: Running[] = [];
  private readonly started = new Set<string>();
  private readonly complaints: string[] = [];
  private reruns = 0;

  constructor(
    private readonly spec: WorkflowSpec,
    private readonly chance: Chance,
    private readonly seen: { readonly names: Map<string, readonly string[]> } = { names: new Map() },
  ) {
    this.conductor = Conductor.create(spec);
    this.store.save(this.conductor);
    this.restored = this.store.load(spec);
  }

  run(): Ending {
    this.both((conductor) => conductor.requestStatus('running'));
    for (let step = 0; this.step(); step += 1) {
      if (step > MOST_STEPS) return { status: this.conductor.status, complaints: ['goes on without end'] };
    }
    this.both((conductor) => conductor.output());
    if (!this.conductor.isCompleted) this.complaints.push(`stands still as ${this.conductor.status}`);
    return { status: this.conductor.status, complaints: this.complaints };
  }

  private step(): boolean {
    this.startAll(this.both((conductor) => conductor.nextTasks()));
    if (this.running.length > 0) {
      if (this.chance.onceIn(25)) this.request(this.chance.of(['pausing', 'canceling']));
      this.endOne();
      return true;
    }
    if (['paused', 'pausing'].includes(this.conductor.status)) {
      this.both((conductor) => conductor.requestStatus('resuming'));
      return true;
    }
    return this.conductor.isCompleted && this.reruns < 2 && this.chance.onceIn(3) && this.rerun();
  }

  private startAll(tasks: readonly HandOut[]): void {
    for (const { task, route, round, attempt, actions, itemsCount } of tasks) {
      const run = { task, route, round, attempt };
      for (const { item, input } of actions) {
        this.start(item === undefined ? run : { ...run, item });
        this.seen.names.set(`${task} ${route} ${round}`, (input?.['names'] ?? []) as string[]);
      }
      if (itemsCount === 0) this.start(run);
    }
  }

  private start(run: Running): void {
    const key = JSON.stringify(run);
    if (this.started.has(key)) this.complaints.push(`started twice: ${key}`);
    this.started.add(key);
    this.running.push(run);
    this.report(run, 'running');
  }

  private endOne(): void {
    const [run] = this.running.splice(this.chance.below(this.running.length), 1);
    this.report(run!, this.chance.of(['succeeded', 'succeeded', 'succeeded', 'failed', 'timeout'] as const));
  }

  private report({ item, ...run }: Running, status: 'running' | 'succeeded' | 'failed' | 'timeout'): void {
    const event = { ...run, status, result: status === 'running' ? undefined : { by: run.task } };
    this.both((conductor) =>
      item === undefined ? conductor.taskEvent(event) : conductor.itemEvent({ ...event, item }),
    );
  }

  private request(status: string): void {
    if (!['running', 'resuming'].includes(this.conductor.status)) return;
    this.both((conductor) => conductor.requestStatus(status));
  }

  private rerun(): boolean {
    this.reruns += 1;
    const tasks = [...this.conductor.tasks.keys()].map((key) => key.split(':') as [string, string]);
    const [task, route] = this.chance.of(tasks.length > 0 ? tasks : [['t0', '0'] as [string, string]]);
    const resetItems = this.chance.onceIn(2);
    return !this.isRefused((conductor) => conductor.rerun([{ task, route: Number(route), resetItems }]));
  }

  private isRefused(call: (conductor: Conductor) => void): boolean {
    let refusals = 0;
    this.both((conductor) => {
      try {
        call(conductor);
      } catch {
        refusals += 1;
      }
    });
    return refusals > 0;
  }

  /** The same call on the conductor that goes on and on the one from the store, which must do the same. */
  private both<T>(call: (conductor: Conductor) => T): T {
    const answer = call(this.conductor);
    this.compare('answer', answer, call(this.restored));
    this.compare('view', view(this.conductor), view(this.restored));
    this.store.save(this.conductor);
    this.restored = this.store.load(this.spec);
    this.compare('stored view', view(this.conductor), view(this.restored));
    return answer;
  }

  private compare(what: string, one: unknown, other: unknown): void {
    const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
    if (left !== right) this.complaints.push(`${what} differs after restoring: ${left} and ${right}`);
  }
}

const view = (conductor: Conductor): unknown => ({
  status: conductor.status,
  tasks: [...conductor.tasks].sort(),
  errors: conductor.errors,
});
