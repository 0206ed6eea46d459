import {
  Conductor,
  type EntryDocument,
  type TaskDispatch,
  type StateDocument,
  type WorkflowStatus,
  type WorkflowSpec,
} from '@switchyard/workflow';
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
  /** The violations that were found. */
  readonly complaints: readonly string[];
}

const MOST_STEPS = 3_000;

/** Runs a workflow with random outcomes, pauses, cancellations and reruns, and checks it. */
export class RandomRun {
  private conductor: Conductor;
  /** Restored from the store before every call. */
  private restored: Conductor;
  private readonly store = new Store();
  private readonly running: Running[] = [];
  private readonly started = new Set<string>();
  private readonly complaints: string[] = [];
  /** The names of the variables that each task run saw. */
  private readonly names = new Map<string, readonly string[]>();
  private readonly entries: EntryDocument[] = [];
  private reruns = 0;

  constructor(
    private readonly spec: WorkflowSpec,
    private readonly chance: Chance,
  ) {
    this.conductor = Conductor.create(spec);
    this.store.save(this.conductor);
    this.restored = this.store.load(spec);
  }

  run(): Ending {
    this.both((conductor) => conductor.requestStatus('running'));
    for (let step = 0; this.step(); step += 1) {
      if (step > MOST_STEPS) return { status: this.conductor.status, complaints: ['never ends'] };
    }
    this.both((conductor) => conductor.output());
    if (!this.conductor.isCompleted) this.complaints.push(`makes no progress in the status ${this.conductor.status}`);
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

  private startAll(tasks: readonly TaskDispatch[]): void {
    for (const { task, route, round, attempt, actions, itemsCount } of tasks) {
      const run = { task, route, round, attempt };
      for (const { item, input } of actions) {
        this.start(item === undefined ? run : { ...run, item });
        this.names.set(runKey(run), (input?.['names'] ?? []) as string[]);
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
    if (this.chance.onceIn(30)) {
      this.running.push(run!);
      return this.report(run!, 'pending');
    }
    const status = this.chance.onceIn(30) ? 'canceled' : this.chance.of(['succeeded', 'succeeded', 'succeeded', 'failed', 'timeout'] as const); // oxfmt-ignore
    this.report(run!, status);
  }

  private report({ item, ...run }: Running, status: WorkflowStatus): void {
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

  /** Makes the same call on the live and the restored conductor, which must do the same. */
  private both<T>(call: (conductor: Conductor) => T): T {
    const answer = call(this.conductor);
    this.compare('answer', answer, call(this.restored));
    this.compare('view', view(this.conductor), view(this.restored));
    this.read(this.store.save(this.conductor)?.put ?? []);
    this.restored = this.store.load(this.spec);
    this.compare('stored view', view(this.conductor), view(this.restored));
    return answer;
  }

  /** A task must see everything that its predecessors saw and published. */
  private read(documents: readonly StateDocument[]): void {
    for (const document of documents) if (document.kind === 'entry') this.entries[document.index] = document;
    for (const document of documents) {
      const names = document.kind === 'entry' ? this.names.get(runKey(document)) : undefined;
      if (document.kind !== 'entry' || names === undefined) continue;
      const sources = Object.values(document.prev).map((index) => this.entries[index]!);
      const expected = sources.flatMap((source) => [`p_${source.task}`, ...(this.names.get(runKey(source)) ?? [])]);
      const lost = expected.filter((name) => !names.includes(name));
      if (lost.length > 0) this.complaints.push(`${document.key} does not see ${lost.join(', ')}`);
    }
  }

  private compare(what: string, one: unknown, other: unknown): void {
    const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
    if (left !== right) this.complaints.push(`${what} differs after restoring: ${left} and ${right}`);
  }
}

const runKey = ({ task, route, round }: Pick<Running, 'task' | 'route' | 'round'>): string =>
  `${task} ${route} ${round}`;

const view = (conductor: Conductor): unknown => ({
  status: conductor.status,
  tasks: [...conductor.tasks].sort(),
  errors: conductor.errors,
});
