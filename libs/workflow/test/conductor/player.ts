import { Conductor, parseWorkflow, type TaskDispatch, type WorkflowStatus } from '@switchyard/workflow';

type Options = Parameters<typeof Conductor.create>[2];

/** A conductor with the steps of an engine in short form. Tasks are named `task` or `task|route`. */
export class Player {
  readonly conductor: Conductor;
  private readonly runs = new Map<string, Pick<TaskDispatch, 'round' | 'attempt'>>();

  /** @param definition YAML, without its version */
  constructor(definition: string, inputs: Record<string, unknown> = {}, options: Options = {}) {
    this.conductor = Conductor.create(parseWorkflow(`version: 1.0\n${definition}`), { inputs }, options);
    if (!this.conductor.isCompleted) this.conductor.requestStatus('running');
  }

  get status(): string {
    return this.conductor.status;
  }

  /** What is dispatched: `task`, `task|route`, and for items `task#0,1`. */
  handOut(): string[] {
    return this.conductor.nextTasks().map(({ task, route, actions, itemsCount }) => {
      const items = itemsCount === undefined ? '' : `#${actions.map(({ item }) => item).join(',')}`;
      return `${nameOf(task, route)}${items}`;
    });
  }

  /** Starts everything that is dispatched. */
  startAll(): string[] {
    const names = this.handOut();
    for (const { task, route, round, attempt, actions, itemsCount } of this.conductor.nextTasks()) {
      this.runs.set(nameOf(task, route), { round, attempt });
      if (itemsCount === undefined || itemsCount === 0) this.report(nameOf(task, route), 'running');
      else for (const { item } of actions) this.item(nameOf(task, route), item!, 'running');
    }
    return names;
  }

  /** @returns the status of the workflow after it */
  report(name: string, status: WorkflowStatus, result?: unknown): string {
    this.conductor.taskEvent({ ...this.runOf(name), status, result });
    return this.status;
  }

  item(name: string, item: number, status: WorkflowStatus, result?: unknown): string {
    this.conductor.itemEvent({ ...this.runOf(name), item, status, result });
    return this.status;
  }

  /**
   * Starts everything that is dispatched and lets it succeed, until nothing is left.
   * @returns the tasks in starting order
   */
  finish(): string[] {
    const order: string[] = [];
    for (let names = this.startAll(); names.length > 0; names = this.startAll()) {
      order.push(...names);
      for (const name of names) this.report(name, 'succeeded', `result of ${name}`);
    }
    return order;
  }

  request(status: string): string {
    this.conductor.requestStatus(status);
    return this.status;
  }

  task(name: string): WorkflowStatus | null | undefined {
    const { task, route } = this.runOf(name);
    return this.conductor.tasks.get(`${task}:${route}`);
  }

  messages(): string[] {
    return this.conductor.errors.map(({ task_id: task, message }) =>
      task === undefined ? message : `${task}: ${message}`,
    );
  }

  private runOf(name: string) {
    const [task = '', route = '0'] = name.split('|');
    return { task, route: Number(route), ...this.runs.get(name) };
  }
}

const nameOf = (task: string, route: number): string => (route === 0 ? task : `${task}|${route}`);
