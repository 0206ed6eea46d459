import type { ElectionRecord, InstanceRecord } from '@switchyard/model';
import { eventually, handClock, leakCheck, openTestPlatform } from '@switchyard/testkit/platform';
import { createCandidate, createElection, type Election } from '../../src';

const HEARTBEAT_MS = 100;
const LEASE_MS = 400;
const settled = async () => {
  for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => setImmediate(resolve));
};
const later = leakCheck();

/** The records of a store, in memory. */
function records() {
  const instances = new Map<string, InstanceRecord>();
  const elections = new Map<string, ElectionRecord>();
  return { instances, elections };
}

interface Line {
  /** Makes every call fail. */
  down: boolean;
  /** Calls wait for this. */
  held?: Promise<void>;
}

/** One candidate process with its own connection to the store. */
function contender(store: ReturnType<typeof records>, clock: ReturnType<typeof handClock>) {
  const line: Line = { down: false };
  const events: string[] = [];
  const over = async <T>(call: () => T): Promise<T> => {
    await line.held;
    if (line.down) throw new Error('the store is down');
    return structuredClone(call());
  };
  const logger = { info: () => undefined, warn: (text: string) => void events.push(text) };
  const candidate = createCandidate({
    clock,
    logger,
    service: 'timers',
    heartbeatMs: HEARTBEAT_MS,
    leaseMs: LEASE_MS,
    instances: {
      register: (record) => over(() => void store.instances.set(record._id, { ...record })),
      beat: (id) =>
        over(() => {
          const record = store.instances.get(id);
          if (record) record.beat++;
          return record !== undefined;
        }),
      remove: (id) => over(() => void store.instances.delete(id)),
      list: () => over(() => [...store.instances.values()]),
    },
  });
  const election = createElection({
    clock,
    logger,
    candidate,
    leadership: 'timers',
    onElected: (term) => void events.push(`elected ${term}`),
    onDeposed: () => void events.push('deposed'),
    elections: {
      get: (leadership) => over(() => store.elections.get(leadership)),
      take: (leadership, known, holder, now) =>
        over(() => {
          if (store.elections.get(leadership)?.term !== known?.term) return undefined;
          const record = { _id: leadership, holder, term: (known?.term ?? 0) + 1, since: now };
          store.elections.set(leadership, record);
          return record;
        }),
      release: (leadership, term) =>
        over(() => {
          const record = store.elections.get(leadership);
          if (record?.term === term) delete record.holder;
        }),
    },
  });
  const start = async () => {
    await candidate.start();
    await election.start();
  };
  const stop = async () => {
    await election.stop();
    await candidate.stop();
  };
  return { line, events, election, candidate, start, stop };
}

function bench(count: number) {
  const store = records();
  const clock = handClock();
  const all = Array.from({ length: count }, () => contender(store, clock));
  const holders = () => all.flatMap(({ election }, index) => (election.isHeld() ? [index] : []));
  /**
   * Advances the time in small steps; returns everyone who was the leader in between, and checks that there are never
   * two.
   */
  const pass = async (ms: number, step = 20) => {
    const seen = new Set<number>();
    for (let passed = 0; passed < ms; passed += step) {
      clock.advance(step);
      const now = holders();
      expect(now.length).toBeLessThan(2);
      await settled();
      for (const index of holders()) seen.add(index);
      expect(holders().length).toBeLessThan(2);
    }
    return [...seen];
  };
  const start = async () => {
    for (const each of all) await each.start();
  };
  const stop = async () => {
    for (const each of all) await each.stop();
  };
  return { store, clock, all, holders, pass, start, stop };
}

