import { isWorkflow, taskOf, type Client, type Execution } from '@switchyard/client';
import { isTerminal, type Status } from '@switchyard/model';
import type { Terminal } from '../terminal';
import { linePrefix, type TailOptions } from './tail-output';
import { hasNotBegun } from './task-tree';

/** The number of actions to follow at a time. The output of the others is stored, and shown later in order. */
const MOST_STREAMS = 50;

interface Followed {
  readonly parent: string;
  readonly done: Promise<void>;
}

/**
 * Prints the output of all actions of a workflow, including nested workflows, until the workflow ends. Each line has the
 * name of its task as prefix. Output of ended actions comes in order.
 */
export async function tailWorkflow(
  terminal: Terminal,
  client: Client,
  { id, status }: Pick<Execution, 'id' | 'status'>,
  options: TailOptions,
): Promise<void> {
  const target = options.ownStream ? terminal.stderr : terminal.stdout;
  const write = (text: string): void => void target.write(text);
  const broken = new AbortController();
  const signal = AbortSignal.any([options.signal, broken.signal]);
  const turns = turnstile(isTerminal(status) ? 1 : MOST_STREAMS);
  const tail = new WorkflowTail(id, client, turns, write, { ...options, signal }, (error) => broken.abort(error));
  for await (const changes of client.executions.family(id, { signal, throughPauses: true })) tail.take(changes);
  await tail.ended();
}

class WorkflowTail {
  readonly #names = new Map<string, string>();
  readonly #statuses = new Map<string, Status>();
  readonly #followed = new Map<string, Followed>();
  readonly #left = new AbortController();

  constructor(
    private readonly root: string,
    private readonly client: Client,
    private readonly turns: Turnstile,
    private readonly write: (text: string) => void,
    private readonly options: TailOptions,
    private readonly fail: (error: unknown) => void,
  ) {}

  take(changes: readonly Execution[]): void {
    const below = changes.filter(({ id }) => id !== this.root);
    for (const { id, status } of below) this.#statuses.set(id, status);
    for (const each of below) this.begin(each);
    // Deepest first: the end of a workflow is reported after the ends of its tasks.
    for (const each of below.toReversed()) if (isWorkflow(each) && isTerminal(each.status)) this.endWorkflow(each);
  }

  /** Called when the workflow has ended. Shows the remaining output of ended actions. Others may still run if it failed. */
  async ended(): Promise<void> {
    const isOver = (id: string): boolean => isTerminal(this.#statuses.get(id) ?? 'running');
    await Promise.all([...this.#followed].filter(([id]) => isOver(id)).map(([, { done }]) => done));
    this.#left.abort();
    for (const [id, name] of this.#names)
      if (!isOver(id)) this.tell(`Child execution (task=${name}) ${id} is still running.`);
  }

  private begin(execution: Execution): void {
    const { id, parent = '', status } = execution;
    if (hasNotBegun(status) || this.#names.has(id)) return;
    const name = this.nameOf(execution);
    this.#names.set(id, name);
    const work = isWorkflow(execution) ? async () => this.tellStart(id, name) : () => this.follow(id, name);
    this.keep(id, parent, this.turns.pass(work));
  }

  private async follow(id: string, name: string): Promise<void> {
    if (this.#left.signal.aborted) return;
    const { type, metadata } = this.options;
    const signal = AbortSignal.any([this.options.signal, this.#left.signal]);
    this.tellStart(id, name);
    const lines = linePrefix(this.write, `[${name}] `);
    for await (const chunk of this.client.executions.outputStream(id, { type, signal })) {
      if (!metadata) lines.write(chunk.data);
      else this.write(prefixed(chunk.data, `[${name}] [${chunk.timestamp}][${chunk.output_type}] `));
    }
    lines.flush();
    const { status } = await this.client.executions.get(id, { include: ['status'] });
    this.tellEnd(id, status);
  }

  private endWorkflow({ id, parent = '', status }: Execution): void {
    const own = [...this.#followed].filter(([each, { parent: outer }]) => each === id || outer === id);
    const before = Promise.all(own.map(([, { done }]) => done));
    this.keep(
      id,
      parent,
      before.then(() => this.tellEnd(id, status)),
    );
  }

  private keep(id: string, parent: string, done: Promise<void>): void {
    done.catch((error: unknown) => void (this.#left.signal.aborted || this.fail(error)));
    this.#followed.set(id, { parent, done });
  }

  private nameOf(execution: Execution): string {
    const { name = execution.action.ref, item } = taskOf(execution) ?? {};
    const own = item === undefined ? name : `${name}#${item}`;
    const outer = this.#names.get(execution.parent ?? '');
    return outer === undefined ? own : `${outer}/${own}`;
  }

  private tellStart(id: string, name: string): void {
    this.tell(`Child execution (task=${name}) ${id} has started.`);
  }

  private tellEnd(id: string, status: Status): void {
    this.tell(`Child execution (task=${this.#names.get(id) ?? ''}) ${id} has finished (status=${status}).`);
  }

  private tell(sentence: string): void {
    this.write(`${sentence}\n`);
  }
}

const prefixed = (text: string, prefix: string): string => text.replace(/\n$/, '').replace(/^/gm, prefix) + '\n';

/** Limits how many operations run at a time. The others wait in order. */
export interface Turnstile {
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export function turnstile(places: number): Turnstile {
  let free = places;
  const waiting: (() => void)[] = [];
  return {
    async pass(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
