import type { ExecutionRecord } from '@switchyard/model';
import { leakCheck, startSystem, type SystemOptions, type TestSystem } from '@switchyard/testkit/system';

const later = leakCheck();

/** One slot, which is taken: later requests wait. */
async function contended(options: SystemOptions = {}): Promise<TestSystem> {
  const system = await startSystem({ runners: [{ slots: 1 }], ...options });
  later(() => system.close());
  await system.register();
  return system;
}

interface Asked {
  user?: string;
  /** The execution that the request belongs to. */
  parent?: ExecutionRecord;
  priority?: number;
}

async function request(system: TestSystem, count: number, { user = 'ada', parent, priority = 0 }: Asked = {}) {
  const context = parent ? { parent: { execution_id: parent._id } } : {};
  const all: ExecutionRecord[] = [];
  for (let i = 0; i < count; i++) all.push(await system.request({ user, context, priority }));
  return all.map(({ _id }) => _id);
}

/** The executions in the order in which they begin, starting with the one that has the slot now. */
async function begun(system: TestSystem, count: number): Promise<string[]> {
  const from = system.manual.runs.items.length;
  for (let i = from; i < from + count; i++) {
    (await system.manual.runs.until(i)).forEach((run) => run.end());
    await system.manual.runs.until(i + 1);
  }
  return system.manual.runs.items.slice(from, from + count).map((run) => run.request.executionId);
}

/** The executions that were released before others arrived: the running one and the queued one. */
const HANDED_OUT = 2;

const countOf = (order: readonly string[], ids: readonly string[]): number =>
  order.filter((id) => ids.includes(id)).length;

describe('while more wait than there is room for', () => {
  it('a direct request is next, even if hundreds of tasks of another user wait', async () => {
    const system = await contended();
    const root = await system.request({ user: 'ada' });
    await system.manual.runOf(root._id);
    await request(system, 200, { user: 'ada', parent: root });
    const [asked] = await request(system, 1, { user: 'bob' });
    expect((await begun(system, HANDED_OUT)).indexOf(asked!)).toBeGreaterThanOrEqual(0);
  });

  it('a direct request is next, even before tasks of the same user', async () => {
    const system = await contended();
    const root = await system.request();
    await system.manual.runOf(root._id);
    await request(system, 100, { parent: root });
    const [asked] = await request(system, 1);
    expect((await begun(system, HANDED_OUT)).indexOf(asked!)).toBeGreaterThanOrEqual(0);
  });

  it('neither direct requests nor workflows of a user block the other', async () => {
    const system = await contended({ overrides: { scheduler: { interactive_weight: 3 } } });
    const root = await system.request();
    await system.manual.runOf(root._id);
    const tasks = await request(system, 30, { parent: root });
    await request(system, 30);
    const order = (await begun(system, 18)).slice(HANDED_OUT);
    expect(Math.abs(countOf(order, tasks) - 4)).toBeLessThanOrEqual(1);
  });

  it('users share by their weights', async () => {
    const system = await contended({ overrides: { scheduler: { user_weights: 'ada:3,b b%:0.5' } } });
    const blocker = await system.request({ user: 'eve' });
    await system.manual.runOf(blocker._id);
    const ada = await request(system, 30, { user: 'ada' });
    const bob = await request(system, 15, { user: 'bob' });
    const other = await request(system, 10, { user: 'b b%' });
    const order = (await begun(system, 38)).slice(HANDED_OUT);
    expect(order.length).toBe(36);
    expect(Math.abs(countOf(order, ada) - 24)).toBeLessThanOrEqual(1);
    expect(Math.abs(countOf(order, bob) - 8)).toBeLessThanOrEqual(1);
    expect(Math.abs(countOf(order, other) - 4)).toBeLessThanOrEqual(1);
  });

  it('trees of one user share evenly', async () => {
    const system = await contended();
    const [one, two] = [await system.request(), await system.request()];
    await system.manual.runOf(one._id);
    const first = await request(system, 30, { parent: one });
    const second = await request(system, 20, { parent: two });
    const order = (await begun(system, 24)).slice(4);
    expect(Math.abs(countOf(order, first) - countOf(order, second))).toBeLessThanOrEqual(2);
    expect(order).toHaveLength(20);
    expect(order.filter((id) => first.includes(id))).toEqual(first.filter((id) => order.includes(id)));
  });

  it('a higher priority still goes first', async () => {
    const system = await contended();
    const root = await system.request();
    await system.manual.runOf(root._id);
    await request(system, 10, { user: 'bob' });
    const urgent = await request(system, 5, { parent: root, priority: 5 });
    const order = await begun(system, 1 + urgent.length);
    expect(order.filter((id) => urgent.includes(id))).toEqual(urgent.slice(0, order.length - 1));
    expect(countOf(order, urgent)).toBe(5);
  });

  it('one queue is ordered by time', async () => {
    const system = await contended();
    const all = await request(system, 20);
    expect(await begun(system, 19)).toEqual(all.slice(1));
  });

  it('requests of versions without queues get their turns too', async () => {
    const system = await contended();
    const blocker = await system.request({ user: 'eve' });
    await system.manual.runOf(blocker._id);
    await request(system, 30, { user: 'bob' });
    const old = await request(system, 5, { user: 'ada' });
    for (const id of old) await system.platform.store.executions.change(id, {}, { unset: ['share'] });
    const order = (await begun(system, 12)).slice(HANDED_OUT);
    expect(Math.abs(countOf(order, old) - 5)).toBeLessThanOrEqual(1);
  });

  it('all users and trees get their turn, even if one search does not find all of them', async () => {
    const system = await contended();
    const blocker = await system.request({ user: 'eve' });
    await system.manual.runOf(blocker._id);
    // The place in the queue is taken, so that no root is released before the first task comes.
    const queued = await system.request({ user: 'eve' });
    await system.untilStatus(queued._id, 'scheduled');
    const users = Array.from({ length: 26 }, (_, i) => `u${i + 10}`);
    const roots: ExecutionRecord[] = [];
    for (const user of [...users, ...Array.from({ length: 10 }, () => 'ada')])
      roots.push(await system.request({ user, priority: -1 }));
    const tasks: string[] = [];
    for (const parent of roots) tasks.push(...(await request(system, 1, { parent })));
    const order = await begun(system, 1 + tasks.length);
    expect([order[0], countOf(order, tasks)]).toEqual([queued._id, tasks.length]);
  });
});