describe('an election', () => {
  it('elects the first candidate, which stays the leader', async () => {
    const { all, start, stop, pass, holders, store } = bench(3);
    await start();
    expect(holders()).toEqual([0]);
    expect(await pass(2000)).toEqual([0]);
    expect(all[0]?.events).toEqual(['elected 1']);
    expect(store.elections.get('timers')).toMatchObject({ holder: all[0]?.candidate.id, term: 1 });
    await stop();
  });

  it('elects another leader within a heartbeat when the leader stops', async () => {
    const { all, start, stop, pass, holders } = bench(2);
    await start();
    await all[0]?.stop();
    expect(all[0]?.events).toEqual(['elected 1', 'deposed']);
    await pass(HEARTBEAT_MS);
    expect(holders()).toEqual([1]);
    expect(all[1]?.events).toEqual(['elected 2']);
    await stop();
  });

  it('elects another leader only after the lease of a killed one has run out', async () => {
    const { all, start, pass, holders, store } = bench(2);
    await start();
    (all[0] as (typeof all)[0]).line.held = new Promise(() => undefined);
    expect(await pass(LEASE_MS - HEARTBEAT_MS)).toEqual([0]);
    expect(await pass(HEARTBEAT_MS * 3)).toEqual([1]);
    expect(holders()).toEqual([1]);
    expect([...store.instances.keys()]).toEqual([all[1]?.candidate.id]);
    await all[1]?.stop();
  });

  it('makes a late leader give up before others may act, and step down when it returns', async () => {
    const { all, start, stop, pass, holders } = bench(2);
    await start();
    const [first] = all as [(typeof all)[0]];
    first.line.down = true;
    await pass(LEASE_MS - HEARTBEAT_MS);
    expect(holders()).toEqual([]);
    await pass(HEARTBEAT_MS * 3);
    first.line.down = false;
    await pass(2000);
    expect(holders()).toEqual([1]);
    expect(first.events.filter((event) => /^(elected|deposed)/.test(event))).toEqual(['elected 1', 'deposed']);
    await stop();
  });

  it('is not resumed by a process that was suspended, even if no other process took over', async () => {
    const { all, start, stop, pass, clock, holders } = bench(1);
    await start();
    clock.advance(LEASE_MS * 5);
    expect(holders()).toEqual([]);
    await pass(HEARTBEAT_MS * 3);
    expect(all[0]?.events).toEqual(['elected 1', 'deposed', 'elected 2']);
    await stop();
  });

  it('never has two leaders, whatever fails', async () => {
    const { all, start, stop, pass, holders } = bench(3);
    await start();
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const held = new Set<number>();
    for (let round = 0; round < 60; round++) {
      const { line } = all[random(3)] as (typeof all)[0];
      line.down = random(2) === 0;
      for (const index of await pass(random(LEASE_MS * 2))) held.add(index);
    }
    for (const { line } of all) line.down = false;
    await pass(LEASE_MS * 3);
    expect(holders()).toHaveLength(1);
    expect([...held].sort()).toEqual([0, 1, 2]);
    await stop();
  });

  it('is decided by the store when all compete at once', async () => {
    const platform = await openTestPlatform();
    later(() => platform.close());
    const { store, clock, logger, config } = platform;
    const elections: Election[] = [];
    for (let i = 0; i < 4; i++) {
      const candidate = createCandidate({
        instances: store.instances,
        clock,
        logger,
        service: 'parts',
        heartbeatMs: config.instances.heartbeat_ms,
        leaseMs: config.instances.lease_ms,
      });
      await candidate.start();
      later(() => candidate.stop());
      const nothing = () => undefined;
      elections.push(
        createElection({
          elections: store.elections,
          clock,
          logger,
          candidate,
          leadership: 'parts/1',
          onElected: nothing,
          onDeposed: nothing,
        }),
      );
    }
    await Promise.all(elections.map((election) => election.start()));
    for (const election of elections) later(() => election.stop());
    const holder = () => elections.filter((election) => election.isHeld());
    expect(holder()).toHaveLength(1);
    await holder()[0]?.stop();
    await eventually(
      () => holder().length === 1,
      () => 'a new holder',
    );
    expect((await store.elections.get('parts/1'))?.term).toBe(2);
  });
});
