import { deferred, type Deferred } from '@switchyard/base';
import { handClock, leakCheck } from '@switchyard/testkit/platform';
import { createTask, type Task } from '../src';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
leakCheck();

/** A task whose runs wait until the test releases them. */
function bench(everyMs?: number) {
  const clock = handClock();
  const gates: Deferred<void>[] = [];
  const errors: unknown[] = [];
  let running = 0;
  let most = 0;
  const task: Task = createTask({
    clock,
    ...(everyMs === undefined ? {} : { everyMs }),
    onError: (error) => void errors.push(error),
    run: async () => {
      most = Math.max(most, ++running);
      const gate = deferred();
      gates.push(gate);
      await gate.promise.finally(() => running--);
    },
  });
  return { task, clock, gates, errors, most: () => most };
}

describe('a task', () => {
  it('continues after a run that throws synchronously', async () => {
    const errors: unknown[] = [];
    const ran: number[] = [];
    const run = (): Promise<void> => {
      ran.push(ran.length);
      if (ran.length === 1) throw new Error('at once');
      return Promise.resolve();
    };
    const task = createTask({ clock: handClock(), onError: (error) => void errors.push(error), run });
    task.wake();
    await settled();
    task.wake();
    await settled();
    expect([ran, errors]).toEqual([[0, 1], [new Error('at once')]]);
    await task.stop();
  });

  it('runs once for any number of wake calls', async () => {
    const { task, gates } = bench();
    task.wake();
    task.wake();
    await settled();
    expect(gates).toHaveLength(1);
    gates[0]!.resolve();
    await settled();
    expect(gates).toHaveLength(1);
  });

  it('answers calls during a run with one more run, never two at a time', async () => {
    const { task, gates, most } = bench();
    task.wake();
    await settled();
    for (let i = 0; i < 10; i++) task.wake();
    gates[0]!.resolve();
    await settled();
    gates[1]!.resolve();
    await settled();
    expect([gates.length, most()]).toEqual([2, 1]);
  });

  it('wakes at the earliest requested time', async () => {
    const { task, gates, clock } = bench();
    task.wakeIn(100);
    task.wakeIn(50);
    task.wakeIn(80);
    clock.advance(49);
    await settled();
    expect(gates).toHaveLength(0);
    clock.advance(1);
    await settled();
    expect([gates.length, clock.pending]).toEqual([1, 0]);
    gates[0]!.resolve();
  });

  it('does not repeat during a run', async () => {
    const { task, gates, clock } = bench(100);
    task.wake();
    await settled();
    clock.advance(500);
    await settled();
    expect(gates).toHaveLength(1);
    gates[0]!.resolve();
    await settled();
    clock.advance(100);
    await settled();
    expect(gates).toHaveLength(2);
    gates[1]!.resolve();
    await settled();
    await task.stop();
    expect(clock.pending).toBe(0);
  });

  it('repeats at multiples of its interval, but not immediately after a run', async () => {
    const { task, gates, clock } = bench(100);
    task.wake();
    await settled();
    clock.advance(30);
    gates[0]!.resolve();
    await settled();
    // Not after 100 ms, but at the next multiple of 100 ms.
    clock.advance(70);
    await settled();
    expect(gates).toHaveLength(2);
    clock.advance(90);
    gates[1]!.resolve();
    await settled();
    // The next multiple is too close, so it waits for the one after.
    clock.advance(10);
    await settled();
    expect(gates).toHaveLength(2);
    clock.advance(100);
    await settled();
    expect(gates).toHaveLength(3);
    gates[2]!.resolve();
    await task.stop();
  });

  it('continues after a failure', async () => {
    const { task, gates, errors } = bench();
    task.wake();
    await settled();
    gates[0]!.reject(new Error('once'));
    await settled();
    task.wake();
    await settled();
    gates[1]!.resolve();
    expect([gates.length, errors.length]).toEqual([2, 1]);
  });

  it('waits for the current run when stopped, and does not run again', async () => {
    const { task, gates, clock } = bench(10);
    task.wake();
    await settled();
    task.wake();
    let stopped = false;
    const stop = task.stop().then(() => (stopped = true));
    await settled();
    expect(stopped).toBe(false);
    gates[0]!.resolve();
    await stop;
    task.wake();
    task.wakeIn(1);
    clock.advance(100);
    await settled();
    expect([gates.length, clock.pending]).toEqual([1, 0]);
  });
});
