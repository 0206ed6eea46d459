import { setImmediate as turn } from 'node:timers/promises';
import { deferred } from '@switchyard/base';
import type { ExecutionRecord } from '@switchyard/model';
import { anExecution, handClock } from '@switchyard/testkit/platform';
import { leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';
import { eventFilter } from '../src/event-filter';
import { familyStream } from '../src/family-stream';
import { createSharedReads } from '../src/shared-reads';

const later = leakCheck();
const sight = { maySeeExecution: () => Promise.resolve(true), maySeeBelow: () => Promise.resolve(true) };

/** Counts reads from the store of a system. */
function counted({ platform: { store }, executions }: TestSystem) {
  const counts = { records: 0, relatives: 0, output: 0, views: 0 };
  const { get, list } = store.executions;
  const { read } = store.output;
  const count =
    <A extends unknown[], R>(what: keyof typeof counts, call: (...given: A) => R) =>
    (...given: A): R => {
      counts[what]++;
      return call(...given);
    };
  const reads = createSharedReads({
    store: { output: { ...store.output, read: count('output', read) } },
    executions: {
      records: { get: count('records', get), list: count('relatives', list) },
      view: { ...executions.view, execution: count('views', executions.view.execution) },
    },
  });
  return { counts, reads };
}

/** Follows an execution with several streams until its end. @returns the reads from the store, and the events of each
 * stream */
async function followed(system: TestSystem, streams: number) {
  const { counts, reads } = counted(system);
  const { _id: id } = await system.request();
  const run = await system.manual.runOf(id);
  const clock = handClock();
  const filter = eventFilter({ events: ['st2.execution__update', 'st2.execution.output__create'] });
  const following = Array.from({ length: streams }, () => {
    const told: unknown[] = [];
    const isRunning = deferred();
    const sink = {
      send: ({ data }: { data: unknown }) => {
        const { status, data: printed } = data as Record<string, unknown>;
        told.push(status ?? printed);
        if (status === 'running') isRunning.resolve();
        return true;
      },
      drained: () => Promise.resolve(),
      signal: new AbortController().signal,
    };
    const stream = familyStream({ reads, sight, clock, logger: system.platform.logger }, id, filter, sink);
    later(() => stream.stop());
    return { stream, told, isRunning: isRunning.promise };
  });
  for (const { stream } of following) stream.start();
  await Promise.all(following.map(({ isRunning }) => isRunning));
  await run.abilities.output('stdout', 'printed');
  run.end();
  const { status, action_ref: ref, revision } = await system.untilStatus(id, 'succeeded');
  const message = { id, liveaction_id: id, change: 'update' as const, status, ref, revision };
  const item = { exchange: 'execution', message: message as never } as const;
  await Promise.all(following.map(({ stream }) => stream.takes(item)));
  await Promise.all(following.map(({ stream }) => stream.ended));
  return { counts, told: following.map(({ told }) => told) };
}

it('three streams of an execution read as much as one', async () => {
  const system = await startSystem();
  later(() => system.close());
  await system.register();
  const alone = await followed(system, 1);
  expect(alone.told).toEqual([['scheduled', 'running', 'printed', 'succeeded']]);
  const together = await followed(system, 3);
  expect(together.told).toEqual([alone.told[0], alone.told[0], alone.told[0]]);
  expect(together.counts).toEqual(alone.counts);
});

it('gives a caller during a read the result of the next one, which may be newer', async () => {
  const calls: ReturnType<typeof deferred<ExecutionRecord | undefined>>[] = [];
  const get = () => {
    const call = deferred<ExecutionRecord | undefined>();
    calls.push(call);
    return call.promise;
  };
  const { record } = createSharedReads({ store: { output: {} as never }, executions: { view: {} as never, records: { get, list: get as never } } }); // oxfmt-ignore
  const early = [record('a'), record('a')];
  await turn();
  const late = [record('a'), record('a')];
  await turn();
  expect(calls).toHaveLength(1);
  calls[0]!.reject(new Error('away'));
  expect(await Promise.allSettled(early)).toMatchObject([{ reason: { message: 'away' } }, { status: 'rejected' }]);
  await turn();
  const found = anExecution();
  calls[1]!.resolve(found);
  expect(await Promise.all(late)).toEqual([found, found]);
  expect(calls).toHaveLength(2);
});
