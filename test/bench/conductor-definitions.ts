const noop = { action: 'core.noop' };

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `task${at}`);

/** A chain in which each task publishes a value that the next task reads. */
export function chain(tasks: number) {
  const [, ...followers] = names(tasks);
  const step = (next: string) => ({
    ...noop,
    input: { message: 'At <% ctx(count) %>' },
    next: [{ when: '<% succeeded() %>', publish: [{ count: '<% ctx(count) + 1 %>' }], do: next }],
  });
  const steps = followers.map((next, at) => [`task${at}`, step(next)] as const);
  return { version: '1.0', vars: [{ count: 0 }], tasks: { ...Object.fromEntries(steps), [`task${tasks - 1}`]: noop } };
}

/** One task leads to all others, and a last task joins them. */
export function forkJoin(tasks: number) {
  const branches = names(tasks);
  const branch = { ...noop, next: [{ when: '<% succeeded() %>', do: 'last' }] };
  const tasksOf = Object.fromEntries(branches.map((name) => [name, branch]));
  return {
    version: '1.0',
    tasks: { first: { ...noop, next: [{ do: branches }] }, ...tasksOf, last: { ...noop, join: 'all' } },
  };
}

/** One task with a list of items. */
export function withItems(items: number, concurrency?: number) {
  const over = { items: 'host in <% ctx(hosts) %>', ...(concurrency === undefined ? {} : { concurrency }) };
  return {
    version: '1.0',
    vars: [{ hosts: names(items) }],
    tasks: { each: { ...noop, with: over, input: { host: '<% item(host) %>' } } },
  };
}
